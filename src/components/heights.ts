import type { ChatMessage } from '../model/message.ts';

/** About so much room is between two messages, in CSS pixels. */
const GAP_PX = 24;

/** The heights that were seen of one kind of message. It begins with a guess that counts as one. */
interface Kind {
  sum: number;
  count: number;
}

/** A height that was seen, and the place of its message then. */
interface Seen {
  readonly height: number;
  at: number;
}

/** How high each message is with the room behind it, in CSS pixels: as it was drawn last, or like others of its kind. */
export class Heights {
  readonly #seen = new Map<string, Seen>();
  readonly #mine: Kind = { sum: 64, count: 1 };
  readonly #others: Kind = { sum: 240, count: 1 };

  of(message: ChatMessage): number {
    return (this.#seen.get(message.id)?.height ?? this.#guess(message)) + GAP_PX;
  }

  set(message: ChatMessage, at: number, height: number): void {
    const before = this.#seen.get(message.id)?.height;
    if (before === height) return;
    const kind = this.#kindOf(message);
    kind.sum += height - (before ?? 0);
    if (before === undefined) kind.count++;
    this.#seen.set(message.id, { height, at });
  }

  /**
   * Those of `from` up to `to`, that one not among them. Nearly all of thousands are guesses: they are counted, and only those that
   * were seen are looked for.
   */
  sum(messages: readonly ChatMessage[], from: number, to: number): number {
    let mine = 0;
    for (let index = from; index < to; index++) if (messages[index]?.role === 'user') mine++;
    const others = to - from - mine;
    let sum = mine * meanOf(this.#mine) + others * meanOf(this.#others) + (to - from) * GAP_PX;
    this.#place(messages);
    for (const { height, at } of this.#seen.values()) {
      const message = at >= from && at < to ? messages[at] : undefined;
      if (message) sum += height - this.#guess(message);
    }
    return sum;
  }

  /** Forgets messages that are gone, once they are more than those that are there. */
  tidy(messages: readonly ChatMessage[]): void {
    if (this.#seen.size <= 2 * messages.length) return;
    const ids = new Set(messages.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
  }

  /** Finds where those that were seen stand now: messages may have come before them, or gone. */
  #place(messages: readonly ChatMessage[]): void {
    let places: ReadonlyMap<string, number> | undefined;
    for (const [id, seen] of this.#seen) {
      if (messages[seen.at]?.id === id) continue;
      places ??= new Map(messages.map((message, index) => [message.id, index]));
      const place = places.get(id);
      if (place === undefined) this.#seen.delete(id);
      else seen.at = place;
    }
  }

  #guess(message: ChatMessage): number {
    return meanOf(this.#kindOf(message));
  }

  #kindOf({ role }: ChatMessage): Kind {
    return role === 'user' ? this.#mine : this.#others;
  }
}

const meanOf = ({ sum, count }: Kind): number => sum / count;
