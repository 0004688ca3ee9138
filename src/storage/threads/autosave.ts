/**
 * Schedules writes: at intervals while a reply is streaming, immediately when it has ended, and before the page is
 * closed.
 */
import type { StoredThread } from '../stores/conversation-store.ts';
import type { OpenThread } from './open-thread.ts';

/**
 * Milliseconds from a change to its write. The write then waits until the browser is idle, for at most the same time, so that
 * a streaming reply is written every 0.5 to 1 s.
 */
const SAVE_MS = 500;

export class Autosave {
  readonly #write: (thread: OpenThread, copy?: StoredThread) => Promise<void>;
  readonly #timers = new Map<OpenThread, ReturnType<typeof setTimeout>>();
  /** Writes of one conversation run in sequence, so that an older one can't overwrite a newer one. */
  readonly #writing = new Map<OpenThread, Promise<void>>();

  /** @param write - writes the given copy; without one, the conversation as it is when the write begins */
  constructor(write: (thread: OpenThread, copy?: StoredThread) => Promise<void>) {
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
  now(thread: OpenThread, copy?: StoredThread): Promise<void> {
    this.cancel(thread);
    const before = this.#writing.get(thread);
    const write = before ? before.then(() => this.#write(thread, copy)) : this.#write(thread, copy);
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
   * Writes all scheduled conversations as they are now. The caller interrupts their replies next, and a reply that is
   * stored as interrupted is not resumed later.
   *
   * @returns those conversations, with the copies that are written
   */
  flush(copyOf: (thread: OpenThread) => StoredThread | undefined): ReadonlyMap<OpenThread, StoredThread | undefined> {
    const waiting = new Set([...this.#timers.keys(), ...this.#writing.keys()]);
    const copies = new Map([...waiting].map((thread) => [thread, copyOf(thread)]));
    for (const [thread, copy] of copies) void this.now(thread, copy);
    return copies;
  }
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: SAVE_MS });
  else act();
}
