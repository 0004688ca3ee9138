/**
 * Matches every regular expression of `src/` against long repetitions of its own parts: does its time grow faster than
 * the text?
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { formatNumber } from '../harness/figures.ts';
import type { Suite } from '../harness/suite.ts';

interface Expression {
  readonly location: string;
  readonly source: string;
  readonly flags: string;
}

interface Attack {
  readonly part: string;
  /** Milliseconds at each of the sizes. */
  readonly times: readonly number[];
}

const SIZES = [1024, 10_240, 102_400];
/** A quadratic time is a hundred times as long for ten times the text. */
const GROWTH = 30;
/** Shorter times depend more on the clock and the garbage collector than on the expression. */
const SHORTEST_MS = 5;
const TIMEOUT_MS = 5000;

export const expressions: Suite = {
  name: 'expressions',
  entries: () => [],
  run() {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/${name}`)
      .toSorted();
    const results = files.map((file) => expressionsIn(file, readFileSync(file, 'utf8')));
    const all = results.flatMap(({ expressions }) => expressions);
    const built = results.flatMap(({ built }) => built);
    const slow = all.flatMap((expression) => {
      const worst = attack(expression);
      return worst ? [{ expression, worst }] : [];
    });
    return Promise.resolve({
      title: 'Regular expressions',
      how: `The ${String(all.length)} regular expressions of \`src/\`, each matched against 1, 10 and 100 KB of repetitions of its own parts, in V8. The table lists those that take ${String(SHORTEST_MS)} ms or more at 100 KB, and over ${String(GROWTH)} times as long as at 10 KB. Not measured, because parts of them are known only at run time: ${built.join(', ') || 'none'}.`,
      tables: [
        {
          head: ['expression', 'part', '1 KB, ms', '10 KB, ms', '100 KB, ms'],
          rows: slow.map(({ expression: { location, source }, worst: { part, times } }) => [
            `${location} \`${source.replaceAll('|', '\\|')}\``,
            JSON.stringify(part),
            ...times.map(formatNumber),
          ]),
        },
      ],
      goals: [
        {
          goal: 10,
          wanted: 'regular expressions: time proportional to the text',
          figure: `${String(slow.length)} of ${String(all.length)} are slower`,
          met: slow.length === 0,
        },
      ],
    });
  },
};

/** Finds literals, and `new RegExp` of constant text. `built`: expressions that are composed of other parts. */
function expressionsIn(
  file: string,
  text: string,
): { readonly expressions: readonly Expression[]; readonly built: readonly string[] } {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const expressions: Expression[] = [];
  const built: string[] = [];
  const visit = (node: ts.Node): void => {
    const location = `${file}:${String(tree.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      expressions.push({ location, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      if (source && ts.isStringLiteralLike(source) && (!flags || ts.isStringLiteralLike(flags)))
        expressions.push({ location, source: source.text, flags: flags?.text ?? '' });
      else if (!source || !ts.isRegularExpressionLiteral(source)) built.push(location);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { expressions, built };
}

/** Strings that the expression probably matches in part: its own words and punctuation, and members of its classes. */
function partsOf(source: string): readonly string[] {
  const plain = source
    .replace(/\\[pP]\{\w+\}|\\u\{?[\da-fA-F]+\}?|\\[bBdDwWsSkp]|\(\?<?[:=!]?/g, ' ')
    .replaceAll('\\', '');
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const punctuation = plain.match(/[^\p{L}\p{N}\s]/gu) ?? [];
  const single = [...new Set([' ', '\n', 'a', '0', '-', ...punctuation])].slice(0, 24);
  const pairs = single.slice(0, 10).flatMap((left) => single.slice(0, 10).map((right) => left + right));
  return [...new Set([...single, ...words.slice(0, 12), ...words.slice(0, 4).map((word) => `${word} `), ...pairs])];
}

/** Returns the attack with the longest time, if that grows faster than the text. */
function attack({ source, flags }: Expression): Attack | undefined {
  const expression = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
  const over = (part: string, times: number): Attack => ({
    part,
    times: SIZES.map((size) => shortest(expression, textOf(part, size), times)),
  });
  const results = partsOf(source)
    .map((part) => over(part, 1))
    .filter(growsTooFast)
    // Measured again, because the machine may have been busy.
    .map(({ part }) => over(part, 5))
    .filter(growsTooFast);
  return results.toSorted((left, right) => (right.times.at(-1) ?? 0) - (left.times.at(-1) ?? 0))[0];
}

const growsTooFast = ({ times: [, middle = 0, long = 0] }: Attack): boolean =>
  long >= TIMEOUT_MS || (long >= SHORTEST_MS && long > GROWTH * Math.max(middle, 0.05));

const shortest = (expression: RegExp, text: string, times: number): number =>
  Math.min(...Array.from({ length: times }, () => time(expression, text)));

/** The end matches no expression, so that a started match fails. */
const textOf = (part: string, size: number): string => `${part.repeat(Math.ceil(size / part.length))}\u0001!`;

const context = createContext({ expression: /x/, text: '' });
const script = new Script("expression.lastIndex = 0; text.replace(expression, '')");

/** CPU time, because on a busy machine a process waits longer for the processor than most matches take. */
function time(expression: RegExp, text: string): number {
  Object.assign(context, { expression, text });
  const start = process.cpuUsage();
  try {
    script.runInContext(context, { timeout: TIMEOUT_MS });
  } catch {
    // The match was stopped at the time limit.
    return TIMEOUT_MS;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
