/** The number of UTF-16 code units from one mark to the next. */
const STEP = 256;

/** The number of code points and bytes before a position in the text. */
interface Mark {
  readonly points: number;
  readonly bytes: number;
}

/**
 * Converts a server's positions in a growing text, counted in code points or in UTF-8 bytes, to UTF-16 offsets. A position inside a
 * character counts as its end, one behind the text as its length. The text is read once and not for each position: a reply may have
 * thousands of positions in a text of megabytes.
 */
export class TextPositions {
  #text = '';
  #points = 0;
  #bytes = 0;
  /** One for every `STEP` code units. */
  #marks: Mark[] = [];

  /** Number of code points. */
  get points(): number {
    return this.#points;
  }

  /** Number of UTF-8 bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reads a text. If it continues the previous text, only the rest is read. */
  update(text: string): this {
    const { length } = this.#text;
    if (text.slice(0, length) === this.#text) this.#append(text.slice(length));
    else {
      this.#text = '';
      this.#points = this.#bytes = 0;
      this.#marks = [];
      this.#append(text);
    }
    return this;
  }

  #append(more: string): void {
    for (let index = 0; index < more.length; index++) {
      if ((this.#text.length + index) % STEP === 0) this.#marks.push({ points: this.#points, bytes: this.#bytes });
      const code = more.charCodeAt(index);
      this.#points += pointsOf(code);
      this.#bytes += bytesOf(code);
    }
    this.#text += more;
  }

  /** The UTF-16 offset of a position in code points. */
  fromPoints(position: number): number {
    return this.#find(position, 'points', pointsOf);
  }

  /** The UTF-16 offset of a position in UTF-8 bytes. */
  fromBytes(position: number): number {
    return this.#find(position, 'bytes', bytesOf);
  }

  #find(position: number, unit: keyof Mark, sizeOf: (code: number) => number): number {
    let [low, high] = [0, this.#marks.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#marks[middle]?.[unit] ?? 0) <= position) low = middle;
      else high = middle;
    }
    let offset = low * STEP;
    let count = this.#marks[low]?.[unit] ?? 0;
    while (offset < this.#text.length && (count < position || isLow(this.#text.charCodeAt(offset)))) {
      count += sizeOf(this.#text.charCodeAt(offset));
      offset++;
    }
    return offset;
  }
}

/** The second half of a surrogate pair, which belongs to the character before it. */
const isLow = (code: number): boolean => code >= 0xdc_00 && code <= 0xdf_ff;
const isHigh = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff;
const pointsOf = (code: number): number => (isLow(code) ? 0 : 1);

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  if (isHigh(code)) return 4;
  return isLow(code) ? 0 : 3;
}
