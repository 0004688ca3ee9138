import { documentBase, parseUrl } from '../parse-url.ts';

/** The origin of the page. A document without an address (`srcdoc`, `about:blank`) has that of its parent. */
export function pageOrigin(): string | undefined {
  // Servers and workers have no document. The global origin is that of the parent, if the document has no address.
  return location.origin === 'null' ? (globalThis as Partial<typeof globalThis>).origin : location.origin;
}

/**
 * The base of the page's relative URLs, as for its links: a document without an address has that of its parent. A `<base>` on
 * another origin, such as a CDN, does not move the endpoint and its credentials there. A user name and a password in the address of
 * the page are left out: `fetch` refuses them, and the browser sends them by itself.
 */
export function pageBase(): string {
  const { href, pathname } = location;
  const baseUri = (documentBase() ?? href).replace(/^(https?:\/\/)[^/]*@/, '$1');
  const own = pageOrigin();
  return !own || own === 'null' || own === parseUrl(baseUri)?.origin ? baseUri : new URL(pathname, own).href;
}
