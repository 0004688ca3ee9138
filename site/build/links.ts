/** URLs of pages. All are relative, so that the site works below any path and from a disk. */
import { posix } from 'node:path';

/** Documents beside `docs/`. (`SECURITY.md` describes reporting, `security.md` the measures.) */
const BESIDE: Readonly<Record<string, string>> = {
  '../CHANGELOG.md': 'changelog.html',
  '../SECURITY.md': 'reporting.html',
};

/** `guides/tools.md` → `guides/tools.html`; the `README.md` of a folder becomes its index page. */
export const pageOf = (source: string): string =>
  BESIDE[source] ?? source.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

/** The relative path from a page to the root of the site: `../` for `/guides/tools.html`. */
export const rootOf = (url: string): string => '../'.repeat(url.split('/').length - 2) || './';

/**
 * Resolves a link of a document to a URL of the site. Undefined if the site has no such page, for example for a source file.
 *
 * @param from - the document, relative to `docs/`
 */
export function linkOf(href: string, from: string, documents: ReadonlySet<string>): string | undefined {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href;
  const [path = '', hash] = href.split('#', 2);
  const target = posix.join(posix.dirname(from), path);
  const found = [target, posix.join(target, 'README.md')].find((document) => documents.has(document));
  if (found === undefined) return undefined;
  const relative = posix.relative(posix.dirname(pageOf(from)), pageOf(found));
  return hash === undefined ? relative : `${relative}#${hash}`;
}
