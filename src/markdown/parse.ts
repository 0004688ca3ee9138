/**
 * Growing Markdown to tokens. What can no longer change is parsed once and never again; only the end of the text, from the
 * last block that may still grow, is parsed with every update. The result is that of parsing the whole text at once.
 */
import { Lexer, type Links, type Token, type Tokens } from 'marked';
import { heal } from './heal.ts';

/** A block of the text. Another object under the same place is another parse of it. */
export interface MarkdownBlock {
  readonly token: Token;
}

export interface ParsedMarkdown {
  /** Those that can no longer change, but for a reference that is defined later. */
  readonly finished: readonly MarkdownBlock[];
  /** The end of the text, with the likely end of what has only begun. */
  readonly open: readonly MarkdownBlock[];
}

export interface MarkdownParser {
  /** Parses a text that usually goes on with the last one. `whole`: nothing more will come. */
  update(text: string, whole: boolean): ParsedMarkdown;
}

export function createParser(): MarkdownParser {
  let finished: MarkdownBlock[] = [];
  let finishedText = '';
  let links: Links = Object.create(null) as Links;
  /** Which finished blocks name a reference that nobody has defined yet. */
  let waiting = new Map<string, number[]>();

  const start = (): void => {
    finished = [];
    finishedText = '';
    links = Object.create(null) as Links;
    waiting = new Map();
  };
  const finish = (token: Token): void => {
    for (const definition of definitionsIn(token)) define(definition.tag, definition);
    if (token.type === 'space') return;
    for (const label of referencesIn(token.raw)) {
      if (Object.hasOwn(links, label)) continue;
      const places = waiting.get(label);
      if (places) places.push(finished.length);
      else waiting.set(label, [finished.length]);
    }
    finished.push({ token });
  };
  const define = (label: string, { href, title }: Pick<Tokens.Def, 'href' | 'title'>): void => {
    if (Object.hasOwn(links, label)) return;
    links[label] = { href, title };
    for (const index of waiting.get(label) ?? []) {
      const [token] = lex(finished[index]?.token.raw ?? '', links).tokens;
      if (token) finished[index] = { token };
    }
    waiting.delete(label);
  };

  return {
    update(text, whole) {
      const source = text.includes('\r') ? text.replace(/\r\n|\r/g, '\n') : text;
      if (!source.startsWith(finishedText)) start();
      const tail = source.slice(finishedText.length);
      const { tokens } = lex(tail, links);
      const count = whole ? tokens.length : finishedCount(tokens, tail);
      for (const token of tokens.slice(0, count)) {
        finish(token);
        finishedText += token.raw;
      }
      finished = [...finished];
      return { finished, open: openBlocks(tokens.slice(count), links) };
    },
  };
}

/** Nesting deeper than the stack is nobody's answer: such a text is shown as it is. */
function lex(text: string, links: Links): { readonly tokens: readonly Token[] } {
  const lexer = new Lexer({ gfm: true });
  Object.assign(lexer.tokens.links, links);
  try {
    return { tokens: lexer.lex(text) };
  } catch {
    return { tokens: [{ type: 'text', raw: text, text, escaped: false } satisfies Tokens.Text] };
  }
}

/**
 * How many tokens at the beginning can no longer change: those before the last one, once its first line is whole. (Half a line
 * may turn out to go on with the block before it, as `#` does on its way to `#tag`.) A definition may still get a title.
 */
function finishedCount(tokens: readonly Token[], text: string): number {
  let last = tokens.findLastIndex((token) => token.type !== 'space');
  if (last < 0) return 0;
  const begins = tokens.slice(0, last).reduce((sum, token) => sum + token.raw.length, 0);
  if (!text.slice(begins).includes('\n'))
    last = tokens.findLastIndex((token, index) => index < last && token.type !== 'space');
  const before = tokens[last - 1];
  const title = /^ {0,3}["'(]/.test(tokens[last]?.raw ?? '');
  if (before?.type === 'def' && title) last--;
  return Math.max(0, last);
}

/** The blocks that may still grow; the last one is shown as it will probably end. */
function openBlocks(tokens: readonly Token[], links: Links): readonly MarkdownBlock[] {
  const shown = tokens.filter((token) => token.type !== 'space');
  const last = shown.at(-1);
  if (!last) return [];
  const healed = heal(last);
  const end = healed === last.raw ? [last] : lex(healed, links).tokens.filter((token) => token.type !== 'space');
  return [...shown.slice(0, -1), ...end].map((token) => ({ token }));
}

/** The definitions in a block: its own, and those inside a quote or a list. */
function* definitionsIn(token: Token): Generator<Tokens.Def> {
  if (token.type === 'def') yield token as Tokens.Def;
  const inside =
    token.type === 'list'
      ? (token as Tokens.List).items
      : token.type === 'blockquote' || token.type === 'list_item'
        ? token.tokens
        : [];
  for (const child of inside ?? []) yield* definitionsIn(child);
}

/** The labels of a text's references, as they are compared: without case, white space as one blank. */
function referencesIn(raw: string): ReadonlySet<string> {
  const labels = new Set<string>();
  if (raw.includes('[')) {
    for (const [, label = ''] of raw.matchAll(/\[((?:[^[\]\\]|\\.)+)\]/g)) {
      labels.add(label.toLowerCase().replace(/\s+/g, ' ').trim());
    }
  }
  return labels;
}
