import { ChatError } from '../../errors.ts';

/**
 * The URL of another resource of the same server: `path` replaces the last segment of the endpoint's path, or the last `segments` ones.
 * The query is preserved, because a proxy may need it.
 *
 * @example
 * siblingUrl('https://a.example/v1/chat', 'files/upload') // https://a.example/v1/files/upload
 */
export function siblingUrl(endpoint: string, path: string, segments = 1): string {
  const url = new URL(endpoint);
  const remaining = url.pathname
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .slice(0, -segments);
  url.pathname = [...(remaining.length > 0 ? remaining : ['']), path].join('/');
  return url.href;
}

/**
 * A URL that becomes part of a message, without the endpoint's query, user and password: they may be credentials, and messages
 * are shown, stored and sent to other agents.
 */
export function contentUrl(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Adds parameters to the query of a URL; undefined values are skipped. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Encodes an id as one path segment.
 *
 * @throws ChatError for an id that could change the path of the URL, see `safePathSegment`
 */
export function pathSegment(id: string): string {
  const safe = safePathSegment(id);
  if (safe !== undefined) return safe;
  throw new ChatError('protocol', `The id ${JSON.stringify(id.slice(0, SHOWN_LENGTH))} can't be part of an address.`, {
    reason: 'unexpected',
  });
}

/**
 * Like `pathSegment`, but returns undefined for an id that is empty, very long, not well-formed, has control characters or
 * contains dot segments. Browsers resolve `..` and `%2e%2e`. A proxy may decode once more, take `\` for `/`, or resolve dots
 * before a path parameter (`..;x`), a query (`..?x`) or a fragment. So all of these are rejected.
 */
export function safePathSegment(id: string): string | undefined {
  if (id === '' || id.length > MAX_LENGTH || !id.isWellFormed()) return undefined;
  let decoded = id;
  for (let previous = ''; decoded !== previous;) {
    previous = decoded;
    decoded = decoded.replace(ESCAPED, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)));
    if (CONTROL.test(decoded)) return undefined;
  }
  return decoded.split(/[/\\]/).some((part) => DOTS.test(part)) ? undefined : encodeURIComponent(id);
}

/** Servers refuse URLs of more than a few thousand characters. */
const MAX_LENGTH = 1024;
const SHOWN_LENGTH = 40;
const DOTS = /^\s*\.{1,2}\s*(?:[;?#]|$)/;
/** The escapes of all ASCII characters, because any of them may be part of another escape: `%25` in `%252e`. */
const ESCAPED = /%[0-7][\da-f]/gi;
const CONTROL = /\p{Cc}/u;
