/** A reverse proxy from the page to the one server that the command was given. It forwards bytes unchanged. */
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { OWN_HEADER, TOKEN_FIELD, TOKEN_HEADER } from './guard.ts';

export interface Upstream {
  /** A URL of the server; only its origin is used. */
  readonly target: URL;
  /** The user's own headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Callbacks that observe one exchange. */
export interface Watcher {
  /**
   * Called with the head of the response, then with each chunk of its body. Not called if the server can't be reached.
   */
  answer(status: number, headers: http.IncomingHttpHeaders): void;
  piece(bytes: Buffer): void;
  /** `problem`: why there was no response, or why it was interrupted. */
  end(problem?: string): void;
  /** Called with the chunks of the request's body. */
  sent(bytes: Buffer): void;
}

/**
 * Headers that are not forwarded: hop-by-hop headers and those about the page. `accept-encoding` is left out so that
 * the response can be read here.
 */
const NOT_PASSED = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te', 'trailer'],
  ...['origin', 'referer', 'cookie', 'accept-encoding', TOKEN_HEADER, OWN_HEADER],
]);
/**
 * Headers of a response that are not forwarded: the browser would apply them to 127.0.0.1 and so to every other local
 * server, whose cookies it would set or delete, or to the page.
 */
const NOT_ANSWERED = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'set-cookie', 'clear-site-data', 'location', 'alt-svc'],
  ...['link', 'refresh', 'report-to', 'reporting-endpoints', 'nel', 'service-worker-allowed'],
]);

/** A handshake keeps its `connection`. */
const NOT_IN_HANDSHAKE = new Set([...NOT_ANSWERED].filter((name) => name !== 'connection'));

/** The request's headers without those of the browser, overridden by the user's. */
function headersFor(request: IncomingMessage, { target, headers }: Upstream): OutgoingHttpHeaders {
  const passed = Object.entries(request.headers).filter(
    ([name]) => !NOT_PASSED.has(name) && !name.startsWith('sec-fetch-') && !name.startsWith('sec-ch-'),
  );
  return { ...Object.fromEntries(passed), ...headers, host: target.host, 'accept-encoding': 'identity' };
}

const isEncrypted = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:';

/** The server's URL for a path of the page. Only the path is used, so that no other server can be addressed. */
export function pathFor(url: string): string {
  const { pathname, searchParams, search } = new URL(url.replace(/^\/+/, '/'), 'http://127.0.0.1');
  if (!searchParams.has(TOKEN_FIELD)) return pathname + search;
  searchParams.delete(TOKEN_FIELD);
  return pathname + (searchParams.size > 0 ? `?${searchParams.toString()}` : '');
}

function requestTo(upstream: Upstream, options: http.RequestOptions): http.ClientRequest {
  const { hostname, port } = upstream.target;
  const all: http.RequestOptions = {
    ...options,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port }),
    agent: false,
  };
  return isEncrypted(upstream.target) ? https.request(all) : http.request(all);
}

/** The user stopped the reply, or left the page. */
export const PAGE_LEFT = 'The page closed the connection.';

/** Forwards an HTTP request. */
export function passOn(request: IncomingMessage, response: ServerResponse, upstream: Upstream, watcher: Watcher): void {
  let over = false;
  const end = (problem?: string): void => {
    if (!over) watcher.end(problem);
    over = true;
  };
  const outgoing = requestTo(upstream, {
    method: request.method ?? 'GET',
    path: pathFor(request.url ?? '/'),
    headers: headersFor(request, upstream),
  });
  const fail = (reason: string): void => {
    if (!response.headersSent) {
      response.writeHead(502, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `${upstream.target.host} can't be reached: ${reason}` } }));
    }
    end(reason);
  };
  outgoing.on('upgrade', (_answer, remote) => {
    fail('it answered with a WebSocket');
    remote.destroy();
  });
  outgoing.on('response', (answer) => {
    const { statusCode = 502, headers } = answer;
    // Node accepts these from a server and refuses to send them.
    if (statusCode < 200) {
      fail(`the status ${String(statusCode)} is invalid`);
      outgoing.destroy();
      return;
    }
    watcher.answer(statusCode, headers);
    const passed = Object.entries(headers).filter(([name]) => !NOT_ANSWERED.has(name) && !isOfCors(name));
    response.writeHead(statusCode, {
      ...Object.fromEntries(passed),
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    response.flushHeaders();
    answer.on('data', (bytes: Buffer) => {
      watcher.piece(bytes);
      if (!response.write(bytes)) {
        answer.pause();
        response.once('drain', () => answer.resume());
      }
    });
    answer.on('end', () => {
      response.end();
      end();
    });
    answer.on('error', (error) => {
      end(error.message);
      // The page receives what was sent before, and then the loss.
      if (response.socket) response.socket.destroySoon();
      else response.destroy();
    });
  });
  outgoing.on('error', (error) => {
    fail(error.message);
  });
  // The user stopped the reply or left the page, so the request to the server is aborted too.
  response.on('close', () => {
    outgoing.destroy();
    end(PAGE_LEFT);
  });
  request.on('data', (bytes: Buffer) => {
    watcher.sent(bytes);
  });
  request.pipe(outgoing);
}

/** The page sends requests only to its own origin. */
const isOfCors = (name: string): boolean => name.startsWith('access-control-');

/** Forwards a WebSocket. Extensions are removed, because compressed messages could not be read here. */
export function passSocketOn(request: IncomingMessage, socket: Duplex, upstream: Upstream, watcher: Watcher): void {
  const headers = headersFor(request, upstream);
  delete headers['sec-websocket-extensions'];
  const outgoing = requestTo(upstream, {
    path: pathFor(request.url ?? '/'),
    headers: { ...headers, connection: 'Upgrade', upgrade: 'websocket' },
  });
  let over = false;
  const end = (problem?: string): void => {
    if (!over) watcher.end(problem);
    over = true;
  };
  const refuse = (status: number): void => {
    socket.end(`HTTP/1.1 ${String(status)} ${http.STATUS_CODES[status] ?? ''}\r\nconnection: close\r\n\r\n`);
  };
  outgoing.on('upgrade', (answer, remote, head) => {
    watcher.answer(101, answer.headers);
    const lines = Object.entries(answer.headers)
      .filter(([name]) => !NOT_IN_HANDSHAKE.has(name))
      .map(([name, value]) => `${name}: ${String(value)}`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    const receive = (bytes: Buffer): void => {
      watcher.piece(bytes);
      socket.write(bytes);
    };
    if (head.length > 0) receive(head);
    remote.on('data', receive);
    remote.on('end', () => socket.end());
    remote.on('error', () => socket.destroy());
    remote.on('close', () => {
      end();
    });
    socket.on('data', (bytes: Buffer) => {
      watcher.sent(bytes);
      remote.write(bytes);
    });
    socket.on('end', () => remote.end());
    socket.on('error', () => remote.destroy());
    socket.on('close', () => remote.destroy());
  });
  outgoing.on('response', (answer) => {
    const { statusCode = 502, headers } = answer;
    watcher.answer(statusCode, headers);
    answer.resume();
    refuse(statusCode < 200 ? 502 : statusCode);
    end('The server answered without a WebSocket.');
  });
  outgoing.on('error', (error) => {
    refuse(502);
    end(error.message);
  });
  socket.on('error', () => outgoing.destroy());
  outgoing.end();
}
