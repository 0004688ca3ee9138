/**
 * Citations pass through the parser as markers in the text: two Unicode noncharacters, which are reserved for internal
 * use, with the citation's number between them.
 */
const OPEN = '\ufdd0';
const CLOSE = '\ufdd1';
const MARK = /\ufdd0(\d+)\ufdd1/g;
const STRAY = /[\ufdd0\ufdd1]/g;

/** A citation marker: its offset in UTF-16 code units, and its number. */
interface MarkerPosition {
  readonly end: number;
  readonly number: number;
}

/** A growing text with citation markers. As long as the markers stay the same, only new text is processed. */
export class CitationText {
  #text = '';
  #positions: readonly MarkerPosition[] = [];
  #marked = '';

  update(text: string, positions: readonly MarkerPosition[]): string {
    const { length } = this.#text;
    const isSame = ({ end, number }: MarkerPosition, index: number): boolean =>
      end <= length && end === this.#positions[index]?.end && number === this.#positions[index].number;
    const isContinuation =
      positions.length === this.#positions.length && positions.every(isSame) && text.startsWith(this.#text);
    this.#marked = isContinuation ? this.#marked + text.slice(length).replace(STRAY, '') : withMarks(text, positions);
    this.#text = text;
    this.#positions = positions;
    return this.#marked;
  }
}

/** Inserts a marker after each offset. */
function withMarks(text: string, positions: readonly MarkerPosition[]): string {
  const sorted = [...positions].sort((left, right) => left.end - right.end);
  let marked = '';
  let from = 0;
  for (const { end, number } of sorted) {
    const to = Math.min(Math.max(end, from), text.length);
    marked += text.slice(from, to).replace(STRAY, '') + OPEN + String(number) + CLOSE;
    from = to;
  }
  return marked + text.slice(from).replace(STRAY, '');
}

/** Splits a text into strings and citation numbers, in order. */
export function splitCitationMarkers(text: string): readonly (string | number)[] {
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

/** Removes the markers, for positions that cannot show them. */
export const stripCitationMarkers = (text: string): string => text.replace(MARK, '').replace(STRAY, '');
