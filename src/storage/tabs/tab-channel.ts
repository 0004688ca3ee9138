/** BroadcastChannel messages between tabs with the same conversations, and the lock that decides which tab replies. */
import { isRecord } from '../../model/json.ts';
import { withStorageTimeout } from '../stores/storage-timeout.ts';
import type { ChannelLocks, LockMessage } from './channel-locks.ts';
import { isTabMessage, type TabMessage } from './tab-message.ts';

/** Pages without HTTPS do not have the API. Code that protects privacy may set it to `undefined`. */
const hasLocks = (): boolean => (navigator as Partial<Pick<Navigator, 'locks'>>).locks !== undefined;

const isLockMessage = (message: TabMessage | LockMessage): message is LockMessage =>
  typeof message.type === 'string' && message.type.startsWith('lock-');

/**
 * Communicates with the other tabs of one scope. Without `BroadcastChannel`, each tab works alone. Without the Web Locks API, they
 * ask each other who runs a reply.
 */
export class TabChannel {
  readonly #scope: string;
  readonly #received: (message: TabMessage) => void;
  readonly #lost: (thread: string) => void;
  #channel: BroadcastChannel | undefined;
  /** Replaces the Web Locks API; undefined if the page has that. If the code of the replacement can't load, this tab works alone. */
  #channelLocks: Promise<ChannelLocks | undefined> | undefined;
  /** The release functions of the held locks. */
  readonly #held = new Map<string, () => void>();
  readonly #waiting = new Map<string, AbortController>();
  /** The requests for locks without a response yet, not those that wait for another tab. */
  readonly #asked = new Map<string, Promise<boolean>>();
  /** The last request for a lock got no response in time: until there is one, this tab works alone and does not wait again. */
  #isAlone = false;
  #isClosed = false;

  /**
   * @param received - called with each message of another tab
   * @param lost - called when another tab has taken a conversation of this one, which did not answer in time
   */
  constructor(
    scope: string,
    received: (message: TabMessage) => void,
    lost: (thread: string) => void = () => undefined,
  ) {
    this.#scope = scope;
    this.#received = received;
    this.#lost = lost;
    this.open();
  }

  open(): void {
    if (this.#channel || typeof BroadcastChannel === 'undefined') return;
    try {
      this.#channel = new BroadcastChannel(`agent-chat 2 ${this.#scope}`);
    } catch {
      // Blocked by a browser policy: this tab works alone.
      return;
    }
    this.#channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isRecord(data)) return;
      const message = data as unknown as TabMessage | LockMessage;
      void this.#channelLocks?.then((locks) => locks?.receive(message));
      if (!isLockMessage(message) && isTabMessage(data)) this.#received(message);
    });
    if (hasLocks()) return;
    const post = (message: LockMessage): void => this.#channel?.postMessage(message);
    this.#channelLocks = import('./channel-locks.ts').then(
      (module) => new module.ChannelLocks(post, this.#lost),
      () => undefined,
    );
  }

  /** Closes the channel and releases all locks. */
  close(): void {
    this.#isClosed = true;
    for (const name of [...this.#held.keys()]) this.release(name);
    for (const name of [...this.#waiting.keys()]) this.stopWaiting(name);
    this.#channel?.close();
    this.#channel = undefined;
    this.#channelLocks = undefined;
  }

  post(message: TabMessage): void {
    try {
      this.#channel?.postMessage(message);
    } catch (error) {
      // A message may contain data from the page that can't be cloned.
      if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
      this.#channel?.postMessage(JSON.parse(JSON.stringify(message)));
    }
  }

  /**
   * Resolves when all messages that other tabs have sent before were read. A press of the user comes first in a tab that was busy:
   * meanwhile another one may have taken its conversation. Undefined with the Web Locks API, which takes nothing away.
   */
  caughtUp(): Promise<unknown> | undefined {
    return this.#channelLocks?.then((locks) => this.#channel && locks?.caughtUp(this.#channel.name));
  }

  holds(thread: string): boolean {
    return this.#held.has(thread);
  }

  /**
   * Acquires the lock of a conversation. Resolves with whether this tab holds it; with `wait`, once no other tab does.
   * If locks do not respond, this tab works alone.
   */
  async take(thread: string, { wait }: { readonly wait: boolean }): Promise<boolean> {
    // An earlier request of this tab may get the lock. A second one would then wait for this tab itself.
    for (let asked = this.#asked.get(thread); asked; asked = this.#asked.get(thread)) await asked;
    if (this.#held.has(thread) || this.#isAlone) return true;
    if (!hasLocks()) return this.#takeFromTabs(thread, wait);
    const signal = wait ? this.#waitFor(thread) : undefined;
    let isLate = false;
    const isWanted = (): boolean => !isLate && signal?.aborted !== true && !this.#isClosed;
    const asked = withStorageTimeout(this.#request(thread, { ifAvailable: true }, isWanted))
      .catch(() => {
        isLate = this.#isAlone = true;
        return true;
      })
      .finally(() => {
        this.#asked.delete(thread);
      });
    this.#asked.set(thread, asked);
    const free = await asked;
    if (!signal || signal.aborted) return free;
    if (!free) return this.#request(thread, { signal }, isWanted);
    this.#waiting.delete(thread);
    return true;
  }

  async #takeFromTabs(thread: string, wait: boolean): Promise<boolean> {
    const signal = wait ? this.#waitFor(thread) : undefined;
    const locks = await this.#channelLocks;
    const isTaken = locks ? await locks.take(thread, signal) : true;
    if (signal && !signal.aborted) this.#waiting.delete(thread);
    if (isTaken) {
      this.#held.set(thread, () => {
        locks?.release(thread);
      });
    }
    return isTaken;
  }

  /** @param isWanted - called when the lock is granted, which may take long: false if it has to be released immediately */
  #request(thread: string, options: LockOptions, isWanted: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      navigator.locks
        .request(`agent-chat ${this.#scope} ${thread}`, options, (lock) => {
          this.#isAlone = false;
          const isTaken = lock !== null && isWanted();
          if (isTaken && options.signal) this.#waiting.delete(thread);
          resolve(isTaken);
          if (!isTaken) return undefined;
          return new Promise<void>((release) => {
            this.#held.set(thread, release);
          });
        })
        .catch(() => {
          // The request was aborted, or the page has no access to locks and works alone.
          resolve(options.signal === undefined);
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
