/** What is remembered about questions that are not in the reply any more, at most. */
const MAX_FORGETTABLE = { count: 4096, length: 16 * 1024 * 1024 };

/**
 * The ids of a turn's questions, by their content. A reply that starts again, or is polled, has each of its questions under the id that it
 * had before: the user's answer may be on its way, and must not count for another one.
 */
export class QuestionIds {
  /** The least recently used content first. */
  readonly #ids = new Map<string, string[]>();
  /** Also counts the ids that were forgotten: none is given twice. */
  #given = 0;
  #length = 0;
  #count = 0;

  /**
   * The id of a question that is added to the reply: one that an equal question had before, or a new one.
   *
   * @param used - the ids in the reply
   * @param prefix - the beginning of a new id
   */
  next(content: string, used: ReadonlySet<string>, prefix: string): string {
    const known = this.#ids.get(content) ?? [];
    this.#ids.delete(content);
    this.#ids.set(content, known);
    const unused = known.find((id) => !used.has(id));
    if (unused !== undefined) return unused;
    const id = `${prefix}.${String(this.#given++)}`;
    known.push(id);
    this.#count++;
    this.#length += content.length;
    this.#forget(used, id);
    return id;
  }

  /** A server that asks something else in each response would fill the memory. */
  #forget(used: ReadonlySet<string>, newest: string): void {
    for (const [content, ids] of this.#ids) {
      if (this.#count <= MAX_FORGETTABLE.count && this.#length <= MAX_FORGETTABLE.length) return;
      if (ids.some((id) => id === newest || used.has(id))) continue;
      this.#ids.delete(content);
      this.#count -= ids.length;
      this.#length -= ids.length * content.length;
    }
  }
}
