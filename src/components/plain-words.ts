import { textOfHtml } from '../safety/html-tags.ts';

/** Markdown without its marks and the tags in it, as it is said aloud. Code is left out. */
export const plainWords = (text: string): string =>
  textOfHtml(text.replace(/```[\s\S]*?(?:```|$)/g, ' '))
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:[-*+>|]|#{1,6}|\d+[.)])[ \t]+/gm, '')
    .replace(/[*_`~|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
