/**
 * Incremental Markdown parser. Parts that can no longer change are parsed once. Each update parses only the end of the
 * text, from the last block that may still grow; of a long block only its end. The result equals that of parsing the
 * complete text at once.
 */
import type { Links, Token, Tokens } from 'marked';
import { enumerate } from '../../enumerate.ts';
import { closeIncompleteBlocks } from './close-incomplete.ts';
import { BlockLexer, type InlineText, type TextPosition } from './bounded-lexer.ts';
import { MAX_HEADER_LENGTH } from './table-limit.ts';
import { uncertainMathStart } from './math-syntax.ts';
import { mayBecomeDefinition, LinkReferenceTracker } from './link-references.ts';
import {
  continuesSameBlock,
  joinBlock,
  continuationOf,
  type OpenBlock,
  type BlockContinuation,
} from './resume-block.ts';

/** A block of the text. A new object at the same index means that the block was parsed again. */
export interface MarkdownBlock {
  readonly token: Token;
  /** The code in the block that is still being written. */
  readonly growing?: Token | undefined;
  /** Number of its items, rows or runs that can no longer change. */
  readonly settled: number;
}

export interface ParsedMarkdown {
  /**
   * Blocks that can no longer change, except for references that are defined later. The list only grows and stays the
   * same array.
   */
  readonly finished: readonly MarkdownBlock[];
  /** The end of the text, with incomplete syntax closed. */
  readonly open: readonly MarkdownBlock[];
  /** Indexes of finished blocks that were parsed again. */
  readonly reparsed: ReadonlySet<number>;
}

/** Ends up to this length are parsed with every update; longer ones after growing by a fraction of their length. */
const ALWAYS_PARSED_LENGTH = 8192;
const MIN_GROWTH = 1 / 32;
/** Number of characters that may be parsed again for late definitions, per received character. */
const LATE_RATIO = 4;
/** A longer block is not parsed again: its definitions must precede it. */
const MAX_LATE_LENGTH = 65_536;

interface FinishedBlock extends MarkdownBlock {
  /** An unclosed `<a>` precedes the block: marked carries that state from block to block. */
  readonly inLink: boolean;
  /** Its inline texts, in case it must be parsed again; undefined if it was parsed in parts. */
  readonly inlineTexts: readonly InlineText[] | undefined;
}

/**
 * Parses one text from its first character to its last. An update costs time in proportion to the new text; finished
 * blocks are not read again.
 */
export class IncrementalMarkdownParser {
  /** The text from the point where parsing restarts, with line ends normalized as in marked. */
  #tail = '';
  /** Number of characters received since the last parse. */
  #unparsedLength = 0;
  #endsInReturn = false;
  #isComplete = false;
  readonly #finished: FinishedBlock[] = [];
  #open: readonly MarkdownBlock[] = [];
  #reparsed = new Set<number>();
  /** How to continue the first open block. */
  #resume: BlockContinuation | undefined;
  readonly #links = Object.create(null) as Links;
  readonly #references = new LinkReferenceTracker();
  #inLink = false;
  /** Number of characters that may be parsed again. */
  #credit = 0;
  readonly #math: boolean;

  /** `math`: parse formulas. */
  constructor({ math = false } = {}) {
    this.#math = math;
  }

  /** Whether blocks still have to be parsed again; `append` continues with that. */
  get hasPendingReparse(): boolean {
    return this.#isComplete && this.#references.late.size > 0;
  }

  /**
   * `more`: text received since the last call. `whole`: no more text follows. `budget`: number of characters
   * that may then be parsed again for late definitions.
   */
  append(more: string, whole: boolean, budget = Number.POSITIVE_INFINITY): ParsedMarkdown {
    if (this.#isComplete) return this.#reparse(budget);
    this.#append(more);
    this.#isComplete ||= whole;
    if (this.#isComplete || this.#isTimeToParse()) this.#parse();
    return this.#reparse(budget);
  }

  #reparse(limit: number): ParsedMarkdown {
    if (this.#isComplete) this.#credit = limit;
    this.#parseLateBlocks();
    const reparsed = this.#reparsed;
    this.#reparsed = new Set();
    return { finished: this.#finished, open: this.#open, reparsed };
  }

  #append(text: string): void {
    if (text === '') return;
    const more = this.#endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endsInReturn = text.endsWith('\r');
    const added = more.includes('\r') ? more.replace(/\r\n?/g, '\n') : more;
    this.#tail += this.#isAfterBlankLine ? added.replace(/^\n+/, '') : added;
    this.#unparsedLength += more.length;
    this.#credit += more.length * LATE_RATIO;
  }

  /**
   * Whether more blank lines change nothing: all are one, except in code, HTML and formulas. A list would be parsed again with each
   * of them.
   */
  get #isAfterBlankLine(): boolean {
    return (
      this.#unparsedLength === 0 &&
      this.#tail.endsWith('\n\n\n') &&
      !VERBATIM.has(leafOf(this.#open.at(-1)?.token)?.type ?? '') &&
      !(this.#math && uncertainMathStart(this.#tail) !== undefined)
    );
  }

  #isTimeToParse(): boolean {
    const { length } = this.#tail;
    return length <= ALWAYS_PARSED_LENGTH || this.#unparsedLength >= length * MIN_GROWTH;
  }

  #parse(): void {
    this.#unparsedLength = 0;
    const text = (this.#resume?.head ?? '') + this.#tail;
    const lexer = new BlockLexer(text, this.#links, this.#state);
    const { tokens } = lexer;
    if (this.#resume && !continuesBlock(this.#resume, lexer)) {
      lexer.withdrawDefinitions();
      this.#tail = this.#resume.settledBlock.raw + this.#tail;
      this.#resume = undefined;
      this.#parse();
      return;
    }
    const count = this.#isComplete ? tokens.length : settledCount(tokens, text, this.#math);
    lexer.withdrawDefinitions(count);
    this.#finish(lexer, count);
    if (this.#isComplete) this.#references.endNotes(this.#links);
    this.#open = this.#isComplete
      ? []
      : this.#closeOpenBlocks(lexer, count, text.slice(lengthOf(tokens.slice(0, count))));
  }

  /** The parser state before the tail. */
  get #state(): TextPosition {
    const resume = this.#resume?.settledBlock.type === 'paragraph' ? this.#resume : undefined;
    return {
      inLink: resume?.inLink ?? this.#inLink,
      head: resume?.head.length ?? 0,
      inLongLine: resume?.inLongLine ?? false,
      math: this.#math,
      growing: !this.#isComplete,
    };
  }

  /** Finishes the first blocks of a pass, which can no longer change. */
  #finish(lexer: BlockLexer, count: number): void {
    const defined = lexer.definitions.filter(({ block }) => block < count);
    for (const { label } of defined) this.#references.define(label);
    for (const [index, parsed] of enumerate(lexer.tokens.slice(0, count))) {
      const { inLink } = lexer.state;
      const inlineTexts = lexer.parseInline(index + 1);
      const joined = this.#resume && joinBlock(this.#resume, parsed);
      this.#tail = this.#tail.slice(parsed.raw.length - (this.#resume?.head.length ?? 0));
      this.#resume = undefined;
      const token = joined ?? parsed;
      if (token.type === 'space') continue;
      const blockIndex = this.#finished.length;
      // Searching a block that is not parsed again would only cost time: 256 KB of `[a] ` took 122 ms in one frame.
      const hasReferences =
        token.raw.length <= MAX_LATE_LENGTH &&
        this.#references.add(blockIndex, joined ? referenceTexts(joined) : inlineTexts.map(({ src }) => src));
      const kept = hasReferences && !joined ? inlineTexts : undefined;
      this.#finished.push({ token, inLink, inlineTexts: kept, settled: Number.POSITIVE_INFINITY });
      // Its settled part was parsed before these definitions.
      if (joined && hasReferences && defined.length > 0) this.#references.late.add(blockIndex);
    }
    this.#inLink = lexer.state.inLink;
  }

  /** Returns the blocks of a pass from `count` on, with source `rest`, closed as they will probably end. */
  #closeOpenBlocks(pass: BlockLexer, count: number, rest: string): readonly MarkdownBlock[] {
    const closed = closeIncompleteBlocks(rest, leafOf(pass.tokens.at(-1))?.type ?? '', this.#math);
    const lexer = closed === rest ? pass : new BlockLexer(closed, this.#links, this.#state);
    const from = lexer === pass ? count : 0;
    const tokens = lexer.tokens.slice(from).filter(({ type }) => type !== 'space');
    const leaf = leafOf(lexer.tokens.at(-1));
    lexer.restoreDefinitions();
    lexer.parseInline(Number.POSITIVE_INFINITY, leaf?.tokens);
    lexer.withdrawDefinitions(from);

    const [end, ...others] = tokens;
    if (!end) return [];
    const whole = this.#resume ? joinBlock(this.#resume, end) : end;
    // An incomplete start of another block does not belong to this one: until that is decided, the block stays as it
    // was.
    if (!whole) return this.#open;
    const certain = others.length === 0 && !lexer.definitions.some(({ block }) => block >= from);
    const settled = this.#resume?.settled ?? 0;
    const formula = (this.#math ? uncertainMathStart(this.#tail) : undefined) ?? Infinity;
    if (certain) this.#settle({ tail: this.#tail, resume: this.#resume, whole, end, lexer, formula });
    const code = growingCode(leaf);
    const growing = code === end ? whole : code;
    return [whole, ...others].map((token, index) => ({ token, growing, settled: index === 0 ? settled : 0 }));
  }

  /** Stores the settled part of the open block, which is not parsed again. */
  #settle(block: OpenBlock): void {
    const resume = continuationOf(block);
    const before = this.#resume?.settledBlock.raw.length ?? 0;
    if (resume && resume !== this.#resume) this.#tail = this.#tail.slice(resume.settledBlock.raw.length - before);
    this.#resume = resume;
  }

  /**
   * Parses blocks again whose definitions came after them, within the budget. At the end of the text the last block may exceed
   * it.
   */
  #parseLateBlocks(): void {
    const { late } = this.#references;
    for (const index of late) {
      const block = this.#finished[index];
      if (!block) continue;
      const { length } = block.token.raw;
      if (length > MAX_LATE_LENGTH) {
        late.delete(index);
        continue;
      }
      if (this.#credit < (this.#isComplete ? 1 : length)) return;
      late.delete(index);
      this.#credit -= length;
      const { token, inlineTexts, inLink } = block;
      const lexer = new BlockLexer(inlineTexts ? '' : token.raw, this.#links, {
        inLink,
        math: this.#math,
        growing: !this.#isComplete,
      });
      this.#reparsed.add(index);
      if (inlineTexts) this.#finished[index] = { ...block, ...lexer.reparseInline({ token, inlineTexts }) };
      else {
        lexer.parseInline();
        const reparsed = lexer.tokens.find(({ type }) => type === token.type);
        if (reparsed) this.#finished[index] = { ...block, token: reparsed };
      }
      this.#carryLinkState(index + 1, lexer.state.inLink);
    }
  }

  /** If a reparsed block leaves another link state, the next block must be parsed again too. */
  #carryLinkState(index: number, inLink: boolean): void {
    const next = this.#finished[index];
    if (!next) this.#inLink = inLink;
    else if (next.inLink !== inLink) {
      this.#finished[index] = { ...next, inLink };
      this.#references.late.add(index);
    }
  }
}

/**
 * Returns the number of leading tokens that can no longer change: those before the last one whose first lines are
 * complete. An incomplete line may still continue the block before it, as `#` on its way to `#tag`. Without a blank
 * line in between two lines are needed, because the second may make the first a table header, unless that is too long for
 * one. Text that a formula may still include is not settled either.
 */
function settledCount(tokens: readonly Token[], text: string, math: boolean): number {
  const formula = math ? (uncertainMathStart(text) ?? Infinity) : Infinity;
  let offset = text.length;
  let last = tokens.length - 1;
  for (; last > 0; last--) {
    const { raw = '', type } = tokens[last] ?? {};
    offset -= raw.length;
    // A token's `raw` may end with a line end that the text does not have.
    const lines = completeLines(text, offset);
    if (type !== 'space' && lines >= (tokens[last - 1]?.type === 'space' ? 1 : 2)) break;
  }
  let start = 0;
  for (const [index, { type, raw }] of enumerate(tokens.slice(0, Math.max(0, last)))) {
    const end = start + raw.length;
    if (end > formula || (end === formula && type !== 'space')) return index;
    if (DEFINING.has(type) && mayBecomeDefinition(text.slice(start))) return index;
    start += raw.length;
  }
  return Math.max(0, last);
}

/** Returns how many of the first two lines are complete. A line that is too long for a table header counts as both. */
function completeLines(text: string, offset: number): number {
  const first = text.indexOf('\n', offset);
  if ((first < 0 ? text.length : first) - offset > MAX_HEADER_LENGTH) return 2;
  return first < 0 ? 0 : text.includes('\n', first + 1) ? 2 : 1;
}

/** Token types in which every blank line counts. */
const VERBATIM = new Set(['code', 'html']);

/** Token types that an incomplete definition may have. */
const DEFINING = new Set(['def', 'paragraph', 'heading', 'table']);

/**
 * Whether the end still continues a partly settled block. It must not contain a definition, which may belong to the
 * settled part.
 */
const continuesBlock = (resume: BlockContinuation, { tokens: [end], definitions }: BlockLexer): boolean =>
  end !== undefined && continuesSameBlock(resume, end) && !definitions.some(({ block }) => block === 0);

/** The text of a block that was parsed in parts, with and without quote markers at line starts. */
const referenceTexts = ({ raw }: Token): readonly string[] => [raw, raw.replace(/\n[ \t>]*/g, '\n')];

const lengthOf = (tokens: readonly Token[]): number => tokens.reduce((sum, { raw }) => sum + raw.length, 0);

/** The innermost block at the end of a text, and its inline tokens. */
interface Leaf {
  readonly type: string;
  readonly raw: string;
  readonly tokens?: readonly Token[] | undefined;
}

function leafOf(token: Token | undefined): Leaf | undefined {
  switch (token?.type) {
    case 'list':
      return leafOf((token as Tokens.List).items.at(-1)?.tokens.at(-1)) ?? token;
    case 'blockquote':
      return leafOf(token.tokens?.at(-1)) ?? token;
    case 'table': {
      const { header, rows, raw } = token as Tokens.Table;
      const cell = (rows.at(-1) ?? header).findLast(({ text }) => text !== '');
      return { type: 'table', raw, ...(cell && { tokens: cell.tokens }) };
    }
    default:
      return token;
  }
}

const CLOSED_FENCE = /\n[ \t]*(?:`{3,}|~{3,})\s*$/;

/** Returns code whose end has not arrived. Its language is unknown until its first line is complete. */
function growingCode(leaf: Leaf | undefined): Tokens.Code | undefined {
  if (leaf?.type !== 'code' || CLOSED_FENCE.test(leaf.raw.slice(-200))) return undefined;
  const code = leaf as Tokens.Code;
  if (!code.raw.includes('\n')) code.lang = '';
  return code;
}
