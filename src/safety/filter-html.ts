/** Filters raw HTML by the allow-list before it is parsed. Source: `docs/security.md`. */
import { readHtmlPieces } from './read-html.ts';

const escapeText = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const escapeValue = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

/** A character reference at the end of a text, which the next text could complete. */
const OPEN_REFERENCE = /&#?\w{0,32}$/;
/** Separates two texts; the sanitizer removes it. */
const EMPTY_COMMENT = '<!---->';

/** Removes everything that is not on the allow-list; the result can be parsed without CSP reports. */
export function filterHtml(html: string): string {
  let filtered = '';
  let open = false;
  for (const piece of readHtmlPieces(html)) {
    if ('text' in piece) {
      filtered += (open ? EMPTY_COMMENT : '') + escapeText(piece.text);
      open = OPEN_REFERENCE.test(piece.text);
    } else {
      open = false;
      const { name, closing, attributes } = piece.tag;
      const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeValue(value)}"`);
      filtered += closing ? `</${name}>` : `<${name}${list.join('')}>`;
    }
  }
  return filtered;
}
