import type { ChatMessage } from '../../model/message.ts';
import type { ChatSettings } from '../chat-settings.ts';
import type { MessageOrigin } from './message-origin.ts';

export interface Queued {
  readonly message: ChatMessage;
  /** The settings when it was sent, with the id of the agent that was chosen. */
  readonly to: ChatSettings;
  readonly resolve: (message: ChatMessage) => void;
  /**
   * Where the user wrote it. Undefined: there is nowhere to return to, as for a message of the page, an opening suggestion, a
   * press in an agent UI, or a message that is sent again.
   */
  readonly origin: MessageOrigin | undefined;
}

/** Messages that the user sent while a reply was running, in order. Reasons: `docs/decisions/queue.md`. */
export class SendQueue {
  readonly #changed: (messages: readonly ChatMessage[]) => void;
  #entries: readonly Queued[] = [];

  /** @param changed - called with the queued messages after each change */
  constructor(changed: (messages: readonly ChatMessage[]) => void) {
    this.#changed = changed;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Appends a message. Resolves with its reply, or with the message as `failed` if it is withdrawn. */
  add(message: ChatMessage, to: ChatSettings, origin?: MessageOrigin): Promise<ChatMessage> {
    return new Promise((resolve) => {
      this.#set([...this.#entries, { message: { ...message, status: 'queued' }, to, resolve, origin }]);
    });
  }

  /** Removes and returns the first message. */
  next(): Queued | undefined {
    const [first, ...rest] = this.#entries;
    if (first) this.#set(rest);
    return first;
  }

  /** Moves a message to the front. */
  toFront(id: string): boolean {
    const entry = this.#entries.find(({ message }) => message.id === id);
    if (entry) this.#set([entry, ...this.#entries.filter((other) => other !== entry)]);
    return entry !== undefined;
  }

  takeBack(id: string): ChatMessage | undefined {
    const entry = this.#entries.find(({ message }) => message.id === id);
    if (!entry) return undefined;
    this.#set(this.#entries.filter((other) => other !== entry));
    entry.resolve({ ...entry.message, status: 'failed' });
    return entry.message;
  }

  change(id: string, change: (message: ChatMessage) => ChatMessage): void {
    if (!this.#entries.some(({ message }) => message.id === id)) return;
    this.#set(
      this.#entries.map((entry) => (entry.message.id === id ? { ...entry, message: change(entry.message) } : entry)),
    );
  }

  /**
   * Withdraws all messages.
   * @returns the withdrawn ones
   */
  clear(): readonly Queued[] {
    const entries = this.#entries;
    for (const { message } of entries) this.takeBack(message.id);
    return entries;
  }

  #set(entries: readonly Queued[]): void {
    this.#entries = entries;
    this.#changed(entries.map(({ message }) => message));
  }
}
