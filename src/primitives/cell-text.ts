/** Parses the text of table cells. */

/** Longer character sequences without a space are URLs or keys rather than words, and may break. */
const LONG_WORD =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{41}/u;

/** Whether a cell has a word that does not fit into a line of a narrow page. */
export const hasLongWord = (text: string): boolean => text.length > 40 && LONG_WORD.test(text);

/** Number formats, and their group separators. `007` is a name; `1,310` has a group separator rather than three decimals. */
const WRITTEN: readonly (readonly [shape: RegExp, groups: RegExp])[] = [
  [/^[-+]?\d{1,3}(?:[,'’\s]\d{3})+(?:\.\d+)?$/, /[,'’\s]/g],
  [/^[-+]?\d{1,3}(?:(?:[.\s]\d{3})+,\d+|(?:\.\d{3}){2,})$/, /[.\s]/g],
  [/^[-+]?(?:0|[1-9]\d*)(?:[.,]\d+)?$/, /\s/g],
];

/** Parses the number in a cell, with or without currency or percent sign; undefined if it is not a number. */
export function parseCellNumber(cell: unknown): number | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string') return undefined;
  const bare = cell
    .trim()
    .replace('−', '-')
    .replace(/^([-+]?)\p{Sc}\s?/u, '$1')
    .replace(/\s?[%\p{Sc}]$/u, '');
  const [, groups] = WRITTEN.find(([shape]) => shape.test(bare)) ?? [];
  return groups && Number(bare.replace(groups, '').replace(',', '.'));
}
