/** The context of a turn, for the loop over its rounds, client tools and page agents. */
import type { Answer } from '../protocols/core/adapter.ts';
import type { ReplyContext } from './reply-context.ts';
import type { ApprovalScope } from './approvals.ts';

export interface AnswersOfTurn {
  /** Resolves when nothing waits for the user, with the answers for the next request. They count as sent from the next round on. */
  next(): Promise<readonly Answer[]>;
  /** Like `next()`, after questions that the page itself has asked: their answers go into no request, and postponed ones still wait. */
  forPage(): Promise<readonly Answer[]>;
  /** Called if the answers end the turn, so that no request has them. The next round calls it too. */
  markSent(): void;
  /** Whether a permanent approval has answered this question, and not the user. */
  isRemembered(blockId: string): boolean;
  /** Whether a permanent approval has answered this question, which the user has revoked since. */
  isRevoked(blockId: string): boolean;
  /** Whether the user has approved this permanently. */
  allows(scope: Omit<ApprovalScope, 'agent'>): boolean;
}

export interface TurnContext extends ReplyContext {
  readonly answers: AnswersOfTurn;
  /** Resolves when a message of the user waits and a question is open, or when the turn has ended. */
  queued(): Promise<undefined>;
  /** Reads the tools that the page has registered with the browser. A tool call may have registered others, and the page may have changed its own. */
  listTools(): Promise<void>;
  /** Whether a block was stored or imported, rather than received from the agent in this turn. */
  isRestored(blockId: string): boolean;
  /** Starts the next round, whose request has the answers. Its stream continues the same messages, and id and size counters continue. */
  nextRound(): void;
}

/** How a turn starts: with a request, by resuming its reply, or by waiting for an answer. */
export type TurnStart = 'send' | 'resume' | 'wait';
