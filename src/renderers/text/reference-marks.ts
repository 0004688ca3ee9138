/**
 * References to sources that a model writes into its text: `[1]`, `[1, 2]`, `[^1^]`, `[citation:1]`, `[ref_1]`, `[doc1]`,
 * `【1†source】`. They count only if the server sends its sources without positions; see `docs/guides/markdown.md`.
 */
const REFERENCE =
  /\[(?:citation:\s?|ref_?|doc|\^)?(\d{1,3}(?:, ?\d{1,3}){0,9})\^?\]|【(?:\d{1,3}:)?(\d{1,3})(?:†[^【】\n]{0,80})?】/g;
/** Maximum number of parts of one text: each mark is a button. Further references stay text. */
const MAX_PIECES = 128;
/** A suffix that may become a reference. */
const INCOMPLETE = /(?:\[[^[\]\n]{0,20}\]?|【[^【】\n]{0,90}】?)$/;
const LONGEST = 93;
/** Number of adjacent references that are buffered. */
const MAX_HELD = 8;

/**
 * Splits a text into strings and numbers of sources. `sources`: the sources that the numbers refer to. `missing`
 * receives the numbers without a source.
 */
export function splitReferences(
  text: string,
  sources: readonly number[],
  missing: (number: number) => void,
): readonly (string | number)[] {
  if (!/[[【]/.test(text)) return [text];
  const pieces: (string | number)[] = [];
  let from = 0;
  for (const { 0: raw, 1: list, 2: single, index } of text.matchAll(REFERENCE)) {
    if (pieces.length >= MAX_PIECES) break;
    const numbers = (list ?? single ?? '').split(',').map(Number);
    const found = numbers.flatMap((number) => sources[number - 1] ?? []);
    if (found.length < numbers.length) missing(Math.max(...numbers));
    else {
      pieces.push(text.slice(from, index), ...found);
      from = index + raw.length;
    }
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '');
}

/**
 * Returns a streaming text without a suffix that may become a reference, which would otherwise be visible as text
 * first.
 */
export function withoutIncompleteReference(text: string): string {
  let visible = text;
  for (let held = 0; held < MAX_HELD; held++) {
    const match = INCOMPLETE.exec(visible.slice(-LONGEST));
    if (!match) break;
    visible = visible.slice(0, visible.length - match[0].length);
  }
  return visible;
}
