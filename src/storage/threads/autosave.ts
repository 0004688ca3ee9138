/**
 * Schedules writes: at intervals while a reply is streaming, immediately when it has ended, and before the page is
 * closed.
 */
import type { OpenThread } from './open-thread.ts';

/** Milliseconds between two writes of a streaming reply. */
const SAVE_MS = 500;

export class Autosave {
  readonly #write: (live: OpenThread) => Promise<void>;
  readonly #timers = new Map<OpenThread, ReturnType<typeof setTimeout>>();
  /** Writes of one conversation run in sequence, so that an older one can't overwrite a newer one. */
  readonly #writing = new Map<OpenThread, Promise<void>>();

  constructor(write: (live: OpenThread) => Promise<void>) {
    this.#write = write;
  }

  /** Schedules a write. */
  soon(live: OpenThread): void {
    if (this.#timers.has(live)) return;
    const timer = setTimeout(() => {
      whenIdle(() => {
        if (this.#timers.get(live) === timer) void this.now(live);
      });
    }, SAVE_MS);
    this.#timers.set(live, timer);
  }

  /** Writes immediately. Resolves when it is done. */
  now(live: OpenThread): Promise<void> {
    this.cancel(live);
    const before = this.#writing.get(live);
    const write = before ? before.then(() => this.#write(live)) : this.#write(live);
    const writing = write.finally(() => {
      if (this.#writing.get(live) === writing) this.#writing.delete(live);
    });
    this.#writing.set(live, writing);
    return writing;
  }

  /** Cancels a scheduled write. */
  cancel(live: OpenThread): void {
    clearTimeout(this.#timers.get(live));
    this.#timers.delete(live);
  }

  /**
   * Writes all scheduled conversations.
   * @returns those conversations
   */
  flush(): readonly OpenThread[] {
    const waiting = [...new Set([...this.#timers.keys(), ...this.#writing.keys()])];
    for (const live of waiting) void this.now(live);
    return waiting;
  }
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: SAVE_MS });
  else act();
}
