/**
 * Replaces the Web Locks API, which pages without HTTPS do not have: a tab asks the others whether one of them holds a
 * conversation. Without an answer in time the conversation is free. It says that it has taken it, because a tab that was too busy to
 * answer may still believe that it has it.
 */
import { newId } from '../../runtime/new-id.ts';
import { withStorageTimeout } from '../stores/storage-timeout.ts';

export interface LockMessage {
  readonly type: 'lock-ask' | 'lock-held' | 'lock-taken' | 'lock-released';
  readonly thread: string;
  /** Identifies the question. Of two tabs that ask at the same moment, the one with the lower token gets the lock. */
  readonly token?: string;
}

interface Question {
  readonly thread: string;
  readonly token: string;
  answer(isFree: boolean): void;
}

/** Time for an answer in milliseconds. A background tab answers immediately unless it is busy. */
const ANSWER_MS = 250;
/** Milliseconds until a waiting tab asks again, because the one with the lock may have disappeared. */
const AGAIN_MS = 1500;

export class ChannelLocks {
  readonly #post: (message: LockMessage) => void;
  readonly #lost: (thread: string) => void;
  readonly #opened = Date.now();
  readonly #held = new Set<string>();
  readonly #questions = new Set<Question>();
  readonly #waiting = new Set<{ readonly thread: string; readonly wake: () => void }>();
  /** Called with the own messages that come back, by their tokens. */
  readonly #echoes = new Map<string, () => void>();
  /** Whether another tab is known. Each one answers the greeting of a new tab. */
  #others = false;

  /** @param lost - called when another tab has taken a conversation that this one holds */
  constructor(post: (message: LockMessage) => void, lost: (thread: string) => void) {
    this.#post = post;
    this.#lost = lost;
  }

  /** @param signal - to wait until no other tab has the lock. Without it, the first answer counts. */
  async take(thread: string, signal?: AbortSignal): Promise<boolean> {
    const isAborted = (): boolean => signal?.aborted === true;
    while (!isAborted()) {
      const isFree = await this.#ask(thread);
      if (isFree && !isAborted()) {
        this.#held.add(thread);
        this.#post({ type: 'lock-taken', thread });
      }
      if (isFree || !signal) return isFree && !isAborted();
      await this.#pause(thread, signal);
    }
    return false;
  }

  /** @param name - of the channel that brings the messages */
  caughtUp(name: string): Promise<unknown> {
    // A channel does not hear itself, but another one with its name.
    const other = new BroadcastChannel(name);
    const token = newId();
    const heard = new Promise<void>((resolve) => {
      this.#echoes.set(token, resolve);
    });
    other.postMessage({ type: 'lock-echo', token });
    return withStorageTimeout(heard)
      .catch(() => undefined)
      .finally(() => {
        other.close();
        this.#echoes.delete(token);
      });
  }

  release(thread: string): void {
    this.#held.delete(thread);
    this.#post({ type: 'lock-released', thread });
  }

  /** Receives a message of any kind. */
  receive({
    type,
    thread,
    token = '',
  }: {
    readonly type: string;
    readonly thread?: string;
    readonly token?: string;
  }): void {
    const echo = type === 'lock-echo' && this.#echoes.get(token);
    if (echo) {
      echo();
      return;
    }
    this.#others = true;
    const questions = [...this.#questions].filter((question) => question.thread === thread);
    if (thread === undefined) return;
    if (type === 'lock-held') questions.find((question) => question.token === token)?.answer(false);
    if (type === 'lock-released') for (const waiting of this.#waiting) if (waiting.thread === thread) waiting.wake();
    if (type === 'lock-taken' && this.#held.has(thread)) this.#lost(thread);
    if (type !== 'lock-ask') return;
    if (this.#held.has(thread) || questions.some((question) => question.token < token))
      this.#post({ type: 'lock-held', thread, token });
    else for (const question of questions) question.answer(false);
  }

  #ask(thread: string): Promise<boolean> {
    const time = this.#others ? ANSWER_MS : this.#opened + ANSWER_MS - Date.now();
    if (time <= 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const question: Question = {
        thread,
        token: newId(),
        answer: (isFree) => {
          clearTimeout(timer);
          this.#questions.delete(question);
          resolve(isFree);
        },
      };
      const timer = setTimeout(() => {
        question.answer(true);
      }, time);
      this.#questions.add(question);
      this.#post({ type: 'lock-ask', thread, token: question.token });
    });
  }

  #pause(thread: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = {
        thread,
        wake: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          resolve();
        },
      };
      const timer = setTimeout(waiting.wake, AGAIN_MS);
      this.#waiting.add(waiting);
      signal.addEventListener('abort', waiting.wake, { once: true });
    });
  }
}
