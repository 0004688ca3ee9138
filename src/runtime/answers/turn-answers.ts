/**
 * The user's answers in one turn: which question each of them closes, which questions a permanent approval answers, and when the
 * agent gets the answers.
 */
import { hasPendingAction } from '../../conversation/has-pending-action.ts';
import { pauseRun, type Run } from '../../conversation/run.ts';
import { markSent, reopenUnsent } from '../../conversation/unsent-answers.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { isRememberable } from '../../model/is-rememberable.ts';
import type { Adapter, Answer } from '../../protocols/core/adapter.ts';
import { approvalId, approvalScopeOf, type ApprovalScope, type Approvals } from '../approvals.ts';
import type { RespondOptions } from '../chat-hooks.ts';
import type { Redactor } from '../masking/redact-for-sending.ts';
import type { ReplyContext } from '../reply-context.ts';
import { adapterFor, endpointAddress } from '../stream/request-with-retries.ts';
import { maxToolRounds } from '../tools/max-tool-rounds.ts';
import { isAnswerForPage, isCurrentQuestion, openCalls } from '../tools/open-calls.ts';
import type { AnswersOfTurn } from '../turn-context.ts';
import { answerBlock } from './answer-action.ts';
import { HeldStream } from './held-stream.ts';
import { PendingAnswers } from './pending-answers.ts';

/** The turn whose questions are answered. */
export interface AnsweredTurn extends ReplyContext {
  /** Whether a stream is open. */
  readonly isStreaming: boolean;
  readonly isOver: boolean;
  /** Permanent tool approvals. */
  readonly approvals: Approvals;
  /** Identifies the agent that a permanent approval is for. Undefined if it is not known yet. */
  readonly approvalKey: string | undefined;
  /** @throws {ChatError} before the page's `redact` is loaded */
  readonly redaction: Redactor;
  isRestored(blockId: string): boolean;
  setRun(run: Run): void;
  /** Called when the turn waits for an answer. */
  asked(run: Run): void;
  /** Called when the user has answered everything. */
  answered(): void;
}

export class TurnAnswers implements AnswersOfTurn {
  readonly #turn: AnsweredTurn;
  #pending = new PendingAnswers();
  /** The questions that a permanent approval has answered. The one on which the user chose "Always" is not among them. */
  readonly #remembered = new Set<string>();
  readonly #held = new HeldStream(() => this.#deliver());
  /** Number of answers in a row that permanent approvals, not the user, have given to a stream that the server holds open. */
  #heldRounds = 0;
  /** When the user answered the last open question, in the time of `performance.now()`. */
  #answeredAt = -Infinity;

  constructor(turn: AnsweredTurn) {
    this.#turn = turn;
  }

  get answeredAt(): number {
    return this.#answeredAt;
  }

  async next(): Promise<readonly Answer[]> {
    const answers = await this.#answersForRequest(await this.#allAnswered());
    this.#markUsed(answers.filter(isAnswerForPage));
    return answers;
  }

  async forPage(): Promise<readonly Answer[]> {
    const answers = await this.#allAnswered();
    this.#markUsed(answers);
    return answers;
  }

  markSent(): void {
    const pending = this.#pending;
    this.#markSentUnless((id) => pending.has(id));
  }

  isRemembered(blockId: string): boolean {
    return this.#remembered.has(blockId);
  }

  isRevoked(blockId: string): boolean {
    const question = this.#remembered.has(blockId)
      ? grantedPermissions(this.#turn.run()).find(({ id }) => id === blockId)
      : undefined;
    const scope = question && this.#permanentScopeOf(question);
    return question !== undefined && !(scope && this.#turn.approvals.covers(scope));
  }

  allows(scope: Omit<ApprovalScope, 'agent'>): boolean {
    const agent = this.#turn.approvalKey;
    return agent !== undefined && this.#turn.approvals.covers({ ...scope, agent });
  }

  /**
   * Discards the answers of this round, because the server sends the content of the round again, with its questions. An old answer,
   * even one that is being sent, must not count for a new question. Postponed answers stay: their questions are of an earlier round.
   */
  discard(): void {
    this.#pending = new PendingAnswers(this.#pending.later);
  }

  /** Called when an event of the stream was applied. */
  streamed(): void {
    this.#held.continued(() => hasPendingAction(this.#turn.run().messages));
  }

  /** Answers the question with this id, unless it is not open. */
  respond(blockId: string, decision: Answer['decision'], response: RespondOptions): void {
    const turn = this.#turn;
    const asked = pendingPermissions(turn.run()).find(({ id }) => id === blockId);
    const always = asked && decision === 'granted' && response.remember === 'always';
    const scope = always ? this.#permanentScopeOf(asked) : undefined;
    const approval = scope?.tool === '' ? undefined : scope;
    const change = answerBlock(turn.run(), blockId, decision, {
      ...response,
      approval: approval && approvalId(approval),
    });
    if (!change) return;
    if (!this.#remembered.has(blockId)) this.#heldRounds = 0;
    // The page's `redact` may throw, and the answer is then not given. So it runs before the approval is stored.
    const answer = turn.redaction.answer(change.answer);
    if (approval) turn.approvals.allow({ ...approval, since: Date.now() });
    this.#pending.add(answer);
    turn.setRun(change.run);
    // Also answers the other pending requests that this approval covers. The call of `respond()` for the last one continues the turn.
    if (approval) this.grantApproved();
    if (hasPendingAction(change.run.messages)) return;
    this.#reopenRevoked();
    if (hasPendingAction(turn.run().messages)) return;
    this.#answeredAt = performance.now();
    if (turn.isStreaming) this.#held.answered();
    turn.answered();
    this.#pending.release();
  }

  /**
   * Grants the pending requests that a permanent approval covers: called for a new request, and for the others when the user
   * has just approved one permanently.
   */
  grantApproved(): void {
    const turn = this.#turn;
    // Each answer to a stream that is held open is a request, so it counts as a round. After too many, the user has to answer.
    if (this.#heldRounds >= maxToolRounds(turn.settings)) return;
    if (turn.approvals.list.length === 0) return;
    let agent = turn.approvalKey;
    for (const block of pendingPermissions(turn.run())) {
      // The call of a restored reply may come from an imported file: the user is asked about it, whatever the approvals allow.
      const isCallRestored = block.callBlockId !== undefined && turn.isRestored(block.callBlockId);
      const scope = isCallRestored ? undefined : this.#permanentScopeOf(block, agent);
      if (scope && turn.approvals.covers(scope)) {
        this.#remembered.add(block.id);
        this.respond(block.id, 'granted', { remember: 'always' });
        // A listener of the page may have chosen another agent.
        agent = turn.approvalKey;
      }
    }
  }

  /** Resolves with the answers when the stream has ended and no question is open. */
  #allAnswered(): Promise<readonly Answer[]> {
    const delivery = this.#held.ended();
    if (delivery) return delivery.then(() => this.#allAnswered());
    this.#reopenRevoked();
    const run = this.#turn.run();
    if (!hasPendingAction(run.messages)) return Promise.resolve(this.#pending.take());
    this.#turn.asked(pauseRun(run));
    return this.#pending.next();
  }

  /** Selects the answers for the next request. Some protocols accept only one answer in a request: the others follow after its reply. */
  async #answersForRequest(given: readonly Answer[]): Promise<readonly Answer[]> {
    // After a failure the postponed answers are not sent, and their questions stay marked as unsent.
    const all = this.#turn.run().failed ? given : [...this.#pending.takeLater(), ...given];
    // The widget itself asks whether the agent may continue: the request does not contain this answer.
    const forServer = all.filter(
      (answer) => !isAnswerForPage(answer) && answer.actionType !== 'maximum_tool_calls_reached',
    );
    if (forServer.length < 2) return all;
    const { nextAnswers } = this.#turn.adapter ?? (await this.#loadAdapter()) ?? {};
    const next = nextAnswers?.(forServer) ?? forServer;
    const later = forServer.filter((answer) => !next.includes(answer));
    if (later.length > 0) this.#pending.postpone(later);
    return all.filter((answer) => !later.includes(answer));
  }

  /** Loads the adapter for the answer to a restored question: no request of this turn has loaded it yet. */
  async #loadAdapter(): Promise<Adapter | undefined> {
    try {
      return await adapterFor(this.#turn, endpointAddress(this.#turn.settings));
    } catch {
      return undefined;
    }
  }

  /** Sends the answers to a server that holds the stream open until it gets them. Few servers do. */
  async #deliver(): Promise<void> {
    const turn = this.#turn;
    const [adapter, pending] = [turn.adapter, this.#pending];
    if (!adapter?.respond || turn.isOver) return;
    this.#heldRounds++;
    const chunk = await import('./send-answers.ts').catch(() => undefined);
    await chunk?.deliverAnswers(turn, adapter, pending);
    this.markSent();
  }

  /** Marks answers as sent that are in no request, because they were for a tool of the page or for a page agent. */
  #markUsed(used: readonly Answer[]): void {
    this.#markSentUnless((id) => !used.some(({ blockId }) => blockId === id));
  }

  /** Marks the other answers as sent. After a reload, the user is asked only the questions again whose answers still wait. */
  #markSentUnless(isWaiting: (blockId: string) => boolean): void {
    const run = this.#turn.run();
    if (this.#pending.given.length > 0) this.#turn.setRun({ ...run, messages: markSent(run.messages, isWaiting) });
  }

  /**
   * Opens questions in `#remembered` again if their answers still wait and the user has revoked the approval. The answer that the
   * user gave with "Always" stays.
   */
  #reopenRevoked(): void {
    const revoked = [...this.#remembered].filter((id) => this.#pending.has(id) && this.isRevoked(id));
    if (revoked.length === 0) return;
    for (const id of revoked) {
      this.#remembered.delete(id);
      this.#pending.remove(id);
    }
    const run = this.#turn.run();
    this.#turn.setRun({ ...run, messages: reopenUnsent(run.messages, (id) => revoked.includes(id)) });
  }

  /** Whether "Always" is possible. A restored question about a tool of the page must equal the question that the page would ask now. */
  #mayBePermanent(question: BlockOf<'action'>): boolean {
    const turn = this.#turn;
    const isAboutPageTool = question.extra?.['byPage'] === true && question.extra['forAgent'] !== true;
    if (!isRememberable(question)) return false;
    return (
      !turn.isRestored(question.id) ||
      !isAboutPageTool ||
      isCurrentQuestion(question, turn.settings.tools ?? [], openCalls(turn.run()))
    );
  }

  /** What "Always" covers; undefined if the answer to this question can't be permanent. */
  #permanentScopeOf(question: BlockOf<'action'>, agent = this.#turn.approvalKey): ApprovalScope | undefined {
    return agent === undefined || !this.#mayBePermanent(question) ? undefined : approvalScopeOf(question, agent);
  }
}

/** Returns a function that finds the permission requests with this status. */
const permissionsWith =
  (status: BlockOf<'action'>['status']) =>
  (run: Run): readonly BlockOf<'action'>[] =>
    run.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.type === 'action' && block.action_type === 'tool_call_permission' && block.status === status
          ? [block]
          : [],
      ),
    );
const pendingPermissions = permissionsWith('pending');
const grantedPermissions = permissionsWith('granted');
