/**
 * Finds the citation marks that a model writes into its text: `[1]`, `[1, 2]`, `[^1^]`, `[citation:1]`, `[ref_1]`, `[doc1]`,
 * `【1†source】`. They count only if the server sends its sources without positions; see `docs/guides/markdown.md`.
 */
const MARK =
  /\[(?:citation:\s?|ref_?|doc|\^)?(\d{1,3}(?:, ?\d{1,3}){0,9})\^?\]|【(?:\d{1,3}:)?(\d{1,3})(?:†[^【】\n]{0,80})?】/g;
/** Maximum number of parts of one text: each mark is a button. Further marks stay text. */
const MAX_PARTS = 128;
/** A suffix that may become a mark. */
const INCOMPLETE = /(?:\[[^[\]\n]{0,20}\]?|【[^【】\n]{0,90}】?)$/;
/** Maximum length of such a suffix (characters). */
const MAX_SUFFIX = 93;
/** Maximum number of adjacent marks at the end of a text that are held back. */
const MAX_BUFFERED = 8;

/**
 * Splits a text into strings and numbers of sources. `sources`: the sources that the numbers refer to. `missing`
 * receives the numbers without a source.
 */
export function splitCitationMarks(
  text: string,
  sources: readonly number[],
  missing: (number: number) => void,
): readonly (string | number)[] {
  if (!/[[【]/.test(text)) return [text];
  const parts: (string | number)[] = [];
  let from = 0;
  for (const { 0: raw, 1: list, 2: single, index } of text.matchAll(MARK)) {
    if (parts.length >= MAX_PARTS) break;
    const numbers = (list ?? single ?? '').split(',').map(Number);
    const sourceNumbers = numbers.flatMap((number) => sources[number - 1] ?? []);
    if (sourceNumbers.length < numbers.length) missing(Math.max(...numbers));
    else {
      parts.push(text.slice(from, index), ...sourceNumbers);
      from = index + raw.length;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

/**
 * Returns a streaming text without a suffix that may become a mark, which would otherwise be visible as text
 * first.
 */
export function withoutIncompleteMark(text: string): string {
  let visible = text;
  for (let buffered = 0; buffered < MAX_BUFFERED; buffered++) {
    const match = INCOMPLETE.exec(visible.slice(-MAX_SUFFIX));
    if (!match) break;
    visible = visible.slice(0, visible.length - match[0].length);
  }
  return visible;
}
