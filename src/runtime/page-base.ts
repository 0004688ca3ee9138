/**
 * Resolves the page's relative URLs, as its links are: documents without an address (`srcdoc`, `about:blank`) use that
 * of their parent. A `<base>` on another origin, such as a CDN, does not move the endpoint and its credentials there.
 */
export function pageBase(): string {
  const { baseURI } = document;
  const { origin, href } = location;
  return ['null', URL.parse(baseURI)?.origin].includes(origin) ? baseURI : href;
}
