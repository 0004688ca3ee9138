/**
 * An append-only string. A consumer that has read up to an offset gets the new suffix in time proportional to it:
 * comparing or slicing the complete text each time would cost its length.
 */
export class AppendOnlyText {
  #value: string;
  /** The text appended since the last `sliceFrom`. */
  #fresh = '';

  constructor(text = '') {
    this.#value = text;
  }

  get whole(): string {
    return this.#value;
  }

  get length(): number {
    return this.#value.length;
  }

  append(more: string): void {
    this.#value += more;
    this.#fresh += more;
  }

  /** Returns the text from an offset on. */
  sliceFrom(offset: number): string {
    const fresh = this.#fresh;
    this.#fresh = '';
    return offset === this.length - fresh.length ? fresh : this.#value.slice(offset);
  }
}
