import type { BlockDraft } from '../conversation/block-list.ts';

/** A position in a reply: `next()` continues from here after `returnTo()`. */
export interface IdPosition {
  readonly count: number;
  readonly asked: ReadonlyMap<string, number>;
}

/**
 * The ids of the blocks of a turn. They are numbered, so that a reply that is read again gets the same ids and the page keeps its
 * DOM nodes. A question has the id of its content instead, wherever it is in the reply: the user's answer to it may be on its way,
 * and must not count for another one.
 */
export class BlockIds {
  readonly #prefix: string;
  #count = 0;
  /** How often each question has come up to here. */
  #asked = new Map<string, number>();
  /** The ids of all questions, by their content and its repetition. */
  readonly #questions = new Map<string, string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get position(): IdPosition {
    return { count: this.#count, asked: new Map(this.#asked) };
  }

  returnTo({ count, asked }: IdPosition): void {
    this.#count = count;
    this.#asked = new Map(asked);
  }

  /** @param draft - the block that gets the id, if it is a block */
  next(draft?: BlockDraft): string {
    const id = `${this.#prefix}.${String(++this.#count)}`;
    if (draft?.type !== 'action') return id;
    const content = JSON.stringify(draft);
    const repetition = (this.#asked.get(content) ?? 0) + 1;
    this.#asked.set(content, repetition);
    const key = `${String(repetition)} ${content}`;
    const known = this.#questions.get(key) ?? `${this.#prefix}.q${String(this.#questions.size)}`;
    this.#questions.set(key, known);
    return known;
  }
}
