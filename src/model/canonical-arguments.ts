/** Deeper arguments are compared as text. */
const MAX_DEPTH = 64;

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
  return bare.split(':').length - 1 === countNames(value) && (bare.match(NUMBER) ?? []).every(isExactNumber);
}

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

/**
 * Returns arguments in a canonical spelling: sorted names, no whitespace. Text that is not JSON, or that
 * parsing changes, stays unchanged.
 * Arguments that differ only in spelling count as the same question, all others as a new one.
 */
export function canonicalArguments(params: string): string {
  try {
    const parsed: unknown = JSON.parse(params);
    return isLossless(params, parsed) ? JSON.stringify(sortNames(parsed, 0)) : params;
  } catch {
    return params;
  }
}

/** Whether two texts are the same arguments. */
export const isSameArguments = (one: string | undefined, other: string | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && canonicalArguments(one) === canonicalArguments(other));

/**
 * The same arguments are at most so many times as long in another spelling. Without a limit, each of many short chunks
 * would be compared with all before it.
 */
const MAX_RATIO = 16;

/** Appends a chunk of arguments. If both are the same complete JSON, the chunk is a repetition. */
export const appendArguments = (before: string, piece: string): string =>
  piece.startsWith('{') &&
  before.length <= MAX_RATIO * piece.length &&
  before.endsWith('}') &&
  isSameArguments(before, piece)
    ? before
    : before + piece;

function sortNames(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => sortNames(item, depth + 1));
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  // A list of pairs, because objects move numeric names to the front and lose `__proto__`.
  return { pairs: entries.map(([name, item]) => [name, sortNames(item, depth + 1)]) };
}
