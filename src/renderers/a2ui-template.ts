/** Texts with `${…}` in them: pointers, and calls with named arguments. Source: A2UI's basic catalog, `formatString`. */

/** What an expression may ask for. */
export interface TemplateHost {
  at(path: string): unknown;
  call(name: string, given: Readonly<Record<string, unknown>>): unknown;
  words(value: unknown): string;
}

/** Calls in the arguments of calls. */
const MAX_DEPTH = 4;
/** What has grown longer is not gone on with. */
const MAX_SHOWN = 20_000;

export function interpolate(text: string, host: TemplateHost): string {
  let shown = '';
  let at = 0;
  while (shown.length < MAX_SHOWN) {
    const start = text.indexOf('${', at);
    if (start < 0) return shown + text.slice(at);
    if (text[start - 1] === '\\') {
      shown += `${text.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    const reader = { text, at: start, host };
    const value = braced(reader, 0);
    // What is no expression stands as it is.
    shown += text.slice(at, start) + (reader.at < 0 ? '${' : host.words(value));
    at = reader.at < 0 ? start + 2 : reader.at;
  }
  return shown;
}

interface Reader {
  readonly text: string;
  /** Where it reads; -1 when what stands there can't be read. */
  at: number;
  readonly host: TemplateHost;
}

/** What the pattern finds at the place; the reader goes on behind it. */
function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  if (reader.at < 0) return undefined;
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text) ?? undefined;
  if (found) reader.at = pattern.lastIndex;
  return found;
}

function braced(reader: Reader, depth: number): unknown {
  take(reader, /\$\{\s*/y);
  const value = expression(reader, depth);
  if (!take(reader, /\s*\}/y)) reader.at = -1;
  return value;
}

function expression(reader: Reader, depth: number): unknown {
  if (reader.text.startsWith('${', reader.at)) {
    if (depth < MAX_DEPTH) return braced(reader, depth + 1);
    reader.at = -1;
    return undefined;
  }
  const quoted = take(reader, /'([^']*)'|"([^"]*)"/y);
  if (quoted) return quoted[1] ?? quoted[2];
  const literal = take(reader, /(?:true|false|-?\d+(?:\.\d+)?)(?=[\s,)}])/y)?.[0];
  if (literal !== undefined) return JSON.parse(literal) as unknown;
  const name = take(reader, /(@?\w+)\(\s*/y)?.[1];
  if (name !== undefined) return call(reader, name, depth);
  const path = take(reader, /[^\s,(){}'"]+/y)?.[0];
  if (path === undefined) reader.at = -1;
  return path === undefined ? undefined : reader.host.at(path);
}

function call(reader: Reader, name: string, depth: number): unknown {
  const given = new Map<string, unknown>();
  let key: string | undefined;
  while ((key = take(reader, /(\w+)\s*:\s*/y)?.[1]) !== undefined) {
    given.set(key, depth < MAX_DEPTH ? expression(reader, depth + 1) : undefined);
    if (!take(reader, /\s*,\s*/y)) break;
  }
  if (!take(reader, /\s*\)/y)) reader.at = -1;
  return reader.at < 0 ? undefined : reader.host.call(name, Object.fromEntries(given));
}
