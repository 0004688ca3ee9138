/**
 * marked's lexer in two steps: first the blocks, then their inline content. It limits what hostile text can cost:
 * nesting, rejected table candidates, and very long lines.
 */
import { Lexer, type Links, type Token, type Tokens, type TokensList } from 'marked';
import { hidePartialWord } from './hide-partial-word.ts';
import { closeIncompleteInline } from './close-incomplete.ts';
import { mathOptions, displayFormulaStart } from './math-syntax.ts';
import { firstTextRun, createRunToken, lastSplitPosition } from './split-paragraph.ts';
import { firstColumns, firstLines, MAX_COLUMNS, tableHead, type WideTable } from './table-limit.ts';
import { ChatTokenizer, paragraph } from './tokenizer.ts';
import { BLANK_LINE, UnderlineSearch } from './underline-search.ts';

/** Maximum nesting of quotes and lists, and of inline markup. Deeper syntax is shown as text. */
const MAX_DEPTH = 32;
/**
 * A line with more list and quote markers than the nesting limit. marked strips them one by one, again for every line.
 * Whitespace can match in one way only, which avoids exponential backtracking.
 */
const TOO_MANY_MARKS = new RegExp(`^ {0,3}(?:(?:[*+-]|\\d{1,9}[.)])[ \\t]+|>[ \\t]*){${String(MAX_DEPTH + 1)}}`);

/** How many characters may be searched for the closing delimiters of an inline text: its length times `SEARCHES`, plus `SEARCHED`. */
const SEARCHES = 8;
const SEARCHED = 65_536;
/** A delimiter that may open emphasis, for which marked searches an end; not an underscore inside a word. */
const OPENING = /^(?:\*+|_+|~~?)\S/;
const IN_WORD = /^[\p{L}\p{N}]_/u;

/**
 * A longer quote or list item ends at a line end, or between two words of a longer line, and the rest becomes a new block.
 * Otherwise it would be parsed again and again.
 */
const LONGEST_PART = 16_384;
/** Length of the first search for a paragraph's end; each further one is `LONGER` times as long. */
const PARAGRAPH = 2048;
const LONGER = 8;

class BoundedTokenizer extends ChatTokenizer {
  /** Whether formulas are parsed. */
  math = false;
  /** Length of a text whose first line is the end of a line that is too long for a table header. */
  longLine: number | undefined;
  #depth = 0;
  #searches = 0;
  #underlines = new UnderlineSearch();

  /** Resets the search budget for the next inline text. */
  resetBudget(length: number): void {
    this.#searches = SEARCHED + length * SEARCHES;
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#search(src, before, () => super.emStrong(src, masked, before));
  }

  override del(src: string, masked: string, before: string): Tokens.Del | undefined {
    return this.#search(src, before, () => super.del(src, masked, before));
  }

  /**
   * An unclosed delimiter costs a search to the end of the text. When the budget is used up, further delimiters are
   * plain text.
   */
  #search<T extends { readonly raw: string }>(src: string, before = '', find: () => T | undefined): T | undefined {
    if (!OPENING.test(src) || IN_WORD.test(before + src.charAt(0))) return find();
    if (this.#searches <= 0) return undefined;
    const match = find();
    this.#searches -= match?.raw.length ?? src.length;
    return match;
  }

  /**
   * marked parses a list in a quote again when a lazy line continues the quote, and throws if that returns no list. It
   * returns none if text precedes the quote.
   */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (TOO_MANY_MARKS.test(src)) return undefined;
    const { state } = this.lexer;
    const { lastToken } = state;
    delete state.lastToken;
    const quote = this.#deeper(() => super.blockquote(longestPart(src)));
    if (lastToken) state.lastToken = lastToken;
    return quote;
  }

  override list(src: string): Tokens.List | undefined {
    if (TOO_MANY_MARKS.test(src)) return undefined;
    const queue = this.lexer.inlineQueue;
    const queueLength = queue.length;
    const list = this.#deeper(() => super.list(src));
    // Only the outermost list is cut: if each list in a list were read again, every level would double the work.
    const end = list && this.#depth === 0 ? endOfLongItem(list) : undefined;
    if (end === undefined) return list;
    queue.length = queueLength;
    return this.#deeper(() => super.list(src.slice(0, end)));
  }

  /**
   * marked reads all rows before it rejects a header that does not match its delimiter row: O(n²) if every second line
   * is such a header.
   */
  override table(src: string): Tokens.Table | undefined {
    const head = src.length === this.longLine ? undefined : tableHead(src);
    if (head === undefined) return undefined;
    const queue = this.lexer.inlineQueue;
    const queueLength = queue.length;
    const headTable = super.table(head);
    queue.length = queueLength;
    if (!headTable) return undefined;
    return headTable.header.length > MAX_COLUMNS ? this.#wideTable(src, headTable.header.length) : super.table(src);
  }

  /** marked creates a cell for each column in each row, even without text: read a limited number of columns only. */
  #wideTable(src: string, columns: number): Tokens.Table | undefined {
    const blank = src.search(BLANK_LINE);
    const block = blank < 0 ? src : src.slice(0, blank + 1);
    const table = super.table(firstColumns(block));
    if (!table) return undefined;
    const wide: WideTable = { ...table, raw: firstLines(src, table.raw), columns };
    return wide;
  }

  /**
   * A line of `=` or `-` makes a heading of the text above it, but not of a formula that contains such a line. marked's expression
   * walks through the whole paragraph for that line, which takes WebKit seconds: it gets the text up to the line, or none.
   */
  override lheading(src: string): Tokens.Heading | undefined {
    const end = this.#underlines.endIn(src);
    if (end === undefined) return undefined;
    const heading = super.lheading(src.slice(0, end));
    if (!heading || !this.math) return heading;
    const formula = displayFormulaStart(src);
    return formula >= 0 && formula < heading.raw.length ? undefined : heading;
  }

  /** Parses the blocks of a text. One in a quote or an item has a search of its own, because positions are counted from its end. */
  inText<T>(read: () => T): T {
    const underlines = this.#underlines;
    this.#underlines = new UnderlineSearch();
    try {
      return read();
    } finally {
      this.#underlines = underlines;
    }
  }

  /** marked removes the punctuation after a URL character by character, and each time reads the URL from its start. */
  override url(src: string): Tokens.Link | undefined {
    const url = URL_WORD.exec(src)?.[0] ?? '';
    const end = endWithoutPunctuation(url);
    return super.url(url.length - end > MAX_PUNCTUATION ? src.slice(0, end) : src);
  }

  #deeper<T>(read: () => T): T | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

const URL_WORD = /^(?:https?:\/\/|ftp:\/\/|www\.)[^\s<]*/i;
const MAX_PUNCTUATION = 16;
const PUNCTUATION = new Set('?!.,:;*_\'"~)');
const REFERENCE = /&[a-z\d]+;$/i;
const MAX_REFERENCE = 40;

/**
 * Returns the end of a URL without the punctuation and character references after it. The first `)` may belong to the URL: then
 * marked removes what is left.
 */
function endWithoutPunctuation(url: string): number {
  let end = url.length;
  let parenthesis = 0;
  while (PUNCTUATION.has(url.charAt(end - 1))) {
    const isReference = url[end - 1] === ';' && REFERENCE.exec(url.slice(Math.max(0, end - MAX_REFERENCE), end));
    if (url[end - 1] === ')') parenthesis = end;
    end -= isReference ? isReference[0].length : 1;
  }
  return parenthesis > 0 && url.lastIndexOf('(', end - 1) >= 0 ? parenthesis : end;
}

/**
 * marked's paragraph rule searches its end in all following text, and reads a following table to its last row. This one
 * extends the search step by step. A tokenizer with its own `paragraph` method is not an option: marked then no longer
 * rejoins a paragraph that was cut before an apparent table.
 */
class ParagraphRule extends RegExp {
  override exec(src: string): RegExpExecArray | null {
    for (let length = PARAGRAPH; length < src.length; length *= LONGER) {
      const part = wholeLines(src, length);
      const match = super.exec(part);
      // Whatever ends a paragraph is recognized within two lines.
      if (match && linesIn(part.slice(match[0].length)) > 2) return match;
    }
    return super.exec(src);
  }
}

const paragraphRule = new ParagraphRule(paragraph);

/** Returns the text up to the last line end within `length`, or up to the first one after it. */
function wholeLines(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf('\n', length) + 1 || text.indexOf('\n', length) + 1;
  return end > 0 ? text.slice(0, end) : text;
}

/** Returns as much of a quote or an item as is read as one. A line without such a position, as of an image in its URL, stays whole. */
function longestPart(text: string): string {
  const lines = wholeLines(text, LONGEST_PART);
  if (lines.length <= LONGEST_PART) return lines;
  const half = LONGEST_PART / 2;
  const position = lastSplitPosition(lines.slice(half, LONGEST_PART));
  return position > 0 ? lines.slice(0, half + position) : lines;
}

const linesIn = (text: string): number => text.split('\n', 4).length - 1;

/** Returns the end of the first item that is too long; undefined if there is none. */
function endOfLongItem({ items }: Tokens.List): number | undefined {
  let begins = 0;
  for (const { raw } of items) {
    const part = longestPart(raw);
    if (part.length < raw.length) return begins + part.length;
    begins += raw.length;
  }
  return undefined;
}

/** A link reference definition, and the index of the block that contains it. */
export interface LinkDefinition {
  readonly label: string;
  readonly block: number;
  readonly link: Links[string];
}

/** An inline text and its tokens. */
export interface InlineText {
  readonly src: string;
  readonly tokens: Token[];
}

/** A block and its inline texts. */
export interface ParsedBlock {
  readonly token: Token;
  readonly inlineTexts: readonly InlineText[];
}

/** What precedes and follows a text that is parsed. */
export interface TextPosition {
  /** An unclosed `<a>` precedes it. */
  readonly inLink: boolean;
  /** Number of characters of a paragraph that replace the text before it. */
  readonly head?: number;
  /** It begins in a line that is too long for a table header. */
  readonly inLongLine?: boolean;
  /** Whether formulas are parsed. */
  readonly math: boolean;
  /** More text may follow. */
  readonly growing: boolean;
}

/**
 * One pass over a text. The blocks are available immediately. Inline content is parsed by `parseInline`, up to a given block,
 * so that only visible content costs time.
 */
export class BlockLexer extends Lexer {
  readonly definitions: LinkDefinition[] = [];
  /** The index of the block that each inline text belongs to. */
  readonly #blocks = new Map<readonly Token[], number>();
  readonly #tokenizer: BoundedTokenizer;
  /** The inline text that is being tokenized, in an object that exists before `this`. */
  readonly #reading: { text: string };
  /** Number of characters of the first inline text that are not part of the source. */
  readonly #head: number;
  /** Whether formulas are parsed. */
  readonly math: boolean;
  #next = 0;
  #depth = 0;

  /** `links`: the definitions known so far; those of the text are added. */
  constructor(text: string, links: Links, { inLink, head = 0, inLongLine = false, math, growing }: TextPosition) {
    const tokenizer = new BoundedTokenizer();
    const reading = { text: '' };
    super({ gfm: true, tokenizer, ...(math && mathOptions(() => reading.text)) });
    this.#reading = reading;
    this.#tokenizer = tokenizer;
    tokenizer.useRules({ paragraph: paragraphRule });
    this.#head = head;
    this.math = math;
    tokenizer.math = math;
    if (inLongLine) tokenizer.longLine = text.length;
    tokenizer.growing = growing;
    this.state.inLink = inLink;
    this.tokens.links = new Proxy(links, {
      set: (target, label: string, link: Links[string]) => {
        this.definitions.push({ label, block: this.tokens.length, link });
        target[label] = link;
        return true;
      },
    });
    try {
      this.blockTokens(text, this.tokens);
    } catch {
      // No text is known that makes marked throw; if one does, it is shown as plain text.
      this.inlineQueue = [];
      this.tokens.length = 0;
      this.tokens.push({ type: 'text', raw: text, text, escaped: false } satisfies Tokens.Text);
    }
    this.tokens.links = links;
  }

  override blockTokens(src: string, tokens?: Token[], clipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, clipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], clipped = false): Token[] {
    return this.#tokenizer.inText(() => super.blockTokens(src, tokens, clipped));
  }

  /** Removes the definitions of the blocks from an index on, because they may still change. */
  withdrawDefinitions(from = 0): void {
    for (const { label, block } of this.definitions)
      if (block >= from) Reflect.deleteProperty(this.tokens.links, label);
  }

  /** Adds the definitions again while their blocks are read. */
  restoreDefinitions(): void {
    for (const { label, link } of this.definitions) this.tokens.links[label] = link;
  }

  override inline(src: string, tokens: Token[] = []): Token[] {
    this.#blocks.set(tokens, this.tokens.length);
    return super.inline(src, tokens);
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#depth >= MAX_DEPTH) {
      tokens.push({ type: 'text', raw: src, text: src, escaped: false } satisfies Tokens.Text);
      return tokens;
    }
    if (this.#depth === 0) this.#tokenizer.resetBudget(src.length);
    this.#depth++;
    this.#reading.text = src;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#depth--;
    }
  }

  probe(text: string): Token[] {
    const { inLink, inRawBlock } = this.state;
    const tokens = this.inlineTokens(text);
    Object.assign(this.state, { inLink, inRawBlock });
    return tokens;
  }

  /**
   * Parses the inline content of the blocks before `end`. `growing`: the inline text that is still being written; it is
   * closed as it will probably end.
   *
   * @returns the inline texts that were parsed
   */
  parseInline(end = Number.POSITIVE_INFINITY, growing?: readonly Token[]): readonly InlineText[] {
    const from = this.#next;
    for (; this.#next < this.inlineQueue.length; this.#next++) {
      const queued = this.inlineQueue[this.#next];
      if (!queued || (this.#blocks.get(queued.tokens) ?? 0) >= end) break;
      const src = this.#next === 0 ? queued.src.slice(this.#head) : queued.src;
      this.parseInlineText({ src }, queued.tokens, queued.tokens === growing);
    }
    return this.inlineQueue.slice(from, this.#next);
  }

  parseInlineText({ src }: Pick<InlineText, 'src'>, tokens: Token[], growing = false): void {
    this.state.inRawBlock = false;
    let rest = src;
    for (let run = firstTextRun(rest, this); run; run = firstTextRun(rest, this)) {
      tokens.push(createRunToken(rest.slice(0, run.length), run.tokens, this.state.inLink));
      rest = rest.slice(run.length);
      // Unclosed raw code ends where the text is split.
      this.state.inRawBlock = false;
    }
    const last = growing ? hidePartialWord(this.#parseClosed(rest), rest !== src) : this.inlineTokens(rest);
    // A single run needs no wrapper. (The text of a list item may follow a task checkbox.)
    if (rest === src) for (const token of last) tokens.push(token);
    else if (rest !== '') tokens.push(createRunToken(rest, [...last], this.state.inLink));
  }

  /** Parses a block's inline content again, because more definitions are known. */
  reparseInline(block: ParsedBlock): ParsedBlock {
    const replacements = new Map<unknown, Token[]>();
    const inlineTexts = block.inlineTexts.map(({ src, tokens: [first], tokens: before }) => {
      // The task checkbox precedes the text of its item.
      const tokens: Token[] = first?.type === 'checkbox' ? [first] : [];
      this.parseInlineText({ src }, tokens);
      replacements.set(before, tokens);
      return { src, tokens };
    });
    return { token: replaceInlineTokens(block.token, replacements), inlineTexts };
  }

  #parseClosed(src: string): Token[] {
    const tokens: Token[] = [];
    let target = tokens;
    for (const { text, opens } of closeIncompleteInline(src, this.math)) {
      if (text) for (const token of this.inlineTokens(text)) target.push(token);
      if (!opens) continue;
      if (opens.type === 'codespan') target.push({ type: 'codespan', raw: opens.text, text: opens.text });
      else {
        const inner: Token[] = [];
        target.push({ type: opens.type, raw: '', text: '', tokens: inner });
        target = inner;
      }
    }
    return tokens;
  }
}

/** Returns a token with replaced inline tokens. */
function replaceInlineTokens<T>(value: T, replacements: ReadonlyMap<unknown, Token[]>): T {
  if (typeof value !== 'object' || value === null) return value;
  // The token keeps its type: each part is replaced by one of the same type.
  if (Array.isArray(value))
    return (replacements.get(value) ?? value.map((item: unknown) => replaceInlineTokens(item, replacements))) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceInlineTokens<unknown>(item, replacements)]),
  ) as T;
}
