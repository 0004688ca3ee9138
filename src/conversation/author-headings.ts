/** Keeps what an agent writes from looking like the next message of an exported conversation: “### You”. */
import { escapeTags } from './close-markdown.ts';

/** In Markdown, unlike in `^`, `$` and `.`, the separators U+2028 and U+2029 end no line. */
const HEADING = /(?<=^|[\r\n])([ \t>]*)(#{1,6}(?:[ \t][^\r\n]*)?)(?=[\r\n]|$)/g;
const UNDERLINED = /(?<=^|[\r\n])([^\r\n]+(?:\r\n?|\n)[ \t>]*)(?=(?:=+|-+)[ \t]*(?:[\r\n]|$))/g;
const HTML_HEADING = /<h[1-6](?=[\s/>])/gi;

/**
 * Escapes the headings of a text that read like the name of an author.
 *
 * @param isName - whether a text is the name of an author
 */
export function escapeAuthorHeadings(text: string, isName: (text: string) => boolean): string {
  const isAuthor = (heading: string): boolean => {
    const words = plainText(heading);
    return /[\p{L}\p{N}]/u.test(words) && isName(words);
  };
  return text
    .replace(HTML_HEADING, (tag, at: number) => (isAuthor(contentOfHeading(text, at)) ? escapeTags(tag) : tag))
    .replace(HEADING, (line, before: string, heading: string) => (isAuthor(heading) ? `${before}\\${heading}` : line))
    .replace(UNDERLINED, (heading) => (isAuthor(heading) ? `${heading}\\` : heading));
}

/** Longest heading that is read (characters). */
const MAX_LENGTH = 300;

const contentOfHeading = (text: string, at: number): string =>
  text.slice(at, at + MAX_LENGTH).split(/<\/h/i, 1)[0] ?? '';

/** What a heading reads like: without tags, and with its links as their text. */
const plainText = (heading: string): string =>
  heading
    .slice(0, MAX_LENGTH)
    .replace(/<[^<>]*>/g, '')
    .replace(/\]\([^()]*\)/g, '')
    .replace(/&#(x?)([\da-f]{1,6});/gi, (_entity, hex: string, digits: string) => {
      const code = parseInt(digits, hex ? 16 : 10);
      return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : '';
    })
    .replace(/&\w{1,32};/g, '');
