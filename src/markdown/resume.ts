/**
 * How a long block goes on. Of a block that still grows everything but its end is kept as it is, and only the end is parsed
 * again, behind a short head that makes it the same kind of block: so that code, a table, a list or a paragraph of any length
 * costs as much as it is long.
 */
import type { Token, Tokens } from 'marked';
import type { BlockLexer } from './lexer.ts';
import { mayDefine } from './references.ts';
import { runOf } from './runs.ts';

type Resumable = Tokens.Code | Tokens.HTML | Tokens.Table | Tokens.List | Tokens.Paragraph;

export interface Resume {
  /** The block as far as it is known. What is parsed again takes the place of what is not settled. */
  readonly kept: Resumable;
  /** How many of its items, rows or runs can no longer change. */
  readonly settled: number;
  /** What stands in front of the rest when it is parsed. */
  readonly head: string;
}

/** A block that may go on. */
export interface OpenBlock {
  /** The text from where the last pass began, without the head. */
  readonly tail: string;
  /** How it was gone on with up to now. */
  readonly resume: Resume | undefined;
  /** All of it. */
  readonly whole: Token;
  /** Its end as it was parsed, behind the head. */
  readonly end: Token;
  readonly lexer: BlockLexer;
}

/** Rows and items that are parsed again: the one that is being written, and the one before, which it may still belong to. */
const LIVE = 2;
/** Fewer rows, items or lines are not worth a cut. */
const BATCH = 2;

/** How a block is to be gone on with from now on: as up to now, when nothing more of it is certain. */
export function resumeOf(block: OpenBlock): Resume | undefined {
  const { end, lexer, resume, whole } = block;
  // An open link and a definition have a say in what follows: such a block is parsed whole.
  if (lexer.definitions.length > 0 || /<\/?a\b/i.test(end.raw)) return resume;
  switch (end.type) {
    case 'code':
      return resumeCode(block, end as Tokens.Code);
    case 'html':
      return resumeHtml(block, end as Tokens.HTML);
    case 'table':
      return resumeTable(block, end as Tokens.Table, whole as Tokens.Table);
    case 'list':
      return resumeList(block, end as Tokens.List, whole as Tokens.List);
    case 'paragraph':
      return resumeParagraph(block, end as Tokens.Paragraph, whole as Tokens.Paragraph);
    default:
      return undefined;
  }
}

/** Whether the end goes on with what was kept, or has become something else. */
export function fits({ kept, head }: Resume, end: Token): boolean {
  if (end.type !== kept.type) return false;
  if (kept.type !== 'list') return true;
  const { loose, ordered, items } = end as Tokens.List;
  // A list that becomes loose only now is another list from its first item on.
  return loose === kept.loose && ordered === kept.ordered && ownItems(items, head).length > 0;
}

/**
 * The whole block from what was kept of it and its end; undefined when that has become something else. Its parts stay in one
 * array, whose end is replaced: a copy of it with every update would cost the square of its length.
 */
export function joinBlock(resume: Resume, end: Token): Token | undefined {
  if (!fits(resume, end)) return undefined;
  const { kept, head, settled } = resume;
  const raw = kept.raw + end.raw.slice(head.length);
  switch (kept.type) {
    case 'code':
      return { ...(end as Tokens.Code), raw, text: kept.text + (end as Tokens.Code).text };
    case 'html':
      return { ...kept, raw, text: kept.text + (end as Tokens.HTML).text.slice(head.length) };
    case 'table':
      return { ...kept, raw, rows: replaceEnd(kept.rows, settled, (end as Tokens.Table).rows) };
    case 'list':
      return { ...kept, raw, items: replaceEnd(kept.items, settled, ownItems((end as Tokens.List).items, head)) };
    case 'paragraph': {
      const { tokens } = end as Tokens.Paragraph;
      const text = (end as Tokens.Paragraph).text.slice(head.length);
      const runs = tokens[0]?.type === 'run' ? tokens : [runOf(text, tokens)];
      return { ...kept, raw, text: kept.text + text, tokens: replaceEnd(kept.tokens, settled, runs) };
    }
  }
}

function replaceEnd<T>(parts: T[], from: number, end: readonly T[]): T[] {
  parts.length = from;
  for (const part of end) parts.push(part);
  return parts;
}

/** The source of the block up to a place in its tail. */
const keptTo = ({ tail, resume }: OpenBlock, length: number): string =>
  (resume?.kept.raw ?? '') + tail.slice(0, length);

/** Code is cut before its last line with something in it, so that what marked does about blank lines at the end stays as it is. */
function resumeCode(block: OpenBlock, end: Tokens.Code): Resume | undefined {
  // (Three marks are looked for, not all: two parts that take the same marks would cost the square of their number.)
  const fenced = end.codeBlockStyle !== 'indented';
  const head = fenced ? /^(?:```|~~~)[^\n]*\n/.exec(end.raw)?.[0] : '';
  if (head === undefined) return undefined;
  const text = linesToKeep(end.raw.slice(head.length), fenced ? /[^\s`~]/ : /\S/);
  if (text === undefined) return block.resume;
  const raw = keptTo(block, text.length + (block.resume ? 0 : head.length));
  const before = block.resume?.kept.type === 'code' ? block.resume.kept.text : '';
  return { head, kept: { ...end, raw, text: before + (fenced ? text : text.replace(INDENT, '')) }, settled: 0 };
}

/** What marked takes off the lines of code that is code by its indent. */
const INDENT = /^(?: {0,3}\t| {1,4})/gm;
/** A longer first line would be read again too often. */
const LONGEST_HEAD = 200;

/** HTML goes on behind its first line, whatever its lines are, up to what ends a block that begins with that line. */
function resumeHtml(block: OpenBlock, end: Tokens.HTML): Resume | undefined {
  const { resume } = block;
  const head = resume?.head ?? /^[^\n]*\n/.exec(end.raw)?.[0];
  if (head === undefined || head.length > LONGEST_HEAD) return undefined;
  const text = linesToKeep(end.raw.slice(head.length), /\S/);
  if (text === undefined) return resume;
  const raw = keptTo(block, text.length + (resume ? 0 : head.length));
  return { head, kept: { ...end, raw, text: raw }, settled: 0 };
}

/** The lines before the last whole one with something in it; undefined when they are not worth a cut. */
function linesToKeep(text: string, something: RegExp): string | undefined {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line, index) => index < lines.length - 1 && something.test(line));
  return last < BATCH ? undefined : linesBefore(lines, last);
}

function resumeTable(block: OpenBlock, end: Tokens.Table, whole: Tokens.Table): Resume | undefined {
  const count = end.rows.length - LIVE;
  if (count < BATCH) return block.resume;
  const head = /^[^\n]*\n[^\n]*\n/.exec(end.raw)?.[0] ?? '';
  const text = linesBefore(end.raw.slice(head.length).split('\n'), count);
  const raw = keptTo(block, text.length + (block.resume ? 0 : head.length));
  return { head, kept: { ...whole, raw }, settled: (block.resume?.settled ?? 0) + count };
}

const linesBefore = (lines: readonly string[], count: number): string => lines.slice(0, count).join('\n') + '\n';

/** The end of a loose list stands behind an item that ends with a blank line: that makes it a loose list too. */
function resumeList(block: OpenBlock, end: Tokens.List, whole: Tokens.List): Resume | undefined {
  const items = ownItems(end.items, block.resume?.head ?? '');
  const count = items.length - LIVE;
  const [, indent = '', bullet, point] = /^( *)(?:([-*+])|\d+([.)]))/.exec(items[count]?.raw ?? '') ?? [];
  const mark = bullet ?? (point && `1${point}`);
  if (count < BATCH || !mark) return block.resume;
  const raw = keptTo(
    block,
    items.slice(0, count).reduce((sum, item) => sum + item.raw.length, 0),
  );
  const settled = (block.resume?.settled ?? 0) + count;
  return { kept: { ...whole, raw, loose: end.loose }, settled, head: end.loose ? `${indent}${mark} x\n\n` : '' };
}

/** The items without the one of the head. */
const ownItems = (items: readonly Tokens.ListItem[], head: string): readonly Tokens.ListItem[] =>
  head === '' ? items : items.slice(1);

/** Stands for the words of a line before a cut: what follows is no beginning of a line. */
const WORD = 'x';

/** A paragraph is cut between two of its runs. */
function resumeParagraph(block: OpenBlock, end: Tokens.Paragraph, whole: Tokens.Paragraph): Resume | undefined {
  const { tail, resume } = block;
  if (end.tokens[0]?.type !== 'run' || (!resume && mayDefine(tail))) return resume;
  const before = resume?.head ?? '';
  let length = 0;
  let cut: { readonly count: number; readonly length: number; readonly head: string } | undefined;
  for (const [index, { raw }] of end.tokens.slice(0, -1).entries()) {
    length += raw.length;
    const begins = tail.lastIndexOf('\n', length - 1) + 1;
    // A line may be the head of a table.
    if (tail.slice(begins, length).includes('|')) continue;
    const head = begins < length ? WORD : '';
    // At the beginning of a line only a letter goes on with a paragraph for certain.
    if ((head ? /^\S/ : /^\p{L}/u).test(tail.slice(length, length + 2))) cut = { count: index + 1, length, head };
  }
  if (!cut) return resume;
  const kept = {
    ...whole,
    raw: keptTo(block, cut.length),
    text: (resume ? keptText(resume) : '') + end.text.slice(before.length, before.length + cut.length),
  };
  return { head: cut.head, kept, settled: (resume?.settled ?? 0) + cut.count };
}

const keptText = ({ kept }: Resume): string => (kept.type === 'paragraph' ? kept.text : '');
