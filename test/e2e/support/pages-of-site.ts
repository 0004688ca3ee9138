/** The built site: its pages, and a server for them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const SITE = 'site/dist';

/** Relative to the site. */
export async function pagesOfSite(): Promise<readonly string[]> {
  const files = await readdir(SITE, { recursive: true }).catch(() => {
    throw new Error('There is no site yet: run "npm run docs".');
  });
  return files.filter((file) => file.endsWith('.html') && !file.startsWith('assets')).sort();
}

/** The targets of a page's links, and the ids in it. */
export interface Linked {
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
}

export async function linkedOf(page: string): Promise<Linked> {
  const html = await readFile(join(SITE, page), 'utf8');
  const matches = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, value = '']) => value);
  return {
    links: matches(/ (?:href|src)="([^"]+)"/g).map((link) => link.replaceAll('&amp;', '&')),
    ids: new Set(matches(/ id="([^"]+)"/g)),
  };
}
