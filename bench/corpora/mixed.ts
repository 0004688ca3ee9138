/** An answer as agents write it: prose, lists, tables, code and quotes, mixed by a seeded generator. */
import { seeded, type Random } from './random.ts';
import { sentence, sentences, wordsOf } from './words.ts';

/** `length` UTF-16 code units; the last block is cut at the length. */
export function mixed(length: number, seed = 1): string {
  const random = seeded(seed);
  const parts: string[] = [];
  for (let size = 0; size < length;) {
    const text = `${random.pick(kinds)(random)}\n\n`;
    parts.push(text);
    size += text.length;
  }
  return parts.join('').slice(0, length);
}

const paragraph = (random: Random): string => sentences(random, 2, 6);
const heading = (random: Random): string =>
  `${'#'.repeat(random.integer(1, 4))} ${wordsOf(random, random.integer(2, 6))}\n\n${paragraph(random)}`;

const items = (random: Random, mark: (index: number) => string): string =>
  Array.from({ length: random.integer(3, 8) }, (_, index) => {
    const inner = random.integer(0, 4) === 0 ? `\n   - ${sentence(random)}\n   - ${sentence(random)}` : '';
    return `${mark(index)} ${sentence(random)}${inner}`;
  }).join('\n');
const bullets = (random: Random): string => items(random, () => '-');
const numbered = (random: Random): string => items(random, (index) => `${String(index + 1)}.`);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (random: Random): string => {
  const columns = random.integer(2, 5);
  const cells = (): string[] => Array.from({ length: columns }, () => wordsOf(random, random.integer(1, 3)));
  const rows = Array.from({ length: random.integer(3, 10) }, () => row(cells()));
  return [row(cells()), row(Array.from({ length: columns }, () => ':--')), ...rows].join('\n');
};

const line = (random: Random): string => {
  const name = wordsOf(random, 1).toLowerCase();
  const indent = '  '.repeat(random.integer(0, 2));
  return `${indent}const ${name} = await ${name}Of(${String(random.integer(1, 99))}, '${wordsOf(random, 2)}'); // ${wordsOf(random, 3)}`;
};
const code = (random: Random): string =>
  `\`\`\`ts\n${Array.from({ length: random.integer(3, 18) }, () => line(random)).join('\n')}\n\`\`\``;

const quote = (random: Random): string => `> ${sentence(random)}\n> ${sentence(random)}`;

/** Prose is more frequent than the other blocks. */
const kinds = [paragraph, paragraph, paragraph, heading, heading, bullets, bullets, numbered, table, code, quote];
