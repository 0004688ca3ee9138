/** Keeps what an agent writes from looking like the next message of an exported conversation: “### You”. */
import { escapeTags } from './close-markdown.ts';

/** What may come before a heading in its line: quotes, list items, footnotes. */
const BEFORE = String.raw`[ \t>]*(?:(?:(?:[*+-]|\d{1,9}[.)])[ \t]|\[\^[^\]\r\n]{1,99}\]:)[ \t>]*)*`;
/** In Markdown, unlike in `^`, `$` and `.`, the separators U+2028 and U+2029 end no line. */
const HEADING = new RegExp(String.raw`(?<=^|[\r\n])(${BEFORE})(#{1,6}(?:[ \t][^\r\n]*)?)(?=[\r\n]|$)`, 'g');
const UNDERLINED = /(?<=^|[\r\n])([^\r\n]+(?:\r\n?|\n)[ \t>]*)(?=(?:=+|-+)[ \t]*(?:[\r\n]|$))/g;
const HTML_HEADING = /<h[1-6](?=[\s/>])/gi;
const BLANK_LINE = /(?:\r\n?|\n)[ \t>]*(?:\r\n?|\n)/;

/**
 * Escapes the headings of a text that read like the name of an author.
 *
 * @param isName - whether a text is the name of an author
 */
export function escapeAuthorHeadings(text: string, isName: (text: string) => boolean): string {
  const isAuthor = (heading: string): boolean =>
    REVERSED.test(decode(heading.slice(0, MAX_LENGTH))) ||
    readings(heading).some((words) => (/[\p{L}\p{N}]/u.test(words) ? isName(words) : heading.length > MAX_LENGTH));
  return text
    .replace(HTML_HEADING, (tag, at: number) => (isAuthor(text.slice(at, at + MAX_LENGTH + 1)) ? escapeTags(tag) : tag))
    .replace(HEADING, (line, before: string, heading: string) => (isAuthor(heading) ? `${before}\\${heading}` : line))
    .replace(UNDERLINED, (line, _line, at: number, all: string) => {
      // A heading may have several lines, of which the last one may only end a link.
      const lines = all.slice(Math.max(0, at - MAX_LENGTH), at + line.trimEnd().length).split(BLANK_LINE);
      return [line, lines.at(-1) ?? ''].some(isAuthor) ? `${line}\\` : line;
    });
}

/** What displays letters in the opposite order, in which they may be a name. */
const REVERSED = /[\u202d\u202e]|<bdo(?=[\s/>])/i;

/** Longest heading that is read (characters). */
const MAX_LENGTH = 300;

/** Two ways to find tags: whether a quotation mark in a tag begins a value depends on the characters before it. */
const TAGS = [/<[^<>]*(?:>|$)/g, /<!--.*?(?:-->|$)|<(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>]){0,300}>?/gs];

/** What a heading may read like: without tags, and with its links as their text. */
const readings = (heading: string): readonly string[] => [
  ...new Set(
    TAGS.flatMap((tag) => {
      const [text = ''] = heading
        .slice(0, MAX_LENGTH)
        .replace(tag, (spelled) => (/^<\/h/i.test(spelled) ? '</' : ''))
        .split('</', 1);
      return [text, withoutTargets(text.replace(START, ''))].map(decode);
    }),
  ),
];
const START = new RegExp(`^${BEFORE}`);

/** Without the targets of links, footnotes, and what else is in parentheses. */
function withoutTargets(text: string): string {
  let rest = text
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/(?<=\])\[[^[\]]*\]|\[\^[^[\]]*\]/g, '')
    .replace(/\s(?:"[^"]*"|'[^']*')(?=\s*\))/g, '');
  for (let depth = 0; depth < MAX_DEPTH; depth++) rest = rest.replace(/\([^()]*\)/g, '');
  return rest.replace(/\]\(.*/gs, '');
}
/** The parentheses in a link. Source: CommonMark, "Links". */
const MAX_DEPTH = 32;

const decode = (text: string): string =>
  text
    .replace(/&#(x?)([\da-f]{1,6});/gi, (_entity, hex: string, digits: string) => {
      const code = parseInt(digits, hex ? 16 : 10);
      return code > 0 && code < 0x11_00_00 ? String.fromCodePoint(code) : '';
    })
    .replace(/&([a-z])(?:opf|scr|fr|uml|acute|grave|circ);/gi, '$1')
    .replace(/&\w{1,32};/g, '');
