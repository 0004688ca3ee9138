/**
 * A text that is only ever added to. Who has read it up to a place gets what has come since without a look at what was before:
 * to compare it, or to cut the end off it, would cost the length of the whole each time.
 */
export class AppendedText {
  #whole: string;
  #fresh = '';

  constructor(text = '') {
    this.#whole = text;
  }

  get whole(): string {
    return this.#whole;
  }

  get length(): number {
    return this.#whole.length;
  }

  append(more: string): void {
    this.#whole += more;
    this.#fresh += more;
  }

  /** What stands behind a place. */
  from(place: number): string {
    const fresh = this.#fresh;
    this.#fresh = '';
    return place === this.length - fresh.length ? fresh : this.#whole.slice(place);
  }
}
