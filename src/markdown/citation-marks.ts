/**
 * Citations ride through the parser as marks in the text: two characters that no text of the world holds (Unicode keeps them
 * for use inside programs), with the citation's number between them.
 */
const OPEN = '\ufdd0';
const CLOSE = '\ufdd1';
const MARK = /\ufdd0(\d+)\ufdd1/g;
const STRAY = /[\ufdd0\ufdd1]/g;

/** The text with a mark behind each place. `places`: offsets in UTF-16 code units, each with the number it shows. */
export function withMarks(text: string, places: readonly { readonly end: number; readonly number: number }[]): string {
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
