import type { ChatMessage } from '../model/message.ts';

export interface Queued {
  readonly message: ChatMessage;
  readonly resolve: (message: ChatMessage) => void;
}

/** What the reader wrote while a reply was running, in order. Why it waits on: `docs/decisions/queue.md`. */
export class SendQueue {
  readonly #changed: (messages: readonly ChatMessage[]) => void;
  #entries: readonly Queued[] = [];

  /** `changed`: told of what waits. */
  constructor(changed: (messages: readonly ChatMessage[]) => void) {
    this.#changed = changed;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Puts a message behind the others. Resolves with its reply, or with itself as `failed` when it is taken back. */
  add(message: ChatMessage): Promise<ChatMessage> {
    return new Promise((resolve) => {
      this.#set([...this.#entries, { message: { ...message, status: 'queued' }, resolve }]);
    });
  }

  /** Takes the first one out, to be sent. */
  next(): Queued | undefined {
    const [first, ...rest] = this.#entries;
    if (first) this.#set(rest);
    return first;
  }

  /** Puts one before the others. */
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

  /** Takes all of them back. */
  clear(): void {
    for (const { message } of this.#entries) this.takeBack(message.id);
  }

  #set(entries: readonly Queued[]): void {
    this.#entries = entries;
    this.#changed(entries.map(({ message }) => message));
  }
}
