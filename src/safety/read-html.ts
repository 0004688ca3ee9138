/**
 * Reads the tags of raw HTML without parsing it as a document: even inert parsing of `style` or `on…` makes a strict
 * CSP report a violation. Source: `docs/security.md`.
 */
import { decodeEntities } from './entities.ts';
import { ALLOWED_ELEMENTS, DROPPED_WITH_CONTENT, isAllowedAttribute, VOID_ELEMENTS } from './allowed-html.ts';

export interface Tag {
  readonly name: string;
  readonly closing: boolean;
  /** The allowed attributes, unchanged. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether it is a void element. */
  readonly empty: boolean;
}

/** A part of HTML: text or a tag. */
export type HtmlPiece = { readonly text: string } | { readonly tag: Tag };

/**
 * Quotes matter only after a `=`. Each character can match in one position only; otherwise an unclosed tag would cost
 * O(n²).
 */
const TAG = /<(\/?)([a-zA-Z][^\s/>]*)(?=[\s/>])([^>=]*(?:=(?:(?!\s*["'])|\s*(?:"[^"]*"|'[^']*'))[^>=]*)*)>/y;
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<(?:[!?]|\/(?![a-zA-Z]))[^>]*(?:>|$)/y;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g;
/** Numbers of columns and of lists that take long to lay out. Those of Markdown have nine digits at most. */
const TOO_LARGE = /^(?:span|(?:start|value)\D*\d{7})\D*\d{3}/;
/** The start of a tag, or of a possible tag at the end of a growing text. */
const TAG_START = /<(?:\/?[a-zA-Z]|$)/y;

/**
 * Yields the allowed tags and the text between them, in order. Forbidden elements that contain code are dropped with
 * their content.
 */
export function* readHtmlPieces(html: string): Generator<HtmlPiece> {
  let offset = 0;
  let text = '';
  while (offset < html.length) {
    const next = html.indexOf('<', offset);
    if (next < 0) break;
    text += html.slice(offset, next);
    offset = next;
    const comment = match(COMMENT, html, offset);
    if (comment) {
      yield* textPiece(text);
      text = '';
      offset += comment[0].length;
      continue;
    }
    const tagMatch = match(TAG, html, offset);
    if (!tagMatch) {
      // An unclosed tag and all text after it is dropped; a `<` that does not start a tag is text.
      if (match(TAG_START, html, offset)) {
        yield* textPiece(text);
        return;
      }
      text += '<';
      offset++;
      continue;
    }
    offset += tagMatch[0].length;
    const tag = toTag(tagMatch);
    // Split also around a dropped tag: joined, `&l` and `t;` would become a character that the source does not contain.
    yield* textPiece(text);
    text = '';
    if (DROPPED_WITH_CONTENT.has(tag.name) && !tag.closing) offset = endOf(html, offset, tag.name);
    else if (ALLOWED_ELEMENTS.has(tag.name)) yield { tag };
  }
  yield* textPiece(text + html.slice(offset));
}

function* textPiece(text: string): Generator<HtmlPiece> {
  if (text) yield { text };
}

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

function toTag([, slash = '', spelled = '', rest = '']: RegExpExecArray): Tag {
  const name = spelled.toLowerCase();
  const attributes: Record<string, string> = {};
  for (const [, key = '', double, single, bare] of rest.matchAll(ATTRIBUTE)) {
    const attribute = key.toLowerCase();
    const value = double ?? single ?? bare ?? '';
    if (isAllowedAttribute(name, attribute) && !TOO_LARGE.test(attribute + value)) attributes[attribute] ??= value;
  }
  return { name, closing: slash === '/', attributes, empty: VOID_ELEMENTS.has(name) };
}

/** Returns the offset after an element whose content is dropped; the end of the text if it is unclosed. */
function endOf(html: string, offset: number, name: string): number {
  const end = new RegExp(`</${name}[^>]*(?:>|$)`, 'gi');
  end.lastIndex = offset;
  return end.exec(html) ? end.lastIndex : html.length;
}

/** Returns the text of raw HTML. */
export const textOfHtml = (html: string): string =>
  [...readHtmlPieces(html)].map((piece) => ('text' in piece ? decodeEntities(piece.text) : '')).join('');
