import { parseUrl } from '../parse-url.ts';

/**
 * The base of the page's relative URLs, as for its links: a document without an address (`srcdoc`, `about:blank`) has
 * that of its parent. A `<base>` on another origin, such as a CDN, does not move the endpoint and its credentials there.
 */
export function pageBase(): string {
  const { href, origin, pathname } = location;
  // Servers and workers have no document. The global origin is that of the parent, if the document has no address.
  const { document, origin: inherited } = globalThis as Partial<typeof globalThis>;
  const baseUri = document?.baseURI ?? href;
  const own = origin === 'null' ? inherited : origin;
  return !own || own === 'null' || own === parseUrl(baseUri)?.origin ? baseUri : new URL(pathname, own).href;
}
