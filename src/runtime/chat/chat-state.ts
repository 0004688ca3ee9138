import { hasPendingAction } from '../../conversation/has-pending-action.ts';
import type { Run } from '../../conversation/run.ts';
import { emptyThread, type Thread } from '../../conversation/thread.ts';
import type { ChatMessage } from '../../model/message.ts';
import { ownBlocks } from '../../model/own-blocks.ts';
import type { UsageStats } from '../../model/usage.ts';
import type { RetryWait } from '../reply-context.ts';

/**
 * The status of the current conversation: the attribute `status`. `awaiting-action`: a question is open, and the stream has ended. While
 * the stream stays open for the answer, the status is `streaming`.
 */
export type ChatStatus = 'idle' | 'connecting' | 'streaming' | 'awaiting-action' | 'reconnecting' | 'error';

/** A snapshot of a conversation. Immutable: unchanged parts keep their identity. */
export interface ChatState {
  readonly thread: Thread;
  /** The running reply. */
  readonly run: Run | undefined;
  /**
   * The stage of the reply; `none` without one. `parked`: its stream has ended, and it waits for the user; a stream that stays open for
   * the answer is `streaming`.
   */
  readonly stage: 'none' | 'connecting' | 'streaming' | 'parked';
  /**
   * When the last reply was requested, or a message of the user was added that is not sent, in milliseconds since the epoch. 0: the user
   * has not sent anything, so that the conversation is not stored.
   */
  readonly since: number;
  /** Messages that wait for the end of a reply, also of one in another tab. After a failed one they wait for the user. */
  readonly queue: readonly ChatMessage[];
  /** Messages that wait for the storage or for consent: `queued` if another message is before them, otherwise `sending`. */
  readonly pending: readonly ChatMessage[];
  /** The wait before the next attempt, for a delay or for the network. */
  readonly wait: RetryWait | undefined;
  readonly protocol: string | undefined;
  /** The agent's shared state, as last reported. */
  readonly agentState: unknown;
}

export const initialState: ChatState = {
  thread: emptyThread,
  run: undefined,
  stage: 'none',
  since: 0,
  queue: [],
  pending: [],
  wait: undefined,
  protocol: undefined,
  agentState: undefined,
};

/** An observable value. */
export interface Store<State> {
  readonly state: State;
  /** Replaces the state and notifies the listeners. Setting the same state has no effect. */
  set(state: State): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get state() {
      return state;
    },
    set(next) {
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function statusOf({ run, stage, wait, thread, pending }: ChatState): ChatStatus {
  if (stage !== 'none') {
    if (wait) return 'reconnecting';
    if (stage === 'connecting') return stage;
    // The last question may be gone before the turn continues, for example if the page has removed it.
    return stage === 'parked' && run && hasPendingAction(run.messages) ? 'awaiting-action' : 'streaming';
  }
  if (pending.some(({ status }) => status === 'sending')) return 'connecting';
  const last = thread.path.at(-1)?.status;
  return last === 'error' || last === 'interrupted' ? 'error' : 'idle';
}

/**
 * Selects the current branch with the running reply and the waiting messages. Returns the same array as long as nothing
 * changed.
 */
export function createMessagesSelector(): (state: ChatState) => readonly ChatMessage[] {
  let parts: readonly (readonly ChatMessage[])[] = [];
  let all: readonly ChatMessage[] = [];
  return ({ thread, run, queue, pending }) => {
    const next = [thread.path, run?.messages ?? [], queue, pending].filter((part) => part.length > 0);
    if (next.length !== parts.length || next.some((part, index) => part !== parts[index])) {
      parts = next;
      // `concat()` instead of `flat()`, which visits every message: this runs with each change of a reply.
      all = next.length === 1 && next[0] ? next[0] : ([] as ChatMessage[]).concat(...next);
    }
    return all;
  };
}

/** The messages that wait for a running reply, or for an earlier message that waits for storage or consent, in sending order. */
export const queuedOf = ({ queue, pending }: ChatState): readonly ChatMessage[] =>
  pending.length === 0 ? queue : [...queue, ...pending.filter(({ status }) => status === 'queued')];

/** The name of the reply's current phase. Phases of its sub-agents do not count. */
export const phaseOf = ({ run }: ChatState): string | undefined =>
  run?.messages
    .flatMap((message) => ownBlocks(message).flatMap((block) => (block.type === 'status' ? [block.phase] : [])))
    .at(-1);

/** The token counts of all messages, added up. */
export function usageOf(messages: readonly ChatMessage[]): UsageStats {
  const sum = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  for (const { usage } of messages) {
    sum.prompt_tokens += usage?.prompt_tokens ?? 0;
    sum.completion_tokens += usage?.completion_tokens ?? 0;
    sum.total_tokens += usage?.total_tokens ?? 0;
  }
  return sum;
}
