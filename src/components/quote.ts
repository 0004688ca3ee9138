/** Words as a quotation of Markdown, with room for an answer behind it. */
export const quoteOf = (words: string): string => `${words.trim().replace(/^/gm, '> ').replace(/^> $/gm, '>')}\n\n`;
