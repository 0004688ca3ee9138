/**
 * Interpolates strings with `${…}`: pointers, and calls with named arguments. Source: A2UI basic catalog,
 * `formatString`.
 */

/** Callbacks that resolve the pointers and calls of an expression. */
export interface TemplateHost {
  at(path: string): unknown;
  call(name: string, args: Readonly<Record<string, unknown>>): unknown;
  toText(value: unknown): string;
}

/** Maximum nesting of calls in the arguments of calls. */
const MAX_DEPTH = 4;
/** Interpolation stops when the result is longer than this (characters). */
const MAX_SHOWN = 20_000;

export function interpolate(text: string, host: TemplateHost): string {
  let output = '';
  let at = 0;
  while (output.length < MAX_SHOWN) {
    const start = text.indexOf('${', at);
    if (start < 0) return output + text.slice(at);
    if (text[start - 1] === '\\') {
      output += `${text.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    const parser = { text, at: start, host };
    const value = braced(parser, 0);
    // Text that is not a valid expression is kept as it is.
    output += text.slice(at, start) + (parser.at < 0 ? '${' : host.toText(value));
    at = parser.at < 0 ? start + 2 : parser.at;
  }
  return output;
}

interface Parser {
  readonly text: string;
  /** Current offset; -1 after a syntax error. */
  at: number;
  readonly host: TemplateHost;
}

/** Matches the pattern at the current offset and advances past the match. */
function take(parser: Parser, pattern: RegExp): RegExpExecArray | undefined {
  if (parser.at < 0) return undefined;
  pattern.lastIndex = parser.at;
  const match = pattern.exec(parser.text) ?? undefined;
  if (match) parser.at = pattern.lastIndex;
  return match;
}

function braced(parser: Parser, depth: number): unknown {
  take(parser, /\$\{\s*/y);
  const value = expression(parser, depth);
  if (!take(parser, /\s*\}/y)) parser.at = -1;
  return value;
}

function expression(parser: Parser, depth: number): unknown {
  if (parser.text.startsWith('${', parser.at)) {
    if (depth < MAX_DEPTH) return braced(parser, depth + 1);
    parser.at = -1;
    return undefined;
  }
  const quoted = take(parser, /'([^']*)'|"([^"]*)"/y);
  if (quoted) return quoted[1] ?? quoted[2];
  const literal = take(parser, /(?:true|false|-?\d+(?:\.\d+)?)(?=[\s,)}])/y)?.[0];
  if (literal !== undefined) return JSON.parse(literal) as unknown;
  const name = take(parser, /(@?\w+)\(\s*/y)?.[1];
  if (name !== undefined) return call(parser, name, depth);
  const path = take(parser, /[^\s,(){}'"]+/y)?.[0];
  if (path === undefined) parser.at = -1;
  return path === undefined ? undefined : parser.host.at(path);
}

function call(parser: Parser, name: string, depth: number): unknown {
  const args = new Map<string, unknown>();
  let key: string | undefined;
  while ((key = take(parser, /(\w+)\s*:\s*/y)?.[1]) !== undefined) {
    args.set(key, depth < MAX_DEPTH ? expression(parser, depth + 1) : undefined);
    if (!take(parser, /\s*,\s*/y)) break;
  }
  if (!take(parser, /\s*\)/y)) parser.at = -1;
  return parser.at < 0 ? undefined : parser.host.call(name, Object.fromEntries(args));
}
