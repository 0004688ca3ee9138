/** Deeper arguments are compared as they are spelled. */
const MAX_DEPTH = 64;

/**
 * Arguments in the one spelling that all equal ones share: names in order, no blanks. What is no JSON stays as it is. Two that
 * read alike and are spelled otherwise are one question; any other difference is another.
 */
export function canonicalArguments(params: string): string {
  try {
    return JSON.stringify(inOrder(JSON.parse(params), 0));
  } catch {
    return params;
  }
}

function inOrder(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('The arguments are too deep.');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inOrder(item, depth + 1));
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  // A list of pairs, since an object puts names that are numbers first, and loses `__proto__`.
  return { pairs: entries.map(([name, item]) => [name, inOrder(item, depth + 1)]) };
}
