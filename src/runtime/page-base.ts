/**
 * The base of the page's relative URLs, as for its links: a document without an address (`srcdoc`, `about:blank`) has
 * that of its parent. In a document with an address, a `<base>` on another origin, such as a CDN, does not move the
 * endpoint and its credentials there.
 */
export function pageBase(): string {
  const { baseURI } = document;
  const { origin, href } = location;
  return ['null', URL.parse(baseURI)?.origin].includes(origin) ? baseURI : href;
}
