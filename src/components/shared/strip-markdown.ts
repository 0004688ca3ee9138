import { textOfHtml } from '../../safety/read-html.ts';

/** Replaces Markdown links and images with their text. A label or URL ends at the next `[`, so that each character is read once. */
export const stripLinkMarkup = (text: string): string => text.replace(LINK, '$1');

const LINK = /!?\[([^[\]]*)\]\((?:[^[)"]*"[^["]*"[^[)"]*\)|[^[)]*\))/g;
const CODE = /(```|~~~)[\s\S]*?(?:\1|$)/g;
/** The definition of a link, which is not shown. That of a footnote is. */
const DEFINITION =
  /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(?:\n[ \t]*)?[^\s"'(]\S*(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/gm;

/** Returns Markdown as plain text for speech, without markup and HTML tags. Code blocks are omitted. */
export const stripMarkdown = (text: string): string =>
  stripLinkMarkup(textOfHtml(text.replace(CODE, ' ').replace(DEFINITION, '')))
    .replace(/^[ \t]*(?:[-*+>|]|#{1,6}|\d+[.)])[ \t]+/gm, '')
    // `3~5`, `2*3` and `2 * 3` keep their marks: without them a listener would hear 35 and 23.
    .replace(/[`_]+|~~+|(?<![\d*])\*+(?![\s*])|(?<![\s*])\*+(?![\d*])/g, '')
    .replace(/[\s|]+/g, ' ')
    .trim();
