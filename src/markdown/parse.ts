/**
 * Growing Markdown to tokens. What can no longer change is parsed once and never again; only the end of the text, from the
 * last block that may still grow, is parsed with every update, and of a long block only its end. The result is that of parsing
 * the whole text at once.
 */
import type { Links, Token, Tokens } from 'marked';
import { healBlocks } from './heal.ts';
import { BlockLexer, type Words } from './lexer.ts';
import { uncertainFrom } from './math.ts';
import { mayDefine, References } from './references.ts';
import { fits, joinBlock, resumeOf, type OpenBlock, type Resume } from './resume.ts';

/** A block of the text. Another object under the same place is another parse of it. */
export interface MarkdownBlock {
  readonly token: Token;
  /** The code in it that is still being written. */
  readonly growing?: Token | undefined;
  /** How many of its items, rows or runs can no longer change. */
  readonly settled: number;
}

export interface ParsedMarkdown {
  /** Those that can no longer change, but for a reference that is defined later. The list grows, it is never another one. */
  readonly finished: readonly MarkdownBlock[];
  /** The end of the text, with the likely end of what has only begun. */
  readonly open: readonly MarkdownBlock[];
  /** Places of finished blocks that were read again. */
  readonly again: ReadonlySet<number>;
}

/** An end that is no longer than this is parsed with every update; a longer one once it has grown by a part of itself. */
const ALWAYS = 8192;
const PART = 1 / 32;
/** How much may be read again for references that come late, by how much has come in the meantime. */
const LATE = 4;

interface FinishedBlock extends MarkdownBlock {
  /** An `<a>` was left open before it: marked carries that from block to block. */
  readonly inLink: boolean;
  /** What stands in it, for when it has to be read again; undefined when it was read in parts. */
  readonly words: readonly Words[] | undefined;
}

/** One text from its first character to its last. What it costs is what comes: nothing here reads what is finished. */
export class GrowingMarkdown {
  /** The text from where it is parsed again, with line ends as marked has them. */
  #tail = '';
  /** How much of it has come since it was parsed. */
  #fresh = 0;
  #endsInReturn = false;
  #whole = false;
  readonly #finished: FinishedBlock[] = [];
  #open: readonly MarkdownBlock[] = [];
  #again = new Set<number>();
  /** How the first open block goes on. */
  #resume: Resume | undefined;
  readonly #links = Object.create(null) as Links;
  readonly #references = new References();
  #inLink = false;
  /** How many characters may be read again. */
  #credit = 0;
  readonly #math: boolean;

  /** `math`: formulas are read as such. */
  constructor({ math = false } = {}) {
    this.#math = math;
  }

  /** `more`: what has come since the last time. `whole`: nothing more will. */
  grow(more: string, whole: boolean): ParsedMarkdown {
    this.#append(more);
    this.#whole ||= whole;
    if (this.#whole || this.#isTimeToParse()) this.#parse();
    this.#readLate();
    const again = this.#again;
    this.#again = new Set();
    return { finished: this.#finished, open: this.#open, again };
  }

  #append(text: string): void {
    if (text === '') return;
    const more = this.#endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endsInReturn = text.endsWith('\r');
    this.#tail += more.includes('\r') ? more.replace(/\r\n?/g, '\n') : more;
    this.#fresh += more.length;
    this.#credit += more.length * LATE;
  }

  #isTimeToParse(): boolean {
    const { length } = this.#tail;
    return length <= ALWAYS || this.#fresh >= length * PART;
  }

  #parse(): void {
    this.#fresh = 0;
    const text = (this.#resume?.head ?? '') + this.#tail;
    const lexer = new BlockLexer(text, this.#links, this.#state);
    const { tokens } = lexer;
    if (this.#resume && !goesOn(this.#resume, lexer)) {
      lexer.withdraw();
      this.#tail = this.#resume.kept.raw + this.#tail;
      this.#resume = undefined;
      this.#parse();
      return;
    }
    const count = this.#whole ? tokens.length : settledCount(tokens, text, this.#math);
    lexer.withdraw(count);
    this.#finish(lexer, count);
    this.#open = this.#whole ? [] : this.#show(lexer, count, text.slice(lengthOf(tokens.slice(0, count))));
  }

  /** What a pass over the tail has to know of what is before it. */
  get #state(): { readonly inLink: boolean; readonly head: number; readonly math: boolean } {
    const resume = this.#resume?.kept.type === 'paragraph' ? this.#resume : undefined;
    return { inLink: this.#inLink, head: resume?.head.length ?? 0, math: this.#math };
  }

  /** The first blocks of a pass can no longer change. */
  #finish(lexer: BlockLexer, count: number): void {
    const defined = lexer.definitions.filter(({ block }) => block < count);
    for (const { label } of defined) this.#references.define(label);
    for (const [index, parsed] of lexer.tokens.slice(0, count).entries()) {
      const { inLink } = lexer.state;
      const words = lexer.read(index + 1);
      const joined = this.#resume && joinBlock(this.#resume, parsed);
      this.#tail = this.#tail.slice(parsed.raw.length - (this.#resume?.head.length ?? 0));
      this.#resume = undefined;
      const token = joined ?? parsed;
      if (token.type === 'space') continue;
      const place = this.#finished.length;
      const names = this.#references.add(place, joined ? wordsOf(joined) : words.map(({ src }) => src));
      const again = names && !joined ? words : undefined;
      this.#finished.push({ token, inLink, words: again, settled: Number.POSITIVE_INFINITY });
      // What was kept of it was read before these.
      if (joined && names && defined.length > 0) this.#references.late.add(place);
    }
    this.#inLink = lexer.state.inLink;
  }

  /** The blocks of a pass from `count` on, whose text is `rest`, as they will probably end. */
  #show(pass: BlockLexer, count: number, rest: string): readonly MarkdownBlock[] {
    const healed = healBlocks(rest, leafOf(pass.tokens.at(-1))?.type ?? '', this.#math);
    const lexer = healed === rest ? pass : new BlockLexer(healed, this.#links, this.#state);
    const from = lexer === pass ? count : 0;
    const tokens = lexer.tokens.slice(from).filter(({ type }) => type !== 'space');
    const leaf = leafOf(lexer.tokens.at(-1));
    lexer.restore();
    lexer.read(Number.POSITIVE_INFINITY, leaf?.tokens);
    lexer.withdraw(from);

    const [end, ...others] = tokens;
    if (!end) return [];
    const whole = this.#resume ? joinBlock(this.#resume, end) : end;
    // What has only begun is no part of the block: until that is certain it stays as it was.
    if (!whole) return this.#open;
    const certain = others.length === 0 && !lexer.definitions.some(({ block }) => block >= from);
    const settled = this.#resume?.settled ?? 0;
    if (certain) this.#settle({ tail: this.#tail, resume: this.#resume, whole, end, lexer });
    const code = growingCode(leaf);
    const growing = code === end ? whole : code;
    return [whole, ...others].map((token, index) => ({ token, growing, settled: index === 0 ? settled : 0 }));
  }

  /** What is certain of the open block is kept, and no more parsed again. */
  #settle(block: OpenBlock): void {
    // What has come of a formula may be anything until it is whole.
    if (this.#math && uncertainFrom(this.#tail) !== undefined) return;
    const resume = resumeOf(block);
    const before = this.#resume?.kept.raw.length ?? 0;
    if (resume && resume !== this.#resume) this.#tail = this.#tail.slice(resume.kept.raw.length - before);
    this.#resume = resume;
  }

  /** Reads blocks again whose references have come behind them: all at the end, before that as many as can be afforded. */
  #readLate(): void {
    const { late } = this.#references;
    for (const index of late) {
      const block = this.#finished[index];
      if (!block) continue;
      const { length } = block.token.raw;
      if (!this.#whole && this.#credit < length) return;
      late.delete(index);
      this.#credit -= length;
      const { token, words, inLink } = block;
      const lexer = new BlockLexer(words ? '' : token.raw, this.#links, { inLink, math: this.#math });
      this.#again.add(index);
      if (words) this.#finished[index] = { ...block, ...lexer.readAgain({ token, words }) };
      else {
        lexer.read();
        const again = lexer.tokens.find(({ type }) => type === token.type);
        if (again) this.#finished[index] = { ...block, token: again };
      }
      this.#carry(index + 1, lexer.state.inLink);
    }
  }

  /** A block was read again: the one behind it, too, when it begins in another state now. */
  #carry(index: number, inLink: boolean): void {
    const next = this.#finished[index];
    if (!next) this.#inLink = inLink;
    else if (next.inLink !== inLink) {
      this.#finished[index] = { ...next, inLink };
      this.#references.late.add(index);
    }
  }
}

/**
 * How many tokens at the beginning can no longer change: those before the last one whose first lines are whole. (Half a line may
 * turn out to go on with the block before it, as `#` does on its way to `#tag`. Where no blank line is between them it takes two
 * lines: the second one decides whether the first one is the head of a table.) What a formula may take in is not settled either.
 */
function settledCount(tokens: readonly Token[], text: string, math: boolean): number {
  const formula = math ? (uncertainFrom(text) ?? Infinity) : Infinity;
  let begins = text.length;
  let last = tokens.length - 1;
  for (; last > 0; last--) {
    const { raw = '', type } = tokens[last] ?? {};
    begins -= raw.length;
    // (The `raw` of a token may end with a line end that the text has not.)
    const first = text.indexOf('\n', begins);
    const lines = first < 0 ? 0 : text.includes('\n', first + 1) ? 2 : 1;
    if (type !== 'space' && lines >= (tokens[last - 1]?.type === 'space' ? 1 : 2)) break;
  }
  let start = 0;
  for (const [index, { type, raw }] of tokens.slice(0, Math.max(0, last)).entries()) {
    const end = start + raw.length;
    if (end > formula || (end === formula && type !== 'space')) return index;
    if (DEFINING.has(type) && mayDefine(text.slice(start))) return index;
    start += raw.length;
  }
  return Math.max(0, last);
}

/** What a definition looks like as long as it is not whole. */
const DEFINING = new Set(['def', 'paragraph', 'heading', 'table']);

/** Whether a block that was kept in part is what it was. What it defines may stand in the part that is kept. */
const goesOn = (resume: Resume, { tokens: [end], definitions }: BlockLexer): boolean =>
  end !== undefined && fits(resume, end) && !definitions.some(({ block }) => block === 0);

/** The words of a block that was read in parts, with the marks of quotes at the beginning of their lines and without. */
const wordsOf = ({ raw }: Token): readonly string[] => [raw, raw.replace(/\n[ \t>]*/g, '\n')];

const lengthOf = (tokens: readonly Token[]): number => tokens.reduce((sum, { raw }) => sum + raw.length, 0);

/** The innermost block at the end of a text, and its words. */
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

/** Code whose end has not come. Its language is not known before its first line is whole. */
function growingCode(leaf: Leaf | undefined): Tokens.Code | undefined {
  if (leaf?.type !== 'code' || CLOSED_FENCE.test(leaf.raw.slice(-200))) return undefined;
  const code = leaf as Tokens.Code;
  if (!code.raw.includes('\n')) code.lang = '';
  return code;
}
