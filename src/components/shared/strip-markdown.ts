import { textOfHtml } from '../../safety/html-tags.ts';

/** Replaces Markdown links and images with their text. A label or URL ends at the next `[`, so that each character is read once. */
export const stripLinkMarkup = (text: string): string => text.replace(/!?\[([^[\]]*)\]\([^[)]*\)/g, '$1');

/** Returns Markdown as plain text for speech, without markup and HTML tags. Code blocks are omitted. */
export const stripMarkdown = (text: string): string =>
  stripLinkMarkup(textOfHtml(text.replace(/```[\s\S]*?(?:```|$)/g, ' ')))
    .replace(/^[-:|\t ]+$/gm, '')
    .replace(/^[ \t]*(?:[-*+>|]|#{1,6}|\d+[.)])[ \t]+/gm, '')
    .replace(MARKS, '')
    .replace(/[\s|]+/g, ' ')
    .trim();

/**
 * Marks of emphasis, strikethrough and code. `3~5`, `2*3`, `2 * 3`, `2**8` and `user_id` keep theirs: without them a
 * listener would hear 35, 23 and 28.
 */
const MARKS =
  /`+|~~+|(?<![_~\p{L}\p{N}])[_~]+|(?<=[\p{L}\p{N}])[_~]+(?![_~\p{L}\p{N}])|(?<![\d*])\*+(?![\s*])|(?<![\s*])\*+(?![\d*])/gu;
