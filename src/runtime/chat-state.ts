import { isWaiting } from '../conversation/is-waiting.ts';
import type { Run } from '../conversation/run.ts';
import { emptyThread, type Thread } from '../conversation/thread.ts';
import type { ChatMessage } from '../model/message.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import type { UsageStats } from '../model/usage.ts';
import type { RetryWait } from './reply.ts';

/** Where the conversation on show stands: the attribute `status`. */
export type ChatStatus = 'idle' | 'connecting' | 'streaming' | 'awaiting-action' | 'reconnecting' | 'error';

/** A conversation at one moment. Immutable: what did not change is the same object. */
export interface ChatState {
  readonly thread: Thread;
  /** The reply under way. */
  readonly run: Run | undefined;
  /** Where the reply stands; `none` without one. */
  readonly stage: 'none' | 'connecting' | 'streaming' | 'parked';
  /** Milliseconds since the epoch: when it was asked for. */
  readonly since: number;
  /** What the reader wrote meanwhile. */
  readonly queue: readonly ChatMessage[];
  readonly wait: RetryWait | undefined;
  readonly protocol: string | undefined;
  /** What the agent shares of its state, as it was told last. */
  readonly agentState: unknown;
}

export const initialState: ChatState = {
  thread: emptyThread,
  run: undefined,
  stage: 'none',
  since: 0,
  queue: [],
  wait: undefined,
  protocol: undefined,
  agentState: undefined,
};

export function statusOf({ run, stage, wait, thread }: ChatState): ChatStatus {
  if (stage !== 'none') {
    if (wait) return 'reconnecting';
    if (stage === 'connecting') return stage;
    return stage === 'parked' && run && isWaiting(run.messages) ? 'awaiting-action' : 'streaming';
  }
  const last = thread.path.at(-1)?.status;
  return last === 'error' || last === 'interrupted' ? 'error' : 'idle';
}

/** The branch on show with the reply under way and what waits behind it; the same array as long as nothing changed. */
export function createMessagesSelector(): (state: ChatState) => readonly ChatMessage[] {
  let parts: readonly (readonly ChatMessage[])[] = [];
  let all: readonly ChatMessage[] = [];
  return ({ thread, run, queue }) => {
    const next = [thread.path, run?.messages ?? [], queue].filter((part) => part.length > 0);
    if (next.length !== parts.length || next.some((part, index) => part !== parts[index])) {
      parts = next;
      // (Without `flat()`, which looks at every message: this runs with each change of a reply.)
      all = next.length === 1 && next[0] ? next[0] : ([] as ChatMessage[]).concat(...next);
    }
    return all;
  };
}

/** The name of the phase that the reply is in; its sub-agents have theirs. */
export const phaseOf = ({ run }: ChatState): string | undefined =>
  run?.messages
    .flatMap((message) => ownBlocks(message).flatMap((block) => (block.type === 'status' ? [block.phase] : [])))
    .at(-1);

/** The tokens of all messages. */
export function usageOf(messages: readonly ChatMessage[]): UsageStats {
  const sum = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  for (const { usage } of messages) {
    sum.prompt_tokens += usage?.prompt_tokens ?? 0;
    sum.completion_tokens += usage?.completion_tokens ?? 0;
    sum.total_tokens += usage?.total_tokens ?? 0;
  }
  return sum;
}
