/** What a page is made of: its headings of the second level, for the list beside it. */

export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** @param html - the page as `markdown.ts` writes it */
export const contentsOf = (html: string): readonly Heading[] =>
  [...html.matchAll(/<h2 id="([^"]+)"[^>]*>(.*?)<\/h2>/gs)].map(([, id = '', text = '']) => ({
    id,
    text: text.replaceAll(/<[^>]+>/g, ''),
  }));
