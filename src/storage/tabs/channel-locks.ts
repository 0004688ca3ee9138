/**
 * Replaces the Web Locks API, which pages without HTTPS do not have: a tab asks the others whether one of them holds a
 * conversation. Without an answer in time the conversation is free.
 */
import { newId } from '../../runtime/new-id.ts';

export interface LockMessage {
  readonly type: 'lock-ask' | 'lock-held' | 'lock-released';
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
  readonly #opened = Date.now();
  readonly #held = new Set<string>();
  readonly #questions = new Set<Question>();
  readonly #waiting = new Set<{ readonly thread: string; readonly wake: () => void }>();
  /** Whether another tab is known. Each one answers the greeting of a new tab. */
  #others = false;

  constructor(post: (message: LockMessage) => void) {
    this.#post = post;
  }

  /** @param signal - to wait until no other tab has the lock. Without it, the first answer counts. */
  async take(thread: string, signal?: AbortSignal): Promise<boolean> {
    const isAborted = (): boolean => signal?.aborted === true;
    while (!isAborted()) {
      const isFree = await this.#ask(thread);
      if (isFree && !isAborted()) this.#held.add(thread);
      if (isFree || !signal) return isFree && !isAborted();
      await this.#pause(thread, signal);
    }
    return false;
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
    this.#others = true;
    const questions = [...this.#questions].filter((question) => question.thread === thread);
    if (thread === undefined) return;
    if (type === 'lock-held') questions.find((question) => question.token === token)?.answer(false);
    if (type === 'lock-released') for (const waiting of this.#waiting) if (waiting.thread === thread) waiting.wake();
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
