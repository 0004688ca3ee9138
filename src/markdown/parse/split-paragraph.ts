/**
 * Finds the positions where a long inline text can be split without changing the result. Otherwise a paragraph of 100
 * KB would be parsed completely with every new word.
 */
import type { Token, Tokens } from 'marked';

/** A text is split within the first of these lengths (characters); if all of it has open syntax, within the next one. */
const WINDOWS = [512, 2048, 8192] as const;
const LAST_WINDOW = 8192;
/** A longer URL without a space is no link. Links to playgrounds, which contain a program, have up to some 10 KB. */
const LONGEST_URL = 32_768;
/** A part with more delimiters than this is split even if something is still open: that costs most, and nobody writes it. */
const MOST_DELIMITERS = 400;
/** Characters that are no delimiters. */
const OTHERS = /[^*_~`[\]<!]+/g;

export interface TextRun {
  readonly length: number;
  readonly tokens: Token[];
}

/** A part of a long inline text, as a token. */
export interface RunToken extends Tokens.Generic {
  readonly type: 'run';
  readonly tokens: Token[];
  /** Whether an `<a>` is still open at the end of the run. For the last run this is not used. */
  readonly inLink: boolean;
}

export const createRunToken = (raw: string, tokens: Token[], inLink: boolean): RunToken => ({
  type: 'run',
  raw,
  tokens,
  inLink,
});

interface InlineLexer {
  /** Whether formulas are parsed. */
  readonly math: boolean;
  /** Parses text without keeping the state that it leaves open. */
  probe(text: string): Token[];
  inlineTokens(text: string): Token[];
}

/**
 * Returns the first part of a long inline text; undefined if it is short or cannot be split. Only the first ½, 2 or 8
 * KB matter, so that streaming and complete texts are split at the same positions.
 */
export function firstTextRun(text: string, lexer: InlineLexer): TextRun | undefined {
  for (const window of WINDOWS) {
    if (text.length < window) break;
    const head = text.slice(0, window);
    const tokens = lexer.probe(head);
    const run = closedRun(tokens, lexer.math);
    if (run) return run;
    const mustSplit = window === LAST_WINDOW || head.replace(OTHERS, '').length > MOST_DELIMITERS;
    const length = mustSplit ? withMarks(text, forcedLength(head)) : 0;
    if (length === window) return { length, tokens };
    if (length > 0) return { length, tokens: lexer.inlineTokens(text.slice(0, length)) };
  }
  return text.length < LONGEST_URL ? undefined : longUrlRun(text.slice(0, LONGEST_URL), lexer);
}

/** A URL as text that is too long for a link: the browser would lay it out again with each character that is added. */
function longUrlRun(head: string, lexer: InlineLexer): TextRun | undefined {
  const url = LONG_URL.exec(head)?.[0] ?? '';
  if (!/^(?:https?:|www)/i.test(url) || url.length < head.length / 2) return undefined;
  const text: Tokens.Text = { type: 'text', raw: url, text: url, escaped: false };
  return { length: head.length, tokens: [...lexer.inlineTokens(head.slice(0, -url.length)), text] };
}

/** Combining marks stay with their letter. */
const withMarks = (text: string, length: number): number =>
  length === 0 ? 0 : length + (/^\p{M}+/u.exec(text.slice(length))?.[0].length ?? 0);

/** Positions between words where only text can start: after one space, or after punctuation of a script without spaces. */
const SPLIT_POSITIONS =
  /(?<=[^\s\\][ \n])(?=\p{L})|(?<=[。！？；，、：])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu;

/** Returns the tokens before the first one with open syntax, up to the last position between two words. */
function closedRun(tokens: readonly Token[], math: boolean): TextRun | undefined {
  const open: OpenState = { tags: [], math };
  const { tags } = open;
  let count = 0;
  let length = 0;
  /** Texts between which nothing is open. */
  const texts: { readonly token: Tokens.Text; readonly index: number; readonly start: number }[] = [];
  for (const token of tokens) {
    if (!isClosed(token, open)) break;
    const { raw, type } = token;
    // marked decodes the character references of a text together: they must not be separated.
    if (type === 'text' && tags.length === 0 && !raw.includes('&'))
      texts.push({ token: token as Tokens.Text, index: count, start: length });
    count++;
    length += raw.length;
  }
  for (const { token, index, start } of texts.toReversed()) {
    const position = lastSplitPosition(token.raw);
    if (position === 0) continue;
    const raw = token.raw.slice(0, position);
    return { length: start + position, tokens: [...tokens.slice(0, index), { ...token, raw, text: raw }] };
  }
  return undefined;
}

/** Returns the last position between two words; 0 if there is none. */
export function lastSplitPosition(text: string): number {
  let position = 0;
  for (const { index } of text.matchAll(SPLIT_POSITIONS)) position = index;
  return position;
}

/** Characters that look like delimiters but can never be, whatever follows. */
const NON_DELIMITERS =
  /(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])|(?<=\s)[*~]+(?=\s)|<(?=[^a-zA-Z/!?])|\[[^[\]\\]*\](?=[^([:])/gu;
const DELIMITERS = /[*_~`[<\\]/;
/** A dollar sign that never starts a formula, whatever follows. */
const NO_FORMULA = /\$(?:\s|[^$\n]*\n)/g;
const TAG_NAME = /^<(\/?)([a-z][\w-]*)/i;
const VOID = /^(?:br|hr|img|wbr)$/i;

/** The state before a token. */
interface OpenState {
  /** Open raw tags. */
  readonly tags: string[];
  readonly math: boolean;
}

/** Whether nothing in a token can still pair with later text. */
function isClosed(token: Token, open: OpenState): boolean {
  const { tags, math } = open;
  switch (token.type) {
    case 'escape':
      return !math || !/^\\[([]/.test(token.raw);
    case 'text':
      if (math && token.raw.replace(NO_FORMULA, '').includes('$')) return false;
      // Inside a raw `<code>`, how marked splits delimiters into tokens depends on the following text.
      return !DELIMITERS.test((token as Tokens.Text).escaped ? token.raw : token.raw.replace(NON_DELIMITERS, ''));
    case 'codespan':
      return !token.raw.replace(/\[[^[\]]*\]/g, '').includes('[');
    case 'em':
    case 'strong':
    case 'del':
    case 'link':
    case 'image':
      return token.tokens?.every((inner) => inner.type !== 'html' && isClosed(inner, open)) ?? true;
    case 'html':
      return isTagClosed(token.raw, tags);
    default:
      return true;
  }
}

function isTagClosed(raw: string, tags: string[]): boolean {
  const [, slash, name = ''] = TAG_NAME.exec(raw) ?? [];
  // An open link changes how marked parses all following text.
  if (/^a$/i.test(name)) return false;
  if (slash) {
    if (tags.at(-1) !== name) return false;
    tags.pop();
  } else if (name && !VOID.test(name)) tags.push(name);
  return true;
}

/** A URL, or a tag with one: an inline image is longer than any window. */
const LONG_URL = /(?:\]\(<?|\b(?:https?:\/\/|www\.))[^\s()[\]<>]*$|<[a-z][^<>]*$/i;
/** Sequences that must not be split: an escape, a character reference, a citation marker, a surrogate pair. */
const UNSPLITTABLE = /(?:\\|&[#\w]{0,32}|\ufdd0\d{0,9}|[\ud800-\udbff])$/;

/**
 * Returns the split position for text that never closes what it opens; 0 inside a URL, which is better left unsplit.
 * The character after the position is not a space.
 */
function forcedLength(head: string): number {
  const space = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n')) + 1;
  if (space >= head.length / 2 && space < head.length) return space;
  const url = LONG_URL.exec(head)?.[0] ?? '';
  if (url.length >= head.length / 2) return 0;
  const incomplete = UNSPLITTABLE.exec(head.slice(-40))?.[0] ?? '';
  return head.length - incomplete.length;
}
