/** The table of contents of a page: its headings of the second level. */

export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** @param html - the page as rendered by `markdown.ts` */
export const contentsOf = (html: string): readonly Heading[] =>
  [...html.matchAll(/<h2 id="([^"]+)"[^>]*>(.*?)<\/h2>/gs)].map(([, id = '', text = '']) => ({
    id,
    text: text.replaceAll(/<[^>]+>/g, ''),
  }));
