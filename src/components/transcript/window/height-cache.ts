import type { ChatMessage } from '../../../model/message.ts';

/** Estimated gap between two messages, in CSS pixels. */
const GAP_PX = 24;

/** Measured heights of messages of one role. The initial guess counts as one measurement. */
interface HeightStats {
  sum: number;
  count: number;
}

/** A measured height, and the index of its message at that time. */
interface MeasuredHeight {
  readonly height: number;
  at: number;
}

/** Height of each message including the gap after it, in CSS pixels: as measured last, or the mean of its role. */
export class HeightCache {
  readonly #measured = new Map<string, MeasuredHeight>();
  readonly #userStats: HeightStats = { sum: 64, count: 1 };
  readonly #otherStats: HeightStats = { sum: 240, count: 1 };

  get(message: ChatMessage): number {
    return (this.#measured.get(message.id)?.height ?? this.#estimate(message)) + GAP_PX;
  }

  set(message: ChatMessage, at: number, height: number): void {
    const before = this.#measured.get(message.id)?.height;
    if (before === height) return;
    const stats = this.#statsOf(message);
    stats.sum += height - (before ?? 0);
    if (before === undefined) stats.count++;
    this.#measured.set(message.id, { height, at });
  }

  /**
   * Total height of the messages from `from` (inclusive) to `to` (exclusive). Of thousands of messages nearly all are estimates:
   * these are counted, and only the measured ones are looked up.
   */
  sum(messages: readonly ChatMessage[], from: number, to: number): number {
    let userCount = 0;
    for (let index = from; index < to; index++) if (messages[index]?.role === 'user') userCount++;
    const otherCount = to - from - userCount;
    let sum = userCount * meanOf(this.#userStats) + otherCount * meanOf(this.#otherStats) + (to - from) * GAP_PX;
    this.#updateIndexes(messages);
    for (const { height, at } of this.#measured.values()) {
      const message = at >= from && at < to ? messages[at] : undefined;
      if (message) sum += height - this.#estimate(message);
    }
    return sum;
  }

  /** Removes entries of deleted messages once more entries than twice the number of messages are cached. */
  prune(messages: readonly ChatMessage[]): void {
    if (this.#measured.size <= 2 * messages.length) return;
    const ids = new Set(messages.map(({ id }) => id));
    for (const id of this.#measured.keys()) if (!ids.has(id)) this.#measured.delete(id);
  }

  /** Updates the indexes of the measured messages: messages may have been added before them or removed. */
  #updateIndexes(messages: readonly ChatMessage[]): void {
    let indexes: ReadonlyMap<string, number> | undefined;
    for (const [id, entry] of this.#measured) {
      if (messages[entry.at]?.id === id) continue;
      indexes ??= new Map(messages.map((message, index) => [message.id, index]));
      const index = indexes.get(id);
      if (index === undefined) this.#measured.delete(id);
      else entry.at = index;
    }
  }

  #estimate(message: ChatMessage): number {
    return meanOf(this.#statsOf(message));
  }

  #statsOf({ role }: ChatMessage): HeightStats {
    return role === 'user' ? this.#userStats : this.#otherStats;
  }
}

const meanOf = ({ sum, count }: HeightStats): number => sum / count;
