/** Builds the search index: pages with their headings and text. */
import { contentsOf } from './page-contents.ts';

export interface WrittenPage {
  readonly url: string;
  readonly content: string;
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:quot|lt|gt|amp|#39);/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The index is a classic script, which a page can also load from a disk. */
export function searchIndex(pages: readonly WrittenPage[]): string {
  const index = pages.flatMap(({ url, content }) => {
    const main = /<main[^>]*>(.*)<\/main>/s.exec(content)?.[1] ?? '';
    const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1];
    if (title === undefined) return [];
    return [{ url: url.slice(1), title: plain(title), headings: contentsOf(main), text: plain(main) }];
  });
  return `globalThis.siteIndex = ${JSON.stringify(index)};\n`;
}
