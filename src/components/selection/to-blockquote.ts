import { removeInvisible } from '../../safety/remove-invisible.ts';

/**
 * Converts text to a Markdown blockquote followed by an empty line. It becomes a text of the user, who sees all of it: a model would
 * read hidden characters of the agent as words of the user.
 */
export const toBlockquote = (text: string): string =>
  `${removeInvisible(text).trim().replace(/^/gm, '> ').replace(/^> $/gm, '>')}\n\n`;
