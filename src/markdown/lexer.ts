/**
 * marked's lexer in two steps, first the blocks and then what stands in them, with bounds on what hostile text may cost: its
 * nesting, its tables that are none, and its longest lines. Footnotes are no definitions.
 */
import { Lexer, Tokenizer, type Links, type Token, type Tokens } from 'marked';
import { withoutHalfWord } from './half-word.ts';
import { healInline } from './heal.ts';
import { mathOptions, startOfLines } from './math.ts';
import { firstRun, runOf } from './runs.ts';

/** Quotes and lists in one another, and marks in one another. What lies deeper is shown as it is written. */
const MAX_DEPTH = 32;
/**
 * A line with more list and quote marks than may be nested. (marked takes them off one by one, again for every line.) A blank is
 * matched in one way only, or a line of a few marks would cost two to the power of their number.
 */
const TOO_MANY_MARKS = new RegExp(`^ {0,3}(?:(?:[*+-]|\\d{1,9}[.)])[ \\t]+|>[ \\t]*){${String(MAX_DEPTH + 1)}}`);
const TWO_LINES = /^[^\n]*\n[^\n]*/;

/** How often the characters of a stretch of words may be looked through for the ends of its marks, and those of a short one. */
const SEARCHES = 16;
const SEARCHED = 32_768;
/** A mark that may open something, for which marked looks for an end: not an underline in a word. */
const OPENING = /^(?:\*+|_+|~~?)\S/;
const IN_WORD = /^[\p{L}\p{N}]_/u;

class BoundedTokenizer extends Tokenizer {
  /** Formulas are read as such. */
  math = false;
  #depth = 0;
  #searches = 0;

  /** A stretch of words begins. */
  allow(length: number): void {
    this.#searches = SEARCHED + length * SEARCHES;
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#search(src, before, () => super.emStrong(src, masked, before));
  }

  override del(src: string, masked: string, before: string): Tokens.Del | undefined {
    return this.#search(src, before, () => super.del(src, masked, before));
  }

  /** Marks that find no end cost the length of all behind them, each: when that was too much the others are plain words. */
  #search<T extends { readonly raw: string }>(src: string, before = '', find: () => T | undefined): T | undefined {
    if (!OPENING.test(src) || IN_WORD.test(before + src.charAt(0))) return find();
    if (this.#searches <= 0) return undefined;
    const found = find();
    this.#searches -= found?.raw.length ?? src.length;
    return found;
  }

  /**
   * marked asks for a list in a quote once more when the quote goes on lazily, throws when it gets none, and gets none when there
   * is text before the quote.
   */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    const { state } = this.lexer;
    const { lastToken } = state;
    delete state.lastToken;
    const quote = this.#deeper(() => super.blockquote(src));
    if (lastToken) state.lastToken = lastToken;
    return quote;
  }

  override list(src: string): Tokens.List | undefined {
    return TOO_MANY_MARKS.test(src) ? undefined : this.#deeper(() => super.list(src));
  }

  /** marked reads all rows before it finds that the head does not fit its rule: O(n²) when every second line is such a head. */
  override table(src: string): Tokens.Table | undefined {
    const head = TWO_LINES.exec(src)?.[0];
    if (head === undefined) return undefined;
    const queue = this.lexer.inlineQueue;
    const queued = queue.length;
    const fits = super.table(head);
    queue.length = queued;
    return fits && super.table(src);
  }

  /** A line of signs makes a heading of the words above it: not of a formula that stands between them. */
  override lheading(src: string): Tokens.Heading | undefined {
    const heading = super.lheading(src);
    if (!heading || !this.math) return heading;
    const formula = startOfLines(src);
    return formula >= 0 && formula < heading.raw.length ? undefined : heading;
  }

  /** A footnote is text: as the definition of a link its words would be an address, and nowhere to be seen. */
  override def(src: string): Tokens.Def | undefined {
    const definition = super.def(src);
    return definition?.tag.startsWith('^') ? undefined : definition;
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

/** A reference that a text defines, and which of its blocks does. */
export interface Definition {
  readonly label: string;
  readonly block: number;
  readonly link: Links[string];
}

/** A stretch of words, and the tokens that are made of it. */
export interface Words {
  readonly src: string;
  readonly tokens: Token[];
}

/** A block and the words in it. */
export interface ReadBlock {
  readonly token: Token;
  readonly words: readonly Words[];
}

/**
 * One pass over a text. Its blocks are there from the start; what stands in them is read by `read`, up to the block that is
 * asked for, so that only what is going to be shown costs anything.
 */
export class BlockLexer extends Lexer {
  readonly definitions: Definition[] = [];
  /** The block that each stretch of words belongs to. */
  readonly #blocks = new Map<readonly Token[], number>();
  readonly #tokenizer: BoundedTokenizer;
  /** The words that are being made tokens. */
  readonly #reading: { words: string };
  /** How many characters of the first words are no words of the text. */
  readonly #head: number;
  /** Formulas are read as such. */
  readonly math: boolean;
  #next = 0;
  #depth = 0;

  /**
   * `links`: the references known so far; those of the text are added. `inLink`: an `<a>` was left open before it. `head`: how
   * many characters of a paragraph only stand for what was before it. `math`: formulas are read as such.
   */
  constructor(text: string, links: Links, { inLink = false, head = 0, math = false } = {}) {
    const tokenizer = new BoundedTokenizer();
    const reading = { words: '' };
    super({ gfm: true, tokenizer, ...(math && mathOptions(() => reading.words)) });
    this.#reading = reading;
    this.#tokenizer = tokenizer;
    this.#head = head;
    this.math = math;
    tokenizer.math = math;
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
      // No text is known that does this; one that did would be shown as it is written.
      this.inlineQueue = [];
      this.tokens.length = 0;
      this.tokens.push({ type: 'text', raw: text, text, escaped: false } satisfies Tokens.Text);
    }
    this.tokens.links = links;
  }

  /** Takes back what the blocks from a place on define: they may still change. */
  withdraw(from = 0): void {
    for (const { label, block } of this.definitions)
      if (block >= from) Reflect.deleteProperty(this.tokens.links, label);
  }

  /** Gives it again, for as long as they are read. */
  restore(): void {
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
    if (this.#depth === 0) this.#tokenizer.allow(src.length);
    this.#depth++;
    this.#reading.words = src;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#depth--;
    }
  }

  probe(words: string): Token[] {
    const { inLink, inRawBlock } = this.state;
    const tokens = this.inlineTokens(words);
    Object.assign(this.state, { inLink, inRawBlock });
    return tokens;
  }

  /**
   * Reads what stands in the blocks before `end`. `growing`: the stretch of words that is still being written, which is read
   * as it will probably end.
   *
   * @returns what has been read
   */
  read(end = Number.POSITIVE_INFINITY, growing?: readonly Token[]): readonly Words[] {
    const from = this.#next;
    for (; this.#next < this.inlineQueue.length; this.#next++) {
      const words = this.inlineQueue[this.#next];
      if (!words || (this.#blocks.get(words.tokens) ?? 0) >= end) break;
      const src = this.#next === 0 ? words.src.slice(this.#head) : words.src;
      this.readWords({ src }, words.tokens, words.tokens === growing);
    }
    return this.inlineQueue.slice(from, this.#next);
  }

  readWords({ src }: Pick<Words, 'src'>, tokens: Token[], growing = false): void {
    this.state.inRawBlock = false;
    let rest = src;
    for (let run = firstRun(rest, this); run; run = firstRun(rest, this)) {
      tokens.push(runOf(rest.slice(0, run.length), run.tokens));
      rest = rest.slice(run.length);
      // Raw code that is left open ends where words are cut.
      this.state.inRawBlock = false;
    }
    const last = growing ? withoutHalfWord(this.#readHealed(rest), rest !== src) : this.inlineTokens(rest);
    // One run alone is no run. (An item's words may stand behind the box of a task.)
    if (rest === src) for (const token of last) tokens.push(token);
    else if (rest !== '') tokens.push(runOf(rest, [...last]));
  }

  /** A block with its words read again, since more references are known now. */
  readAgain(block: ReadBlock): ReadBlock {
    const fresh = new Map<unknown, Token[]>();
    const words = block.words.map(({ src, tokens: [first], tokens: before }) => {
      // The box of a task stands in front of the words that it came with.
      const tokens: Token[] = first?.type === 'checkbox' ? [first] : [];
      this.readWords({ src }, tokens);
      fresh.set(before, tokens);
      return { src, tokens };
    });
    return { token: withWords(block.token, fresh), words };
  }

  #readHealed(src: string): Token[] {
    const tokens: Token[] = [];
    let place = tokens;
    for (const { text, opens } of healInline(src, this.math)) {
      if (text) append(place, this.inlineTokens(text));
      if (!opens) continue;
      if (opens.type === 'codespan') place.push({ type: 'codespan', raw: opens.text, text: opens.text });
      else {
        const inner: Token[] = [];
        place.push({ type: opens.type, raw: '', text: '', tokens: inner });
        place = inner;
      }
    }
    return tokens;
  }
}

/** A token with other words in it. */
function withWords<T>(value: T, fresh: ReadonlyMap<unknown, Token[]>): T {
  if (typeof value !== 'object' || value === null) return value;
  // The types are those of the token: what is in it is replaced by its like.
  if (Array.isArray(value)) return (fresh.get(value) ?? value.map((item: unknown) => withWords(item, fresh))) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withWords<unknown>(item, fresh)])) as T;
}

/** Puts tokens behind others as if they had been read together: words that touch are one token. */
function append(tokens: Token[], more: readonly Token[]): void {
  const last = tokens.at(-1);
  const [first] = more;
  if (last?.type !== 'text' || first?.type !== 'text') {
    for (const token of more) tokens.push(token);
    return;
  }
  const [one, two] = [last as Tokens.Text, first as Tokens.Text];
  tokens[tokens.length - 1] = { ...one, raw: one.raw + two.raw, text: one.text + two.text };
  for (const token of more.slice(1)) tokens.push(token);
}
