/** Parsing of untrusted JSON, before a schema checks it. */

/** Maximum nesting. Deeper data would overflow the stack of parsers and renderers. */
const MAX_NESTING = 256;

/** Whether brackets are nested deeper than the limit. Scans the text, before building objects costs anything. */
export function isTooDeep(text: string): boolean {
  if (text.length < 2 * MAX_NESTING) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_NESTING) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return false;
}
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Parses JSON; returns undefined if the text is invalid or nested too deeply. */
export const parseJson = (text: string): unknown => parse(text);

function parse(text: string, reviver?: (this: object, name: string, value: unknown) => unknown): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text, reviver) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Parses the JSON of a server. Python writes missing numbers, such as that of an empty cell, as `NaN` or `Infinity`. Numbers
 * that JavaScript rounds are remembered for `exactJson`.
 */
export function parseServerJson(text: string): unknown {
  const reviver = MAY_BE_ROUNDED.test(text) ? remember : undefined;
  const value = parse(text, reviver);
  if (value !== undefined) return value;
  const strict = text.replace(STRING_OR_NAN, (part) => (part.startsWith('"') ? part : 'null'));
  return parse(strict, reviver) ?? undefined;
}

const STRING_OR_NAN = /"(?:\\[\s\S]?|[^"\\])*"?|-?\b(?:NaN|Infinity)\b/g;

/** A number with more digits, or a larger exponent, than each number of JavaScript can have. */
const MAY_BE_ROUNDED = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

/** The numbers of objects and lists that JavaScript has rounded, as the server has sent them. */
export const exactNumbers = new WeakMap<object, Map<string, string>>();

/** Older browsers do not say what a value was parsed from. Nothing is remembered there. */
function remember(this: object, name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (
    typeof value === 'number' &&
    source !== undefined &&
    String(value) !== source &&
    MAY_BE_ROUNDED.test(` ${source}`)
  ) {
    exactNumbers.set(this, (exactNumbers.get(this) ?? new Map<string, string>()).set(name, source));
  }
  return value;
}

/** Whether a value is an object, but neither an array nor null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
