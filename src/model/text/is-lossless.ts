const STRING = /"(?:\\[\s\S]|[^"\\])*"/g;
const NUMBER = /-?\d[\d.e+-]*/gi;
const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/**
 * Whether a JSON text contains no more than its parsed value. Parsing rounds numbers, and keeps the last of equal names;
 * another parser may keep the first.
 */
export function isLossless(text: string, value: unknown): boolean {
  const bare = text.replace(STRING, '');
  // Outside of strings, a colon follows each name and nothing else.
  return bare.split(':').length - 1 === countNames(value) && !hasRoundedNumber(text);
}

/** Whether a JSON text contains a number that parsing rounds. */
export const hasRoundedNumber = (json: string): boolean =>
  !(json.replace(STRING, '').match(NUMBER) ?? []).every(isExactNumber);

/** Whether a number is parsed to the one that is written, in any spelling. */
const isExactNumber = (written: string): boolean => decimalOf(written) === decimalOf(String(Number(written)));

/** The digits of a number without zeros at both ends, and its exponent. Infinity has none. */
function decimalOf(text: string): string {
  const [, integer, fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (integer === undefined) return text;
  const all = integer + fraction;
  let end = all.length;
  while (all[end - 1] === '0') end--;
  const digits = all.slice(0, end).replace(/^0+/, '');
  return digits && `${digits}e${String(Number(exponent) - fraction.length + all.length - end)}`;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Object.values(value);
  return items.reduce((count: number, item) => count + countNames(item), Array.isArray(value) ? 0 : items.length);
}
