/** The other tabs with the same conversations: what they say to one another, and who answers. */
import type { ChatMessage } from '../../model/message.ts';
import type { Answer } from '../../protocols/adapter.ts';
import type { RespondOptions } from '../hooks.ts';

/** How a conversation stands in the tab that has changed it. Messages that the others have are named by their ids alone. */
export interface Told {
  readonly type: 'messages';
  readonly thread: string;
  readonly title: string;
  readonly changed: readonly ChatMessage[];
  readonly path: readonly string[];
  readonly hidden: readonly string[];
  /** So many at the end of the path are a reply that is under way in that tab. */
  readonly running: number;
  readonly stage: 'none' | 'connecting' | 'streaming' | 'parked';
}

export type TabMessage =
  | Told
  /** Whoever has a reply under way in it tells all of it. */
  | { readonly type: 'ask'; readonly thread: string }
  | { readonly type: 'stop'; readonly thread: string }
  | {
      readonly type: 'respond';
      readonly thread: string;
      readonly block: string;
      readonly decision: Answer['decision'];
      readonly options: RespondOptions;
    }
  | { readonly type: 'removed'; readonly thread: string }
  | { readonly type: 'forgotten' };

/** Speaks with the other tabs of one scope. Where the browser has no channel or no locks, each tab is alone. */
export class Tabs {
  readonly #scope: string;
  readonly #hear: (message: TabMessage) => void;
  #channel: BroadcastChannel | undefined;
  /** What lets go of each lock that is held. */
  readonly #held = new Map<string, () => void>();
  readonly #waiting = new Map<string, AbortController>();

  constructor(scope: string, hear: (message: TabMessage) => void) {
    this.#scope = scope;
    this.#hear = hear;
    this.open();
  }

  open(): void {
    if (this.#channel || typeof BroadcastChannel === 'undefined') return;
    this.#channel = new BroadcastChannel(`agent-chat ${this.#scope}`);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      this.#hear(data);
    });
  }

  /** Leaves the others: nothing is heard any more, and no lock is held. */
  close(): void {
    this.#channel?.close();
    this.#channel = undefined;
    for (const name of [...this.#held.keys()]) this.release(name);
    for (const name of [...this.#waiting.keys()]) this.stopWaiting(name);
  }

  say(message: TabMessage): void {
    try {
      this.#channel?.postMessage(message);
    } catch (error) {
      // What the page has put into a message may be nothing that another tab can have.
      if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
      this.#channel?.postMessage(JSON.parse(JSON.stringify(message)));
    }
  }

  holds(thread: string): boolean {
    return this.#held.has(thread);
  }

  /** Takes a conversation for answering. Resolves with whether it is this tab's now; `wait`: as soon as nobody else has it. */
  take(thread: string, { wait }: { readonly wait: boolean }): Promise<boolean> {
    if (this.#held.has(thread) || !('locks' in navigator)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const options = wait ? { signal: this.#waitFor(thread) } : { ifAvailable: true };
      navigator.locks
        .request(`agent-chat ${this.#scope} ${thread}`, options, (lock) => {
          this.#waiting.delete(thread);
          resolve(lock !== null);
          if (!lock) return undefined;
          return new Promise<void>((release) => {
            this.#held.set(thread, release);
          });
        })
        .catch(() => {
          // Nobody waits any more, or the page may have no locks: it is alone then.
          resolve(!wait);
        });
    });
  }

  release(thread: string): void {
    this.#held.get(thread)?.();
    this.#held.delete(thread);
  }

  stopWaiting(thread: string): void {
    this.#waiting.get(thread)?.abort();
    this.#waiting.delete(thread);
  }

  #waitFor(thread: string): AbortSignal {
    this.stopWaiting(thread);
    const controller = new AbortController();
    this.#waiting.set(thread, controller);
    return controller.signal;
  }
}
