/**
 * Parses a URL; undefined if it is invalid. Chrome 125 has no `URL.parse()`, and an exception is slow: 2,000 links without
 * a scheme took 250 ms in one frame.
 */
export const parseUrl = (url: string, base?: string): URL | undefined =>
  URL.canParse(url, base) ? new URL(url, base) : undefined;

/**
 * The base of the document's relative URLs; undefined where there is no document, as on a server. It is read from a new node, because an
 * image of the page that is named `baseURI` replaces `document.baseURI`.
 */
export const documentBase = (): string | undefined => (typeof Text === 'undefined' ? undefined : new Text().baseURI);
