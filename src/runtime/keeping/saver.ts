/** When conversations are written: seldom while a reply grows, at once when it has ended, and before the page is gone. */
import type { LiveThread } from './live-thread.ts';

/** Milliseconds between two writes of a reply that grows. */
const SAVE_MS = 500;

export class Saver {
  readonly #write: (live: LiveThread) => Promise<void>;
  readonly #timers = new Map<LiveThread, ReturnType<typeof setTimeout>>();
  /** One write after the other for each: an older one must not overtake a newer one. */
  readonly #writing = new Map<LiveThread, Promise<void>>();

  constructor(write: (live: LiveThread) => Promise<void>) {
    this.#write = write;
  }

  /** Something has changed. */
  soon(live: LiveThread): void {
    if (this.#timers.has(live)) return;
    const timer = setTimeout(() => {
      whenIdle(() => {
        if (this.#timers.get(live) === timer) void this.now(live);
      });
    }, SAVE_MS);
    this.#timers.set(live, timer);
  }

  /** Resolves when it is written. */
  now(live: LiveThread): Promise<void> {
    this.cancel(live);
    const before = this.#writing.get(live);
    const write = before ? before.then(() => this.#write(live)) : this.#write(live);
    const writing = write.finally(() => {
      if (this.#writing.get(live) === writing) this.#writing.delete(live);
    });
    this.#writing.set(live, writing);
    return writing;
  }

  /** What waits to be written is not. */
  cancel(live: LiveThread): void {
    clearTimeout(this.#timers.get(live));
    this.#timers.delete(live);
  }

  /** Writes what waits. @returns those conversations */
  flush(): readonly LiveThread[] {
    const waiting = [...new Set([...this.#timers.keys(), ...this.#writing.keys()])];
    for (const live of waiting) void this.now(live);
    return waiting;
  }
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: SAVE_MS });
  else act();
}
