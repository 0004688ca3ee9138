/**
 * How a long block goes on. Of a block that still grows everything but its end is kept as it is, and only the end is parsed
 * again, behind a short head that makes it the same kind of block: so that code, a table, a list or a paragraph of any length
 * costs as much as it is long.
 */
import type { Token, Tokens } from 'marked';
import { append, type BlockLexer } from './lexer.ts';
import { firstRun } from './runs.ts';

type Resumable = Tokens.Code | Tokens.Table | Tokens.List | Tokens.Paragraph;

export interface Resume {
  /** The beginning of the block as it is kept: all but its end. */
  readonly kept: Resumable;
  /** Where the end begins in the text, which is parsed again. */
  readonly from: number;
  /** What stands in front of it then. */
  readonly head: string;
}

/** A block that may go on. */
export interface OpenBlock {
  readonly source: string;
  /** Where the block begins in the source. */
  readonly start: number;
  /** How it was gone on with up to now. */
  readonly resume: Resume | undefined;
  /** Its end as it was parsed, behind the head; all of it where nothing is kept yet. */
  readonly end: Token;
  readonly lexer: BlockLexer;
}

/** Rows and items that are parsed again: the one that is being written, and the one before, which it may still belong to. */
const LIVE = 2;
/** Fewer rows, items or lines are not worth a cut. */
const BATCH = 2;

/** How a block is to be gone on with from now on: as up to now, when nothing more of it is certain. */
export function resumeOf(block: OpenBlock): Resume | undefined {
  const { end, lexer, resume } = block;
  // An open link and a definition have a say in what follows: such a block is parsed whole.
  if (lexer.definitions.length > 0 || /<\/?a\b/i.test(end.raw)) return resume;
  switch (end.type) {
    case 'code':
      return resumeCode(block, end as Tokens.Code);
    case 'table':
      return resumeTable(block, end as Tokens.Table);
    case 'list':
      return resumeList(block, end as Tokens.List);
    case 'paragraph':
      return resumeParagraph(block, end as Tokens.Paragraph);
    default:
      return undefined;
  }
}

/** The whole block from what was kept of it and its end; undefined when that has become something else. */
export function joinBlock({ kept, head }: Resume, end: Token): Token | undefined {
  if (end.type !== kept.type) return undefined;
  const raw = kept.raw + end.raw.slice(head.length);
  switch (kept.type) {
    case 'code':
      return { ...(end as Tokens.Code), raw, text: kept.text + (end as Tokens.Code).text };
    case 'table':
      return { ...kept, raw, rows: [...kept.rows, ...(end as Tokens.Table).rows] };
    case 'list': {
      const { loose, ordered, items } = end as Tokens.List;
      const more = ownItems(items, head);
      // A list that becomes loose only now is another list from its first item on.
      const same = loose === kept.loose && ordered === kept.ordered && more.length > 0;
      return same ? { ...kept, raw, items: [...kept.items, ...more] } : undefined;
    }
    case 'paragraph': {
      const { text, tokens } = end as Tokens.Paragraph;
      const all = [...kept.tokens];
      append(all, tokens);
      return { ...kept, raw, text: kept.text + text, tokens: all };
    }
  }
}

/** The source from the block's first character up to a place in the parsed end. */
function keptTo({ source, start, resume }: OpenBlock, length: number): { readonly raw: string; readonly from: number } {
  const from = (resume?.from ?? start) + length;
  return { raw: source.slice(start, from), from };
}

/** Code is cut before its last line with something in it, so that what marked does about blank lines at the end stays as it is. */
function resumeCode(block: OpenBlock, end: Tokens.Code): Resume | undefined {
  const head = /^(?:`{3,}|~{3,})[^\n]*\n/.exec(end.raw)?.[0];
  if (head === undefined) return undefined;
  const lines = end.raw.slice(head.length).split('\n');
  const last = lines.findLastIndex((line, index) => index < lines.length - 1 && /[^\s`~]/.test(line));
  if (last < BATCH) return block.resume;
  const text = linesBefore(lines, last);
  const { raw, from } = keptTo(block, text.length + (block.resume ? 0 : head.length));
  const before = block.resume?.kept.type === 'code' ? block.resume.kept.text : '';
  return { head, from, kept: { ...end, raw, text: before + text } };
}

function resumeTable(block: OpenBlock, end: Tokens.Table): Resume | undefined {
  const count = end.rows.length - LIVE;
  if (count < BATCH) return block.resume;
  const head = /^[^\n]*\n[^\n]*\n/.exec(end.raw)?.[0] ?? '';
  const text = linesBefore(end.raw.slice(head.length).split('\n'), count);
  const { raw, from } = keptTo(block, text.length + (block.resume ? 0 : head.length));
  const before = block.resume?.kept.type === 'table' ? block.resume.kept : { ...end, rows: [] };
  return { head, from, kept: { ...before, raw, rows: [...before.rows, ...end.rows.slice(0, count)] } };
}

const linesBefore = (lines: readonly string[], count: number): string => lines.slice(0, count).join('\n') + '\n';

/** The end of a loose list stands behind an item that ends with a blank line: that makes it a loose list too. */
function resumeList(block: OpenBlock, end: Tokens.List): Resume | undefined {
  const items = ownItems(end.items, block.resume?.head ?? '');
  const count = items.length - LIVE;
  const [, indent = '', bullet, point] = /^( *)(?:([-*+])|\d+([.)]))/.exec(items[count]?.raw ?? '') ?? [];
  const mark = bullet ?? (point && `1${point}`);
  if (count < BATCH || !mark) return block.resume;
  const { raw, from } = keptTo(
    block,
    items.slice(0, count).reduce((sum, item) => sum + item.raw.length, 0),
  );
  const before = block.resume?.kept.type === 'list' ? block.resume.kept : { ...end, items: [] };
  const kept = { ...before, raw, loose: end.loose, items: [...before.items, ...items.slice(0, count)] };
  return { from, kept, head: end.loose ? `${indent}${mark} x\n\n` : '' };
}

/** The items without the one of the head. */
const ownItems = (items: readonly Tokens.ListItem[], head: string): readonly Tokens.ListItem[] =>
  head === '' ? items : items.slice(1);

function resumeParagraph(block: OpenBlock, end: Tokens.Paragraph): Resume | undefined {
  const { source, start, resume, lexer } = block;
  // (Raw tags that were left open when it was read.)
  lexer.state.inRawBlock = false;
  const run = firstRun(end.text, lexer);
  if (!run) return resume;
  const { raw, from } = keptTo(block, run.length);
  // What begins with a letter is a paragraph again. But its line may be the head of a table, its beginning a definition.
  const line = source.slice(source.lastIndexOf('\n', from - 1) + 1, from);
  const first = source.slice(from, from + 2);
  if (!/^\p{L}/u.test(first) || line.includes('|') || /^ {0,3}\[/.test(source.slice(start, start + 4))) return resume;
  const before = resume?.kept.type === 'paragraph' ? resume.kept : { ...end, text: '', tokens: [] };
  const tokens = [...before.tokens];
  append(tokens, run.tokens);
  return { head: '', from, kept: { ...before, raw, text: before.text + end.text.slice(0, run.length), tokens } };
}
