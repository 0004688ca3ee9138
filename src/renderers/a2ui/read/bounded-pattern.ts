/**
 * Tests a text against a regular expression of the agent, within a limit of steps. The browser's own matcher cannot be
 * stopped, and a short pattern such as `(a+)+$` can block it for hours. Supports the syntax of typical validation
 * patterns, but neither back references nor look-behinds.
 */

/** Matches a part of a pattern: calls `next` with each possible end of a match that begins at `at`, until it returns true. */
type Matcher = (at: number, next: (end: number) => boolean) => boolean;

interface Pattern {
  readonly source: string;
  /** The offset in `source` up to which the pattern is parsed. */
  at: number;
  /** The text that is tested. */
  readonly text: string;
  steps: number;
}

class PatternLimit extends Error {}

const MAX_PATTERN = 500;
const MAX_TEXT = 2000;
const MAX_STEPS = 50_000;
/** Steps that take as long as resolving one value of a surface. */
const STEPS_PER_UNIT = 10;
/** Limits the recursion: the matcher calls itself for each repetition. */
const MAX_REPETITIONS = 1000;
const MAX_DEPTH = 20;

/**
 * Whether the pattern matches somewhere in the text; undefined if it is invalid, not supported or takes too long.
 *
 * @param work - the remaining budget of the surface (`Work`), which is reduced by the cost of this pattern
 */
export function matchesPattern(source: string, text: string, work = { left: 0 }): boolean | undefined {
  if (source.length > MAX_PATTERN || text.length > MAX_TEXT) return undefined;
  const pattern: Pattern = { source, at: 0, text, steps: 0 };
  try {
    const matcher = alternatives(pattern, 0);
    if (pattern.at < source.length) return undefined;
    for (let start = 0; start <= text.length; start++) if (matcher(start, () => true)) return true;
    return false;
  } catch {
    return undefined;
  } finally {
    work.left -= source.length + Math.ceil(pattern.steps / STEPS_PER_UNIT);
  }
}

function step(pattern: Pattern): void {
  pattern.steps += 1;
  if (pattern.steps > MAX_STEPS) throw new PatternLimit();
}

function take(pattern: Pattern, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = pattern.at;
  const match = expression.exec(pattern.source) ?? undefined;
  if (match) pattern.at = expression.lastIndex;
  return match;
}

function alternatives(pattern: Pattern, depth: number): Matcher {
  if (depth > MAX_DEPTH) throw new PatternLimit();
  const options = [sequence(pattern, depth)];
  while (take(pattern, /\|/y)) options.push(sequence(pattern, depth));
  // Each option is a step: empty ones have no character that would count.
  return (at, next) =>
    options.some((option) => {
      step(pattern);
      return option(at, next);
    });
}

function sequence(pattern: Pattern, depth: number): Matcher {
  const parts: Matcher[] = [];
  while (pattern.at < pattern.source.length && !/[|)]/.test(pattern.source[pattern.at] ?? '')) {
    parts.push(repeated(pattern, atom(pattern, depth)));
  }
  return parts.reduceRight<Matcher>(
    (rest, part) => (at, next) => part(at, (end) => rest(end, next)),
    (at, next) => next(at),
  );
}

function repeated(pattern: Pattern, part: Matcher): Matcher {
  const quantifier = take(pattern, /(?:([*+?])|\{(\d+)(,(\d*))?\})(\?)?/y);
  if (!quantifier) return part;
  const [, sign, low, comma, high, lazy] = quantifier;
  const min = sign === undefined ? Number(low) : sign === '+' ? 1 : 0;
  const max = sign === undefined ? (comma === undefined ? min : Number(high || Infinity)) : sign === '?' ? 1 : Infinity;
  if (min > MAX_REPETITIONS) throw new PatternLimit();
  const repeat = (count: number, at: number, next: (end: number) => boolean): boolean => {
    step(pattern);
    if (count > MAX_REPETITIONS) throw new PatternLimit();
    // A repetition that matched nothing ends the repetitions.
    const again = (): boolean =>
      count < max && part(at, (end) => (end > at || count < min) && repeat(count + 1, end, next));
    if (count < min) return again();
    return lazy === undefined ? again() || next(at) : next(at) || again();
  };
  return (at, next) => repeat(0, at, next);
}

function atom(pattern: Pattern, depth: number): Matcher {
  const group = take(pattern, /\((\?[:=!])?(?!\?)/y);
  if (group) return grouped(pattern, group[1], depth);
  const { text } = pattern;
  const edge = take(pattern, /[$^]|\\[bB]/y)?.[0];
  if (edge !== undefined) {
    const isWord = (at: number): boolean => /\w/.test(text[at] ?? '');
    const holds = (at: number): boolean => {
      if (edge === '^') return at === 0;
      if (edge === '$') return at === text.length;
      return (isWord(at) !== isWord(at - 1)) === (edge === '\\b');
    };
    return (at, next) => {
      step(pattern);
      return holds(at) && next(at);
    };
  }
  const one = take(
    pattern,
    /\[\^?(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|p\{\w+(?:=\w+)?\}|[^1-9ux])|[^\\()[\]{}*+?|]/y,
  );
  if (!one) throw new PatternLimit();
  // A single character: the browser's own matcher tests it in one step.
  const character = new RegExp(`^(?:${one[0]})$`, one[0].includes('\\p{') ? 'u' : '');
  return (at, next) => {
    step(pattern);
    const letter = text[at];
    return letter !== undefined && character.test(letter) && next(at + 1);
  };
}

function grouped(pattern: Pattern, kind: string | undefined, depth: number): Matcher {
  const inner = alternatives(pattern, depth + 1);
  if (!take(pattern, /\)/y)) throw new PatternLimit();
  if (kind === '?=') return (at, next) => inner(at, () => true) && next(at);
  if (kind === '?!') return (at, next) => !inner(at, () => true) && next(at);
  return inner;
}
