import type { ChatMessage } from '../model/message.ts';

/** About so much room is between two messages, in CSS pixels. */
const GAP_PX = 24;

/** The heights that were seen of one kind of message. It begins with a guess that counts as one. */
interface Kind {
  sum: number;
  count: number;
}

/** How high each message is with the room behind it, in CSS pixels: as it was drawn last, or like others of its kind. */
export class Heights {
  readonly #seen = new Map<string, number>();
  readonly #mine: Kind = { sum: 64, count: 1 };
  readonly #others: Kind = { sum: 240, count: 1 };

  of(message: ChatMessage): number {
    const kind = this.#kindOf(message);
    return (this.#seen.get(message.id) ?? kind.sum / kind.count) + GAP_PX;
  }

  set(message: ChatMessage, height: number): void {
    const before = this.#seen.get(message.id);
    if (before === height) return;
    const kind = this.#kindOf(message);
    kind.sum += height - (before ?? 0);
    if (before === undefined) kind.count++;
    this.#seen.set(message.id, height);
  }

  /** Those of `from` up to `to`, that one not among them. */
  sum(messages: readonly ChatMessage[], from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index++) {
      const message = messages[index];
      if (message) sum += this.of(message);
    }
    return sum;
  }

  /** Forgets messages that are gone, once they are more than those that are there. */
  tidy(messages: readonly ChatMessage[]): void {
    if (this.#seen.size <= 2 * messages.length) return;
    const ids = new Set(messages.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
  }

  #kindOf({ role }: ChatMessage): Kind {
    return role === 'user' ? this.#mine : this.#others;
  }
}
