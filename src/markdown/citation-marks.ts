/**
 * Citations ride through the parser as marks in the text: two characters that no text of the world holds (Unicode keeps them
 * for use inside programs), with the citation's number between them.
 */
const OPEN = '\ufdd0';
const CLOSE = '\ufdd1';
const MARK = /\ufdd0(\d+)\ufdd1/g;
const STRAY = /[\ufdd0\ufdd1]/g;

/** A mark: its offset in UTF-16 code units, and the number it shows. */
interface Place {
  readonly end: number;
  readonly number: number;
}

/** A text that grows, with its marks. As long as those stay the same, only what is new is looked through. */
export class MarkedText {
  #text = '';
  #places: readonly Place[] = [];
  #marked = '';

  update(text: string, places: readonly Place[]): string {
    const { length } = this.#text;
    const isSame = ({ end, number }: Place, index: number): boolean =>
      end <= length && end === this.#places[index]?.end && number === this.#places[index].number;
    const goesOn = places.length === this.#places.length && places.every(isSame) && text.startsWith(this.#text);
    this.#marked = goesOn ? this.#marked + text.slice(length).replace(STRAY, '') : withMarks(text, places);
    this.#text = text;
    this.#places = places;
    return this.#marked;
  }
}

/** The text with a mark behind each place. */
function withMarks(text: string, places: readonly Place[]): string {
  if (places.length === 0) return text.replace(STRAY, '');
  const sorted = [...places].sort((left, right) => left.end - right.end);
  let marked = '';
  let from = 0;
  for (const { end, number } of sorted) {
    const to = Math.min(Math.max(end, from), text.length);
    marked += text.slice(from, to).replace(STRAY, '') + OPEN + String(number) + CLOSE;
    from = to;
  }
  return marked + text.slice(from).replace(STRAY, '');
}

/** Words and numbers in their order. */
export function splitMarks(text: string): readonly (string | number)[] {
  if (!text.includes(OPEN)) return [text];
  const pieces: (string | number)[] = [];
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push(Number(match[1]));
    from = match.index + match[0].length;
  }
  const rest = text.slice(from).replace(STRAY, '');
  return rest ? [...pieces, rest] : pieces;
}

/** The text without its marks, for places where none can be shown. */
export const withoutMarks = (text: string): string => text.replace(MARK, '').replace(STRAY, '');
