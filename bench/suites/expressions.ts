/** Every regular expression of `src/` against long repetitions of its own parts: does its time grow faster than the text? */
import { readdirSync, readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { show } from '../harness/figures.ts';
import type { Suite } from '../harness/suite.ts';

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

interface Attack {
  readonly part: string;
  /** Milliseconds at each of the sizes. */
  readonly times: readonly number[];
}

const SIZES = [1024, 10_240, 102_400];
/** A time that grows with the square is a hundred times as long for ten times the text. */
const GROWTH = 30;
/** Below it the clock and the garbage collector have more to say than the expression. */
const SHORTEST_MS = 5;
const PATIENCE_MS = 5000;

export const expressions: Suite = {
  name: 'expressions',
  entries: () => [],
  run() {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/${name}`)
      .toSorted();
    const found = files.map((file) => expressionsIn(file, readFileSync(file, 'utf8')));
    const all = found.flatMap(({ expressions }) => expressions);
    const built = found.flatMap(({ built }) => built);
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
          rows: slow.map(({ expression: { place, source }, worst: { part, times } }) => [
            `${place} \`${source.replaceAll('|', '\\|')}\``,
            JSON.stringify(part),
            ...times.map(show),
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

/** Literals, and `new RegExp` of constant text. `built`: where one is put together from other parts. */
function expressionsIn(
  file: string,
  text: string,
): { readonly expressions: readonly Expression[]; readonly built: readonly string[] } {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const expressions: Expression[] = [];
  const built: string[] = [];
  const visit = (node: ts.Node): void => {
    const place = `${file}:${String(tree.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      expressions.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      if (source && ts.isStringLiteralLike(source) && (!flags || ts.isStringLiteralLike(flags)))
        expressions.push({ place, source: source.text, flags: flags?.text ?? '' });
      else if (!source || !ts.isRegularExpressionLiteral(source)) built.push(place);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { expressions, built };
}

/** Strings that the expression is likely to match in part: its own words and signs, and what its classes stand for. */
function partsOf(source: string): readonly string[] {
  const plain = source
    .replace(/\\[pP]\{\w+\}|\\u\{?[\da-fA-F]+\}?|\\[bBdDwWsSkp]|\(\?<?[:=!]?/g, ' ')
    .replaceAll('\\', '');
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const signs = plain.match(/[^\p{L}\p{N}\s]/gu) ?? [];
  const single = [...new Set([' ', '\n', 'a', '0', '-', ...signs])].slice(0, 24);
  const pairs = single.slice(0, 10).flatMap((left) => single.slice(0, 10).map((right) => left + right));
  return [...new Set([...single, ...words.slice(0, 12), ...words.slice(0, 4).map((word) => `${word} `), ...pairs])];
}

/** The attack with the longest time, where that grows faster than the text. */
function attack({ source, flags }: Expression): Attack | undefined {
  const expression = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
  const over = (part: string, times: number): Attack => ({
    part,
    times: SIZES.map((size) => shortest(expression, textOf(part, size), times)),
  });
  const found = partsOf(source)
    .map((part) => over(part, 1))
    .filter(grows)
    // Once more where it may have been the machine that was busy.
    .map(({ part }) => over(part, 5))
    .filter(grows);
  return found.toSorted((left, right) => (right.times.at(-1) ?? 0) - (left.times.at(-1) ?? 0))[0];
}

const grows = ({ times: [, middle = 0, long = 0] }: Attack): boolean =>
  long >= PATIENCE_MS || (long >= SHORTEST_MS && long > GROWTH * Math.max(middle, 0.05));

const shortest = (expression: RegExp, text: string, times: number): number =>
  Math.min(...Array.from({ length: times }, () => time(expression, text)));

/** At its end something that no expression expects, so that a match that had begun fails. */
const textOf = (part: string, size: number): string => `${part.repeat(Math.ceil(size / part.length))}\u0001!`;

const place = createContext({ expression: /x/, text: '' });
const script = new Script("expression.lastIndex = 0; text.replace(expression, '')");

/** CPU time, because on a busy machine a process waits longer for its turn than most of these take. */
function time(expression: RegExp, text: string): number {
  Object.assign(place, { expression, text });
  const start = process.cpuUsage();
  try {
    script.runInContext(place, { timeout: PATIENCE_MS });
  } catch {
    // It took longer than anybody waits.
    return PATIENCE_MS;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
