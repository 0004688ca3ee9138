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
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Parses the JSON of a server. Python writes missing numbers, such as that of an empty cell, as `NaN` or `Infinity`. */
export function parseServerJson(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  return parseJson(text.replace(STRING_OR_NAN, (part) => (part.startsWith('"') ? part : 'null'))) ?? undefined;
}

const STRING_OR_NAN = /"(?:\\[\s\S]?|[^"\\])*"?|-?\b(?:NaN|Infinity)\b/g;

/** Whether a value is an object, but neither an array nor null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
