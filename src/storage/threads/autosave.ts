/**
 * Schedules writes: at intervals while a reply is streaming, immediately when it has ended, and before the page is
 * closed.
 */
import type { OpenThread } from './open-thread.ts';

/** Milliseconds between two writes of a streaming reply. */
const SAVE_MS = 500;

export class Autosave {
  readonly #write: (thread: OpenThread) => Promise<void>;
  readonly #timers = new Map<OpenThread, ReturnType<typeof setTimeout>>();
  /** Writes of one conversation run in sequence, so that an older one can't overwrite a newer one. */
  readonly #writing = new Map<OpenThread, Promise<void>>();

  constructor(write: (thread: OpenThread) => Promise<void>) {
    this.#write = write;
  }

  /** Schedules a write. */
  soon(thread: OpenThread): void {
    if (this.#timers.has(thread)) return;
    const timer = setTimeout(() => {
      whenIdle(() => {
        if (this.#timers.get(thread) === timer) void this.now(thread);
      });
    }, SAVE_MS);
    this.#timers.set(thread, timer);
  }

  /** Writes immediately. Resolves when it is done. */
  now(thread: OpenThread): Promise<void> {
    this.cancel(thread);
    const before = this.#writing.get(thread);
    const write = before ? before.then(() => this.#write(thread)) : this.#write(thread);
    const writing = write.finally(() => {
      if (this.#writing.get(thread) === writing) this.#writing.delete(thread);
    });
    this.#writing.set(thread, writing);
    return writing;
  }

  /** Cancels a scheduled write. */
  cancel(thread: OpenThread): void {
    clearTimeout(this.#timers.get(thread));
    this.#timers.delete(thread);
  }

  /**
   * Writes all scheduled conversations.
   * @returns those conversations
   */
  flush(): readonly OpenThread[] {
    const waiting = [...new Set([...this.#timers.keys(), ...this.#writing.keys()])];
    for (const thread of waiting) void this.now(thread);
    return waiting;
  }
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: SAVE_MS });
  else act();
}
