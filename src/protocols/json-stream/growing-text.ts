/**
 * A chunk of at least this length that equals all text so far is the complete text. A shorter one may be a repeated
 * word.
 */
const MIN_REPEATED_LENGTH = 12;

/**
 * Text that arrives as chunks, as the complete text so far, or as both, without any indication. Emitted text is never
 * withdrawn. Source: `docs/protocols/json-stream.md`.
 */
export class IncrementalText {
  #text = '';
  #chunkCount = 0;
  /** The start of the text that no complete text has repeated yet: a reply of several messages repeats each of them. */
  #sectionStart = 0;
  /** Whether the values are chunks or the complete text so far; undefined until the values show it. */
  #mode: 'pieces' | 'whole' | undefined;
  /** The second value, if it starts with the first. The third value reveals whether that was a coincidence. */
  #buffered: string | undefined;

  get isEmpty(): boolean {
    return this.#chunkCount === 0;
  }

  /**
   * Returns the new text of a value. `ends`: the value came with an end signal, so it may repeat the complete text.
   */
  take(value: string, ends: boolean): string {
    if (value === '') return '';
    if (this.#mode === 'whole') return this.#addRest(value);
    if (this.#mode === 'pieces' || this.#chunkCount === 0) return this.#takeChunk(value, ends);
    const before = this.#buffered;
    if (before === undefined && value.length > this.#text.length && value.startsWith(this.#text)) {
      this.#buffered = value;
      return '';
    }
    this.#buffered = undefined;
    this.#mode = before !== undefined && value.startsWith(before) ? 'whole' : 'pieces';
    if (this.#mode === 'whole') return this.#addRest(value);
    return (before === undefined ? '' : this.#add(before)) + this.#takeChunk(value, ends);
  }

  /** Returns the new text of a value that may be the complete text; undefined if it is other text. */
  takeComplete(value: string): string | undefined {
    const known = this.#buffered ?? this.#text;
    const isKnown = [known, known.slice(this.#sectionStart)].some((part) => part !== '' && sameText(value, part));
    const newText = this.#text === '' ? this.#add(value) : isKnown ? '' : undefined;
    if (newText !== undefined) {
      this.#sectionStart = Math.max(this.#text.length, known.length);
      return newText;
    }
    if (!value.startsWith(known)) return undefined;
    this.#buffered = undefined;
    this.#mode = 'whole';
    return this.#addRest(value);
  }

  /** Returns the buffered text. */
  flush(): string {
    const value = this.#buffered ?? '';
    this.#buffered = undefined;
    return this.#addRest(value);
  }

  #add(chunk: string): string {
    this.#text += chunk;
    this.#chunkCount++;
    return chunk;
  }

  #addRest(value: string): string {
    return value.length > this.#text.length ? this.#add(value.slice(this.#text.length)) : '';
  }

  #takeChunk(value: string, ends: boolean): string {
    const isRepetition =
      this.#chunkCount > 1 && (ends || value.length >= MIN_REPEATED_LENGTH) && sameText(value, this.#text);
    if (isRepetition) return '';
    const isComplete = ends && this.#chunkCount > 1 && value.length > this.#text.length && value.startsWith(this.#text);
    return isComplete ? this.#addRest(value) : this.#add(value);
  }
}

/** Compares without surrounding white space. The lengths are compared first, which is faster. */
const sameText = (one: string, two: string): boolean =>
  Math.abs(one.length - two.length) < 64 && one.trim() === two.trim();
