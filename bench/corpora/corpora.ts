/** The answers by the names that suites and pages use. */
import { giantCode, giantList, giantParagraph, giantTable } from './giants.ts';
import { mixed } from './mixed.ts';
import { cjk, emoji, math, nested } from './shapes.ts';

const KB = 1024;

export const corpora = {
  'mixed 1 KB': () => mixed(KB),
  'mixed 10 KB': () => mixed(10 * KB),
  'mixed 11 KB': () => mixed(11 * KB),
  'mixed 100 KB': () => mixed(100 * KB),
  'mixed 500 KB': () => mixed(500 * KB),
  'code 40 KB': () => giantCode(40 * KB),
  'code 200 KB': () => giantCode(200 * KB),
  'paragraph 20 KB': () => giantParagraph(20 * KB),
  'paragraph 100 KB': () => giantParagraph(100 * KB),
  'table 400 rows': () => giantTable(400),
  'table 2,000 rows': () => giantTable(2000),
  'list 1,000 items': () => giantList(1000),
  'list 5,000 items': () => giantList(5000),
  'CJK 50 KB': () => cjk(50 * KB),
  'emoji 50 KB': () => emoji(50 * KB),
  'math 50 KB': () => math(50 * KB),
  'nested 50 KB': () => nested(50 * KB),
} as const satisfies Readonly<Record<string, () => string>>;

export type CorpusName = keyof typeof corpora;

/** Kilobytes as in the tables: 1,024 UTF-16 code units. */
export const kilobytes = (text: string): number => text.length / KB;
