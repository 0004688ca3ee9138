import { parseUrl } from '../parse-url.ts';

/**
 * The base of the page's relative URLs, as for its links: a document without an address (`srcdoc`, `about:blank`) has
 * that of its parent. In a document with an address, a `<base>` on another origin, such as a CDN, does not move the
 * endpoint and its credentials there.
 */
export function pageBase(): string {
  const { origin, href } = location;
  // Servers and workers have no document.
  const baseUri = (globalThis as Partial<typeof globalThis>).document?.baseURI ?? href;
  return ['null', parseUrl(baseUri)?.origin].includes(origin) ? baseUri : href;
}
