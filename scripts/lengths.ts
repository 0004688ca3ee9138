/** Prints the length of source files and functions in lines: median, 95th percentile and maximum. */
import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';

const files = (await readdir('src', { recursive: true })).filter((file) => /\.tsx?$/.test(file));
const ofFiles: Length[] = [];
const ofFunctions: Length[] = [];

interface Length {
  readonly name: string;
  readonly lines: number;
}

for (const file of files) {
  const text = await readFile(`src/${file}`, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  ofFiles.push({ name: file, lines: text.trimEnd().split('\n').length });
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      ofFunctions.push({ name: `${file}:${String(lineOf(node.getStart(source)) + 1)}`, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function printLengths(what: string, lengths: readonly Length[]): void {
  const sorted = [...lengths].sort((left, right) => left.lines - right.lines);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.lines ?? 0;
  const longest = sorted.at(-1);
  console.log(
    `${what}: ${String(sorted.length)}, median ${String(at(0.5))} lines, 95th percentile ${String(at(0.95))}, ` +
      `longest ${String(longest?.lines ?? 0)} (${longest?.name ?? ''})`,
  );
}

printLengths('files', ofFiles);
printLengths('functions', ofFunctions);
