/** Deeper arguments are compared as text. */
const MAX_DEPTH = 64;

const STRING_OR_SPACE = /("(?:\\[\s\S]|[^"\\])*")|\s+/g;

const withoutStrings = (json: string): string => json.replace(STRING_OR_SPACE, '');

/**
 * Returns arguments in a canonical spelling: sorted names, no whitespace. Parsing keeps the last of equal names and rounds
 * numbers, which the other side may not do: of a text whose names or numbers it changes, only whitespace is removed. Text
 * that is not JSON stays unchanged. Arguments that differ only in spelling count as the same question, all others as a new one.
 */
export function canonicalArguments(params: string): string {
  try {
    const parsed: unknown = JSON.parse(params);
    return withoutStrings(JSON.stringify(parsed)) === withoutStrings(params)
      ? JSON.stringify(sortNames(parsed, 0))
      : params.replace(STRING_OR_SPACE, '$1');
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
