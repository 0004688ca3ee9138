/** The line of `=` or `-` that makes a heading of the text above it. */

/** A line that underlines a heading. */
const UNDERLINE = /\n {0,3}(?:=+|-+)[ \t]*(?:\n+|$)/;

export const BLANK_LINE = /\n[ \t]*\n/;

/**
 * Finds where the first such line of a paragraph ends. It is asked again for each rest of one text: positions are counted from the end
 * of the text and kept, because a paragraph may consist of thousands of apparent table headers, and each asks.
 */
export class UnderlineSearch {
  /** Distance of the paragraph's end from the end of the text. */
  #paragraphEnd = Number.POSITIVE_INFINITY;
  /** The same of the underline; undefined without one. */
  #line: number | undefined;

  /** Returns the end of the underline, with the empty lines after it; undefined without one. */
  endIn(src: string): number | undefined {
    const { length } = src;
    if (this.#paragraphEnd > length || (this.#line ?? 0) > length) {
      const blank = src.search(BLANK_LINE);
      const paragraph = blank < 0 ? src : src.slice(0, blank + 1);
      const line = UNDERLINE.exec(paragraph);
      this.#paragraphEnd = blank < 0 ? 0 : length - blank;
      this.#line = line ? length - line.index : undefined;
    }
    if (this.#line === undefined) return undefined;
    let end = src.indexOf('\n', length - this.#line + 1);
    if (end < 0) return length;
    while (src[end] === '\n') end++;
    return end;
  }
}
