/**
 * Reads the tags of raw HTML without parsing it as a document: even an inert parse of `style` or `on…` makes a strict CSP
 * report to the page. Source: `security/README.md`, "CSP and Trusted Types".
 */
import { decodeEntities } from './entities.ts';
import { ALLOWED_ELEMENTS, DROPPED_WITH_CONTENT, isAllowedAttribute, VOID_ELEMENTS } from './allow-list.ts';

export interface Tag {
  readonly name: string;
  readonly closing: boolean;
  /** Those on the allow-list, as the text gives them. */
  readonly attributes: Readonly<Record<string, string>>;
  /** It has no content: a void element. */
  readonly empty: boolean;
}

/** A piece of HTML: words, or a tag. */
export type HtmlPiece = { readonly text: string } | { readonly tag: Tag };

/** A quote means something only behind a `=`. Every character has one place in here, or a tag without its end would cost O(n²). */
const TAG = /<(\/?)([a-zA-Z][^\s/>]*)(?=[\s/>])([^>=]*(?:=(?:(?!\s*["'])|\s*(?:"[^"]*"|'[^']*'))[^>=]*)*)>/y;
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<(?:[!?]|\/(?![a-zA-Z]))[^>]*(?:>|$)/y;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g;
/** What begins a tag, and what may when it is the end of a text that is still growing. */
const BEGUN = /<(?:\/?[a-zA-Z]|$)/y;

/** The allowed tags and the words between them, in their order. What a forbidden element holds as code goes with it. */
export function* readHtml(html: string): Generator<HtmlPiece> {
  let place = 0;
  let text = '';
  while (place < html.length) {
    const next = html.indexOf('<', place);
    if (next < 0) break;
    text += html.slice(place, next);
    place = next;
    const comment = match(COMMENT, html, place);
    if (comment) {
      place += comment[0].length;
      continue;
    }
    const found = match(TAG, html, place);
    if (!found) {
      // A tag without its end is nothing, and nothing is behind it; a `<` that begins none is a word of its own.
      if (match(BEGUN, html, place)) {
        yield* words(text);
        return;
      }
      text += '<';
      place++;
      continue;
    }
    place += found[0].length;
    const tag = toTag(found);
    if (DROPPED_WITH_CONTENT.has(tag.name) && !tag.closing) place = endOf(html, place, tag.name);
    else if (ALLOWED_ELEMENTS.has(tag.name)) {
      yield* words(text);
      text = '';
      yield { tag };
    }
  }
  yield* words(text + html.slice(place));
}

function* words(text: string): Generator<HtmlPiece> {
  if (text) yield { text };
}

function match(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place;
  return pattern.exec(text);
}

function toTag([, slash = '', spelled = '', rest = '']: RegExpExecArray): Tag {
  const name = spelled.toLowerCase();
  const attributes: Record<string, string> = {};
  for (const [, key = '', double, single, bare] of rest.matchAll(ATTRIBUTE)) {
    const attribute = key.toLowerCase();
    if (isAllowedAttribute(name, attribute)) attributes[attribute] ??= double ?? single ?? bare ?? '';
  }
  return { name, closing: slash === '/', attributes, empty: VOID_ELEMENTS.has(name) };
}

/** Behind the end of an element whose content is dropped; the end of the text when it has none. */
function endOf(html: string, place: number, name: string): number {
  const end = new RegExp(`</${name}[^>]*>`, 'gi');
  end.lastIndex = place;
  return end.exec(html) ? end.lastIndex : html.length;
}

const escapeText = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const escapeValue = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

/** Raw HTML with everything off the allow-list gone; what is left is well-formed enough to be parsed without a report. */
export function filterHtml(html: string): string {
  let filtered = '';
  for (const piece of readHtml(html)) {
    if ('text' in piece) filtered += escapeText(piece.text);
    else {
      const { name, closing, attributes } = piece.tag;
      const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeValue(value)}"`);
      filtered += closing ? `</${name}>` : `<${name}${list.join('')}>`;
    }
  }
  return filtered;
}

/** The words of raw HTML alone. */
export const textOfHtml = (html: string): string =>
  decodeEntities([...readHtml(html)].map((piece) => ('text' in piece ? piece.text : '')).join(''));
