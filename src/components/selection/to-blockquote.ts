/** Converts text to a Markdown blockquote followed by an empty line. */
export const toBlockquote = (text: string): string => `${text.trim().replace(/^/gm, '> ').replace(/^> $/gm, '>')}\n\n`;
