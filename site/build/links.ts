/** Where pages lie. All addresses are relative, so that the folder works below any path, and from a disk. */
import { posix } from 'node:path';

/** Documents that lie beside `docs/`. (`SECURITY.md` says how to report, `security.md` what is done.) */
const BESIDE: Readonly<Record<string, string>> = {
  '../CHANGELOG.md': 'changelog.html',
  '../SECURITY.md': 'reporting.html',
};

/** `guides/tools.md` → `guides/tools.html`; the `README.md` of a folder is its first page. */
export const pageOf = (source: string): string =>
  BESIDE[source] ?? source.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

/** What leads from a page to the folder of all of them: `../` for `/guides/tools.html`. */
export const rootOf = (url: string): string => '../'.repeat(url.split('/').length - 2) || './';

/**
 * Where a link of a document leads on the site; undefined where it leads to what the site has no page for, such as a source file.
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
