/**
 * What a text costs to parse and render: by its marks, lines and images, which become elements. Ordinary text has one mark per ten
 * to thirty characters.
 */
const MARKS = /\n\n {4}|!\[|```|~~~|<|[*_`[\]|&~\\\n$\r\0\ufffd]|\p{M}|https?:|@/gu;
/** Cost of expensive syntax: an image needs a dozen elements. */
const COSTS: Readonly<Record<string, number>> = {
  '![': 24,
  '<': 6,
  '\n': 3,
  // Perhaps code, by its indentation.
  '\n\n    ': 24,
  // A link and the check of its text.
  '@': 16,
  'http:': 10,
  'https:': 10,
  '```': 24,
  '~~~': 24,
  // Shown in another font, which divides a word for the browser.
  '\0': 12,
  '\ufffd': 12,
};

/**
 * Returns the length of the part of a text up to the mark with which its markup becomes more expensive than `cost`, but of at least
 * `least` characters.
 */
export function lengthWithinCost(text: string, cost: number, least = 0): number {
  let sum = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    sum += COSTS[mark] ?? 1;
    if (sum > cost && index >= least) return index;
  }
  return text.length;
}
