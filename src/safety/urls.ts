/**
 * Decides which URLs are allowed, for every kind of use. URLs are checked as parsed, because a string may look
 * different from what browsers make of it. Source: `docs/security.md`.
 */
import { parseUrl } from '../parse-url.ts';

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** Bidirectional controls, tags, and others. Words and emoji need the joiners and U+FE0F. */
const INVISIBLE = /(?![\u200c\u200d]|\ufe0f)\p{DI}/gu;

/** Removes bidirectional controls, which would display the text in another order, and other characters that nobody sees. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** A gap in a name would cut its line off behind a host that the check of links has read as a part of more words. */
export const closeGaps = (name: string): string => name.replace(/[\s\u2800]+/g, ' ');

/** Returns the URL of a safe link, or undefined. Relative links are not allowed: they would lead around the host's site. */
export function safeLink(href: string): URL | undefined {
  const url = parseUrl(href.trim());
  return url && LINK_SCHEMES.has(url.protocol) ? url : undefined;
}

/** Returns an endpoint's absolute URL, or why it cannot be used. */
export function checkEndpoint(
  endpoint: string,
  page: { readonly href: string; readonly origin: string | undefined },
): URL | string {
  const url = parseUrl(endpoint, page.href);
  // Without the address, whose query may hold a key: errors are stored and exported.
  if (!url) return 'The endpoint is not a URL.';
  // `fetch` refuses it with an error that contains both. Browsers send those of a WebSocket.
  if ((url.username || url.password) && !url.protocol.startsWith('ws'))
    return 'The endpoint has a user name or a password. Use "headers".';
  if (url.protocol === 'https:' || url.protocol === 'wss:') return url;
  if (url.protocol !== 'http:' && url.protocol !== 'ws:')
    return `The endpoint's scheme "${url.protocol}" is not one of https, wss.`;
  const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const own = url.host === parseUrl(page.origin ?? '')?.host;
  return loopback || own
    ? url
    : `The endpoint "${url.origin}" is not encrypted. Use https or wss; http works on this machine and on the page's own origin only.`;
}
