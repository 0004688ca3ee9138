/** Filters raw HTML by the allow-list before it is parsed. Source: `docs/security.md`. */
import { readHtmlPieces, type Tag } from './read-html.ts';

const escapeText = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const escapeValue = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

/** A character reference at the end of a text, which the next text could complete. */
const OPEN_REFERENCE = /&#?\w{0,32}$/;
/** Separates two texts; the sanitizer removes it. */
const EMPTY_COMMENT = '<!---->';

/** Elements that draw a line or quotation marks: a browser paints those of all open ones at each text. */
const DECORATED: ReadonlySet<string> = new Set(['del', 'ins', 'q', 's', 'u']);
const MAX_DECORATIONS = 8;

/** Returns a function that tells whether a tag is kept, to be called in the order of the tags. More of these elements in each other say nothing. */
function createDecorationLimiter(): (tag: Tag) => boolean {
  const open: Record<string, boolean[]> = {};
  let count = 0;
  return ({ name, closing }) => {
    if (!DECORATED.has(name)) return true;
    const own = (open[name] ??= []);
    if (!closing) {
      const isKept = count < MAX_DECORATIONS;
      if (isKept) count++;
      own.push(isKept);
      return isKept;
    }
    const isKept = own.pop() ?? true;
    if (isKept) count = Math.max(0, count - 1);
    return isKept;
  };
}

/** Removes everything that is not on the allow-list; the result can be parsed without CSP reports. */
export function filterHtml(html: string): string {
  let filtered = '';
  let open = false;
  const isKept = createDecorationLimiter();
  for (const piece of readHtmlPieces(html)) {
    if ('text' in piece) {
      filtered += (open ? EMPTY_COMMENT : '') + escapeText(piece.text);
      open = OPEN_REFERENCE.test(piece.text);
    } else {
      open = false;
      if (!isKept(piece.tag)) continue;
      const { name, closing, attributes } = piece.tag;
      const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeValue(value)}"`);
      filtered += closing ? `</${name}>` : `<${name}${list.join('')}>`;
    }
  }
  return filtered;
}
