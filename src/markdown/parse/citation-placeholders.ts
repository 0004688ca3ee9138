/**
 * Citations with a known offset pass through the parser as placeholders in the text: two Unicode noncharacters, which are reserved for
 * internal use, with the citation's number between them. Marks such as `[1]`, which the model itself writes, are found after parsing, in
 * `renderers/text/find-citation-marks.ts`.
 */
const OPEN = '\ufdd0';
const CLOSE = '\ufdd1';
const PLACEHOLDER = /\ufdd0(\d+)\ufdd1/g;
const STRAY = /[\ufdd0\ufdd1]/g;

/** A placeholder: its offset in UTF-16 code units, and its number. */
interface PlaceholderPosition {
  readonly end: number;
  readonly number: number;
}

/** A growing text with placeholders. As long as they stay the same, only new text is processed. */
export class CitationText {
  #text = '';
  #positions: readonly PlaceholderPosition[] = [];
  #withPlaceholders = '';

  update(text: string, positions: readonly PlaceholderPosition[]): string {
    const { length } = this.#text;
    const isSame = ({ end, number }: PlaceholderPosition, index: number): boolean =>
      end <= length && end === this.#positions[index]?.end && number === this.#positions[index].number;
    const isContinuation =
      positions.length === this.#positions.length && positions.every(isSame) && text.startsWith(this.#text);
    this.#withPlaceholders = isContinuation
      ? this.#withPlaceholders + text.slice(length).replace(STRAY, '')
      : insertPlaceholders(text, positions);
    this.#text = text;
    this.#positions = positions;
    return this.#withPlaceholders;
  }
}

/** Inserts a placeholder after each offset. */
function insertPlaceholders(text: string, positions: readonly PlaceholderPosition[]): string {
  const sorted = [...positions].sort((left, right) => left.end - right.end);
  let result = '';
  let from = 0;
  for (const { end, number } of sorted) {
    const to = Math.min(Math.max(end, from), text.length);
    result += text.slice(from, to).replace(STRAY, '') + OPEN + String(number) + CLOSE;
    from = to;
  }
  return result + text.slice(from).replace(STRAY, '');
}

/** Splits a text into strings and citation numbers, in order. */
export function splitCitationPlaceholders(text: string): readonly (string | number)[] {
  if (!text.includes(OPEN)) return [text];
  const pieces: (string | number)[] = [];
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push(Number(match[1]));
    from = match.index + match[0].length;
  }
  const rest = text.slice(from).replace(STRAY, '');
  return rest ? [...pieces, rest] : pieces;
}

/** Removes the placeholders, for positions that cannot show citations. */
export const stripCitationPlaceholders = (text: string): string => text.replace(PLACEHOLDER, '').replace(STRAY, '');
