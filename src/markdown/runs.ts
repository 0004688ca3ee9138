/**
 * Where a long stretch of words can be cut in two that are read apart and give the same as together. Without that, a paragraph
 * of 100 KB would be read whole with every new word.
 */
import type { Token, Tokens } from 'marked';

/** Words are cut once they are this long; where something is still open then, when they are four and sixteen times as long. */
const WINDOW = 512;
const LONGER = 4;
const LAST_WINDOW = WINDOW * LONGER * LONGER;

export interface Run {
  readonly length: number;
  readonly tokens: Token[];
}

/** A part of a long stretch of words, as a token. */
export interface RunToken extends Tokens.Generic {
  readonly type: 'run';
  readonly tokens: Token[];
}

export const runOf = (raw: string, tokens: Token[]): RunToken => ({ type: 'run', raw, tokens });

interface InlineLexer {
  /** Formulas are read as such. */
  readonly math: boolean;
  /** Reads words and forgets what they have left open. */
  probe(words: string): Token[];
  inlineTokens(words: string): Token[];
}

/**
 * The first part of a long stretch of words, undefined while it is short or nothing can be cut off. It depends on the first
 * ½, 2 or 8 KB of the words only, however many there are, so that growing and whole words are cut at the same places.
 */
export function firstRun(words: string, lexer: InlineLexer): Run | undefined {
  for (let window = WINDOW; words.length >= window; window *= LONGER) {
    const head = words.slice(0, window);
    const tokens = lexer.probe(head);
    const run = closedRun(tokens, lexer.math);
    if (run) return run;
    const length = window < LAST_WINDOW ? 0 : forcedLength(head);
    if (length === window) return { length, tokens };
    if (length > 0) return { length, tokens: lexer.inlineTokens(words.slice(0, length)) };
  }
  return undefined;
}

/** Between words, where nothing but words begins: behind one blank, or behind a full stop of a script without blanks. */
const PLACES =
  /(?<=[^\s\\][ \n])(?=\p{L})|(?<=[。！？；，、：])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu;

/** The tokens before the first one that still has something open, up to the last place between two words. */
function closedRun(tokens: readonly Token[], math: boolean): Run | undefined {
  const open: Open = { tags: [], math };
  const { tags } = open;
  let run: Run | undefined;
  let length = 0;
  for (const [index, token] of tokens.entries()) {
    if (!isClosed(token, open)) break;
    const { raw, type } = token;
    // marked decodes the references of a piece of text together: one is not to be cut from another.
    const place = type === 'text' && tags.length === 0 && !raw.includes('&') ? lastPlace(raw) : 0;
    if (place > 0) {
      const text: Tokens.Text = { ...(token as Tokens.Text), raw: raw.slice(0, place), text: raw.slice(0, place) };
      run = { length: length + place, tokens: [...tokens.slice(0, index), text] };
    }
    length += raw.length;
  }
  return run;
}

function lastPlace(text: string): number {
  let place = 0;
  for (const { index } of text.matchAll(PLACES)) place = index;
  return place;
}

/** What looks like a mark and can be none, whatever follows. */
const NO_MARKS = /(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])|(?<=\s)[*~]+(?=\s)|<(?=[^a-zA-Z/!?])|\[[^[\]\\]*\](?=[^([:])/gu;
const MARKS = /[*_~`[<\\]/;
/** A dollar that begins no formula, whatever follows. */
const NO_FORMULA = /\$(?:\s|[^$\n]*\n)/g;
const TAG_NAME = /^<(\/?)([a-z][\w-]*)/i;
const VOID = /^(?:br|hr|img|wbr)$/i;

/** What is open before a token. */
interface Open {
  /** Raw tags. */
  readonly tags: string[];
  readonly math: boolean;
}

/** Whether nothing in a token can still pair with something behind it. */
function isClosed(token: Token, open: Open): boolean {
  const { tags, math } = open;
  switch (token.type) {
    case 'escape':
      return !math || !/^\\[([]/.test(token.raw);
    case 'text':
      if (math && token.raw.replace(NO_FORMULA, '').includes('$')) return false;
      // Inside of a raw `<code>` it depends on what follows how marked cuts marks into tokens.
      return !MARKS.test((token as Tokens.Text).escaped ? token.raw : token.raw.replace(NO_MARKS, ''));
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
  // An open link changes how marked reads everything behind it.
  if (/^a$/i.test(name)) return false;
  if (slash) {
    if (tags.at(-1) !== name) return false;
    tags.pop();
  } else if (name && !VOID.test(name)) tags.push(name);
  return true;
}

/** An address, or a tag with one: a picture inside a text is longer than any window. */
const LONG_ADDRESS = /(?:\]\(<?|\b(?:https?:\/\/|www\.))[^\s()[\]<>]*$|<[a-z][^<>]*$/i;
/** What a cut must not go through: an escape, a reference to a character, a citation, a character. */
const HALF = /(?:\\|&[#\w]{0,32}|\ufdd0\d{0,9}|[\ud800-\udbff])$/;

/**
 * Where words are cut that never close what they open; 0 in an address, which is better left alone. Behind that place is something
 * else than a blank.
 */
function forcedLength(head: string): number {
  const blank = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n')) + 1;
  if (blank >= head.length / 2 && blank < head.length) return blank;
  const address = LONG_ADDRESS.exec(head)?.[0] ?? '';
  if (address.length >= head.length / 2) return 0;
  const half = HALF.exec(head.slice(-40))?.[0] ?? '';
  return head.length - half.length;
}
