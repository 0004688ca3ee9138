/**
 * Continues long blocks. All but the end of a growing block stays unchanged. Only the end is parsed again, after a
 * short head that makes it the same type of block. The cost of code, a table, a list or a paragraph is therefore linear
 * in its length.
 */
import type { Token, Tokens } from 'marked';
import { enumerate } from '../../enumerate.ts';
import type { BlockLexer } from './bounded-lexer.ts';
import { MAX_HEADER_LENGTH } from './table-limit.ts';
import { mayBecomeDefinition } from './link-references.ts';
import { createRunToken, type RunToken } from './split-paragraph.ts';

type Resumable = Tokens.Code | Tokens.HTML | Tokens.Table | Tokens.List | Tokens.Paragraph;

export interface BlockContinuation {
  /**
   * The block so far. Its `raw` ends at the split; its list of rows, items or runs may go on behind it: `joinBlock` cuts that list to the
   * settled ones and appends those of the end.
   */
  readonly settledBlock: Resumable;
  /** Number of its rows, items or runs that can no longer change; 0 for code and HTML, which have no parts. */
  readonly settled: number;
  /** The text inserted before the rest of the source when it is parsed, so that it becomes the same type of block. */
  readonly head: string;
  /** The end begins with an unclosed `<a>`. */
  readonly inLink?: boolean;
  /** The end begins in a line that is too long for a table header. */
  readonly inLongLine?: boolean;
}

/** A block that may continue. */
export interface OpenBlock {
  /** The source that the last pass parsed: what was not settled before it, without the head. */
  readonly tail: string;
  /** The continuation that this pass started from; undefined if it parsed the block from its start. */
  readonly resume: BlockContinuation | undefined;
  /** All of the block so far: the settled part and the end. */
  readonly whole: Token;
  /** What the head and the tail were parsed to. */
  readonly end: Token;
  readonly lexer: BlockLexer;
  /** Offset in the tail of the text that a formula may still include: nothing from here on is settled. Infinity if there is none. */
  readonly formula: number;
}

/** Stands for the text before the split. */
const PLACEHOLDER = 'x';
/** Number of rows and items that are parsed again: the current one, and the one before, which it may still belong to. */
const REPARSED_PARTS = 2;
/** Minimum number of rows, items or lines worth splitting off. */
const MIN_BATCH = 2;

/** Determines how to continue a block: as before if nothing more of it is settled. */
export function continuationOf(block: OpenBlock): BlockContinuation | undefined {
  const { end, lexer, resume, whole } = block;
  // A definition affects the following text.
  if (lexer.definitions.length > 0) return resume;
  // So does an `<a>` that is left open. Only the runs of a paragraph store that (`inLink`), so no other block with such a tag is split.
  if (end.type !== 'paragraph' && /<\/?a\b/i.test(end.raw)) return resume;
  const hasFormula = block.formula < Infinity;
  switch (end.type) {
    case 'code':
      return hasFormula ? resume : resumeCode(block, end as Tokens.Code);
    case 'html':
      return hasFormula ? resume : resumeHtml(block, end as Tokens.HTML);
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

/** Whether the end still continues the settled part, or has become another block. */
export function continuesSameBlock({ settledBlock, head }: BlockContinuation, end: Token): boolean {
  if (end.type !== settledBlock.type) return false;
  if (settledBlock.type !== 'list') return true;
  const { loose, ordered, items } = end as Tokens.List;
  // A list that becomes loose changes from its first item on.
  return loose === settledBlock.loose && ordered === settledBlock.ordered && withoutHeadItem(items, head).length > 0;
}

/**
 * Joins the settled part and the end of a block; undefined if it has become another block. The parts stay in one array
 * whose end is replaced, because copying the array with every update would be quadratic.
 */
export function joinBlock(resume: BlockContinuation, end: Token): Token | undefined {
  if (!continuesSameBlock(resume, end)) return undefined;
  const { settledBlock, head, settled } = resume;
  const raw = settledBlock.raw + end.raw.slice(head.length);
  switch (settledBlock.type) {
    case 'code':
      return { ...(end as Tokens.Code), raw, text: settledBlock.text + (end as Tokens.Code).text };
    case 'html':
      return { ...settledBlock, raw, text: settledBlock.text + (end as Tokens.HTML).text.slice(head.length) };
    case 'table':
      return { ...settledBlock, raw, rows: replaceEnd(settledBlock.rows, settled, (end as Tokens.Table).rows) };
    case 'list':
      return {
        ...settledBlock,
        raw,
        items: replaceEnd(settledBlock.items, settled, withoutHeadItem((end as Tokens.List).items, head)),
      };
    case 'paragraph': {
      const { tokens } = end as Tokens.Paragraph;
      const text = (end as Tokens.Paragraph).text.slice(head.length);
      const runs = tokens[0]?.type === 'run' ? tokens : [createRunToken(text, tokens, false)];
      return {
        ...settledBlock,
        raw,
        text: settledBlock.text + text,
        tokens: replaceEnd(settledBlock.tokens, settled, runs),
      };
    }
  }
}

function replaceEnd<T>(parts: T[], from: number, end: readonly T[]): T[] {
  parts.length = from;
  for (const part of end) parts.push(part);
  return parts;
}

/**
 * Returns the source of the block up to an offset in its tail. In the first pass, the head is still a part of the tail; later
 * it is only inserted.
 */
const settledSource = ({ tail, resume }: OpenBlock, length: number): string =>
  (resume?.settledBlock.raw ?? '') + tail.slice(0, length);

/**
 * Code is split before its last line with content. Blank lines after it may be trimmed by `marked`, and a line of fence characters may
 * close the block: both stay in the end.
 */
function resumeCode(block: OpenBlock, end: Tokens.Code): BlockContinuation | undefined {
  // `[^\n]*` takes the rest of a longer fence. With `{3,}` in front of it, the pattern would be quadratic.
  const fenced = end.codeBlockStyle !== 'indented';
  const head = fenced ? /^(?:```|~~~)[^\n]*\n/.exec(end.raw)?.[0] : '';
  if (head === undefined) return undefined;
  const text = linesToSettle(end.raw.slice(head.length), fenced ? /[^\s`~]/ : /\S/);
  if (text === undefined) return block.resume;
  const raw = settledSource(block, text.length + (block.resume ? 0 : head.length));
  const before = block.resume?.settledBlock.type === 'code' ? block.resume.settledBlock.text : '';
  return {
    head,
    settledBlock: { ...end, raw, text: before + (fenced ? text : text.split(INDENTATION).join('')) },
    settled: 0,
  };
}

/**
 * The indentation that marked removes from indented code. It is split and joined, because of V8: what `replace` returns for many matches is
 * a chain of pieces, which each later use of the whole text would copy one by one.
 */
const INDENTATION = /^(?: {0,3}\t| {1,4})/m;
/** A longer first line of HTML would be parsed again too often. */
const MAX_HTML_LINE = 200;

/**
 * The first line of HTML decides how the block ends (at a blank line, or at a closing tag). So that line is the head, and any
 * of the other lines may be settled.
 */
function resumeHtml(block: OpenBlock, end: Tokens.HTML): BlockContinuation | undefined {
  const { resume } = block;
  const head = resume?.head ?? /^[^\n]*\n/.exec(end.raw)?.[0];
  if (head === undefined || head.length > MAX_HTML_LINE) return undefined;
  const text = linesToSettle(end.raw.slice(head.length), /\S/);
  if (text === undefined) return resume;
  const raw = settledSource(block, text.length + (resume ? 0 : head.length));
  return { head, settledBlock: { ...end, raw, text: raw }, settled: 0 };
}

/** Returns the lines before the last complete non-empty one; undefined if splitting is not worthwhile. */
function linesToSettle(text: string, nonEmpty: RegExp): string | undefined {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line, index) => index < lines.length - 1 && nonEmpty.test(line));
  return last < MIN_BATCH ? undefined : linesBefore(lines, last);
}

function resumeTable(block: OpenBlock, end: Tokens.Table, whole: Tokens.Table): BlockContinuation | undefined {
  let count = end.rows.length - REPARSED_PARTS;
  if (count < MIN_BATCH) return block.resume;
  const head = /^[^\n]*\n[^\n]*\n/.exec(end.raw)?.[0] ?? '';
  const lines = end.raw.slice(head.length).split('\n');
  const headLength = block.resume ? 0 : head.length;
  let length = headLength + linesBefore(lines, count).length;
  while (count > 0 && length > block.formula) length -= (lines[--count]?.length ?? 0) + 1;
  if (count < MIN_BATCH) return block.resume;
  const raw = settledSource(block, length);
  return { head, settledBlock: { ...whole, raw }, settled: (block.resume?.settled ?? 0) + count };
}

const linesBefore = (lines: readonly string[], count: number): string => lines.slice(0, count).join('\n') + '\n';

/** The head of a loose list is an item with a blank line, which makes the end loose too; `withoutHeadItem` removes it again. */
function resumeList(block: OpenBlock, end: Tokens.List, whole: Tokens.List): BlockContinuation | undefined {
  const items = withoutHeadItem(end.items, block.resume?.head ?? '');
  let count = items.length - REPARSED_PARTS;
  let length = items.slice(0, Math.max(0, count)).reduce((sum, item) => sum + item.raw.length, 0);
  while (count > 0 && length > block.formula) length -= items[--count]?.raw.length ?? 0;
  const [, indent = '', bullet, delimiter] = /^( *)(?:([-*+])|\d+([.)]))/.exec(items[count]?.raw ?? '') ?? [];
  const mark = bullet ?? (delimiter && `1${delimiter}`);
  if (count < MIN_BATCH || !mark) return block.resume;
  const raw = settledSource(block, length);
  const settled = (block.resume?.settled ?? 0) + count;
  return {
    settledBlock: { ...whole, raw, loose: end.loose },
    settled,
    head: end.loose ? `${indent}${mark} ${PLACEHOLDER}\n\n` : '',
  };
}

/** Returns the items without that of the head. */
const withoutHeadItem = (items: readonly Tokens.ListItem[], head: string): readonly Tokens.ListItem[] =>
  head === '' ? items : items.slice(1);

/** A line that is, or while it is empty may still become, the delimiter row below a table header. */
const DELIMITER_ROW = /^[\s|:-]*$/;

/** A paragraph is split between two of its runs. */
function resumeParagraph(
  block: OpenBlock,
  end: Tokens.Paragraph,
  whole: Tokens.Paragraph,
): BlockContinuation | undefined {
  const { tail, resume } = block;
  if (end.tokens[0]?.type !== 'run' || (!resume && mayBecomeDefinition(tail))) return resume;
  const before = resume?.head ?? '';
  let length = 0;
  let split:
    | (Pick<BlockContinuation, 'head' | 'inLink' | 'inLongLine'> & { count: number; length: number })
    | undefined;
  let isInLongLine = resume?.inLongLine ?? false;
  let lineStart = 0;
  for (const [index, run] of enumerate((end.tokens as RunToken[]).slice(0, -1))) {
    const newLine = run.raw.lastIndexOf('\n');
    if (newLine >= 0) lineStart = length + newLine + 1;
    length += run.raw.length;
    if (length > block.formula) break;
    isInLongLine = (isInLongLine && lineStart === 0) || length - lineStart > MAX_HEADER_LENGTH;
    const head = headAt(tail, lineStart, length, isInLongLine);
    if (head !== undefined)
      split = { count: index + 1, length, head, inLink: run.inLink, inLongLine: isInLongLine && lineStart < length };
  }
  if (!split) return resume;
  const { count, ...rest } = split;
  const settledBlock = {
    ...whole,
    raw: settledSource(block, split.length),
    text: (resume ? settledText(resume) : '') + end.text.slice(before.length, before.length + split.length),
  };
  return { ...rest, settledBlock, settled: (resume?.settled ?? 0) + count };
}

/** Returns what must precede the text after a split for it to continue the paragraph; undefined if that is uncertain. */
function headAt(tail: string, lineStart: number, offset: number, isInLongLine: boolean): string | undefined {
  if (lineStart < offset) {
    const isNoHeader = isInLongLine || !tail.slice(lineStart, offset).includes('|');
    return isNoHeader && /^\S/.test(tail.slice(offset, offset + 2)) ? PLACEHOLDER : undefined;
  }
  // At the start of a line, a letter certainly continues a paragraph (two code units, because it may be a pair). Anything
  // else is parsed on a line of its own after a placeholder, once the line is complete.
  if (/^\p{L}/u.test(tail.slice(offset, offset + 2))) return '';
  const lineEnd = tail.indexOf('\n', offset);
  return lineEnd < 0 || DELIMITER_ROW.test(tail.slice(offset, lineEnd)) ? undefined : `${PLACEHOLDER}\n`;
}

const settledText = ({ settledBlock }: BlockContinuation): string =>
  settledBlock.type === 'paragraph' ? settledBlock.text : '';
