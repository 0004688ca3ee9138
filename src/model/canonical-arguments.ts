/** Deeper arguments are compared as text. */
const MAX_DEPTH = 64;

/** Numbers that are rounded when they are parsed: two of them may only look equal then. */
const LONG_NUMBERS = /\d{16,}|e[+-]?\d{3,}/gi;

/**
 * Returns arguments in a canonical spelling: sorted names, no whitespace. Text that is not JSON stays unchanged.
 * Arguments that differ only in spelling count as the same question, all others as a new one.
 */
export function canonicalArguments(params: string): string {
  try {
    const value: unknown = JSON.parse(params);
    // Of two equal names, parsing keeps the last; another parser may keep the first.
    if (countNames(params) !== countNames(JSON.stringify(value))) return params;
    return JSON.stringify(sortNames(value, 0)) + String(params.match(LONG_NUMBERS) ?? '');
  } catch {
    return params;
  }
}

const countNames = (json: string): number => json.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length;

function sortNames(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => sortNames(item, depth + 1));
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  // A list of pairs, because objects move numeric names to the front and lose `__proto__`.
  return { pairs: entries.map(([name, item]) => [name, sortNames(item, depth + 1)]) };
}
