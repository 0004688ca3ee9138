/**
 * Access control of the local server. The server adds the user's keys to forwarded requests, so other pages in the same
 * browser must not be able to use it. Such a page may know the port, may send requests there, and may have a host name
 * that resolves to this machine.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The header that proves that a request comes from our page. A custom header needs a preflight, which is never granted
 * to other pages.
 */
export const TOKEN_HEADER = 'x-agent-chat-token';
/**
 * The token's query parameter for WebSockets, which can't have headers. It is removed before the request is forwarded.
 */
export const TOKEN_FIELD = 'agent-chat-token';

/**
 * The header that the page sets as its own (`chat.headers`), with the token. The widget sends it where a page's keys may go: not to an
 * address for a file, which the server chooses with its headers. A WebSocket, which can't have it, leads to the endpoint.
 */
export const OWN_HEADER = 'x-agent-chat-own';

/** Whether a request gets the user's keys. */
export const getsKeys = ({ headers }: IncomingMessage, token: string): boolean => {
  const own = headers[OWN_HEADER];
  return typeof own === 'string' && isSameToken(own, token);
};

/** The URL of a request on this server; undefined if its target is malformed. */
export function urlOf({ url = '/' }: Pick<IncomingMessage, 'url'>): URL | undefined {
  try {
    return new URL(url.replace(/^\/+/, '/'), 'http://127.0.0.1');
  } catch {
    return undefined;
  }
}

/** Why a request for a file of the page is refused; undefined if it is allowed. The files contain nothing secret. */
export function refuseHost({ headers }: IncomingMessage, port: number): string | undefined {
  // A host name that resolves to 127.0.0.1 (DNS rebinding) appears in `Host`.
  return headers.host === `127.0.0.1:${String(port)}` ? undefined : 'This server answers to 127.0.0.1 only.';
}

/** Why a request to be forwarded is refused; undefined if it is allowed. */
export function refuseProxied(
  request: IncomingMessage,
  { port, token }: { readonly port: number; readonly token: string },
): string | undefined {
  const wrongHost = refuseHost(request, port);
  if (wrongHost !== undefined) return wrongHost;
  const { origin, 'sec-fetch-site': site } = request.headers;
  // Absent in a GET of the page itself; browsers always send it with a WebSocket or a POST.
  if (origin !== undefined && origin !== `http://127.0.0.1:${String(port)}`)
    return 'This server answers to its own page only.';
  // Browsers without this header were checked by `Origin`.
  if (site !== undefined && site !== 'same-origin') return 'This server answers to its own page only.';
  return isSameToken(tokenOf(request), token) ? undefined : 'The token of the page is missing or wrong.';
}

function tokenOf(request: IncomingMessage): string {
  const { headers } = request;
  const receivedToken = headers[TOKEN_HEADER];
  if (typeof receivedToken === 'string') return receivedToken;
  if (headers.upgrade === undefined) return '';
  return urlOf(request)?.searchParams.get(TOKEN_FIELD) ?? '';
}

export function isSameToken(receivedToken: string, token: string): boolean {
  const [left, right] = [Buffer.from(receivedToken), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}
