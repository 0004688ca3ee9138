/**
 * Which URLs are let through, for every sink there is. They are judged as parsed, since what a browser makes of a string is
 * not what it looks like. Source: `security/README.md`, rules 5 to 7.
 */
const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;

/** A text of the wire without the controls that make it read otherwise than it is. */
export const withoutBidi = (text: string): string => text.replace(BIDI_CONTROLS, '');

const parse = (url: string, base?: string): URL | undefined => {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
};

/** A link that may be shown as one, or undefined. A relative one would lead around in the host's site: it is none. */
export function safeLink(href: string): URL | undefined {
  const url = parse(href.trim());
  return url && LINK_SCHEMES.has(url.protocol) ? url : undefined;
}

/** What a reader does not see. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** What looks like a host: behind a scheme or `www.` anywhere, else only alone. (`Node.js` in a sentence is none.) */
const ADDRESS = /(?:https?:[/\\]*|\bwww\.)([^\s/\\:?#@]+)/giu;
const HOST = /^((?:[\p{L}\p{M}\p{N}_-]+[.。．｡])+\p{L}{2,})\.?(?:[/\\:?#@]|$)/u;

/**
 * The host to name beside a link, else undefined: the words look like another one, or its name has foreign letters, which may
 * look like others. It is in its real spelling (punycode), as `URL` gives it.
 */
export function deceptiveHost(url: URL, words: string): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const real = url.hostname;
  const bare = (name: string | undefined): string | undefined => name?.replace(/^www\.|\.$/g, '');
  const isOther = (name: string): boolean =>
    bare(parse(`https://${name.replace(/[^\p{L}\p{N}\]]+$/u, '')}`)?.hostname) !== bare(real);
  return /(?:^|\.)xn--/.test(real) || hostsIn(words.replace(INVISIBLE, '').trim()).some(isOther) ? real : undefined;
}

function hostsIn(words: string): string[] {
  const alone = HOST.exec(words)?.[1];
  return alone === undefined ? Array.from(words.matchAll(ADDRESS), ([, name = '']) => name) : [alone];
}

/** Why an endpoint can't be used, or its absolute URL. Source: the contract, `endpoint`. */
export function checkEndpoint(
  endpoint: string,
  page: { readonly href: string; readonly origin: string },
): URL | string {
  const url = parse(endpoint, page.href);
  if (!url) return `The endpoint "${endpoint}" is not a URL.`;
  if (url.protocol === 'https:' || url.protocol === 'wss:') return url;
  if (url.protocol !== 'http:' && url.protocol !== 'ws:')
    return `The endpoint's scheme "${url.protocol}" is not one of https, wss.`;
  const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const own = url.host === parse(page.origin)?.host;
  return loopback || own
    ? url
    : `The endpoint "${url.origin}" is not encrypted. Use https or wss; http works on this machine and on the page's own origin only.`;
}
