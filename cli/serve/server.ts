/**
 * The local server: the page with the widget, its files, and the proxy to the agent's server. It listens on 127.0.0.1
 * only.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { UsageError } from '../options.ts';
import { getsKeys, isSameToken, refuseHost, refuseProxied, urlOf } from './guard.ts';
import { passOn, passSocketOn, type Upstream, type Watcher } from './proxy.ts';
import type { Line } from './watch.ts';

/** All other paths belong to the agent's server. */
const OWN = '/-/';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
};

export interface PageConfig {
  readonly title: string;
  /** The URL of the endpoint; absent for the demo. */
  readonly endpoint?: string;
  /** The agent's origin that the local server forwards to, as HTTP. */
  readonly origin?: string;
  readonly protocol?: unknown;
  /** The ids of the protocols to choose from. */
  readonly protocols: readonly string[];
  readonly agent?: string | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: boolean;
}

export interface ServerOptions {
  /** The folders of the package's build and of the page. */
  readonly dist: string;
  readonly home: string;
  readonly port: number;
  readonly config: PageConfig;
  /** If absent, nothing is forwarded. */
  readonly upstream?: Upstream | undefined;
  /** The path of a module of tools. */
  readonly tools?: string | undefined;
  watch(request: IncomingMessage): Watcher;
}

export interface LocalServer {
  /** The URL of the page, with its token. */
  readonly address: string;
  /** Shows a line on the page. */
  tell(line: Line): void;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<LocalServer> {
  // No letters of base64, which could look like a key and be masked.
  const token = randomBytes(24).toString('hex');
  const lines: Line[] = [];
  const listeners = new Set<ServerResponse>();
  let port = 0;
  const server = http.createServer((request, response) => {
    const path = urlOf(request)?.pathname;
    if (path === undefined) {
      response.writeHead(400).end();
      return;
    }
    if (!path.startsWith(OWN)) {
      const refused = refuseProxied(request, { port, token });
      if (refused !== undefined) refuse(response, refused);
      else if (options.upstream) {
        const upstream = getsKeys(request, token) ? options.upstream : { ...options.upstream, headers: {} };
        passOn(request, response, upstream, options.watch(request));
      } else response.writeHead(404).end();
      return;
    }
    const refused = refuseHost(request, port);
    if (refused !== undefined) refuse(response, refused);
    else
      void serveOwn(path.slice(OWN.length), response).catch(() => {
        if (!response.headersSent) response.writeHead(404);
        response.end();
      });
  });
  server.on('upgrade', (request: IncomingMessage, socket) => {
    // A program may reset its connection at any time. Without a listener that would end the process.
    socket.on('error', () => socket.destroy());
    const refused = refuseProxied(request, { port, token });
    const { upstream } = options;
    if (refused !== undefined || !upstream || !urlOf(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    passSocketOn(request, socket, upstream, options.watch(request));
  });

  const serveOwn = async (path: string, response: ServerResponse): Promise<void> => {
    const [first = '', second = ''] = path.split('/');
    if (first === 'dist') {
      await serveFile(options.dist, path.slice('dist/'.length), response);
    } else if (first === 'page.css') {
      await serveFile(options.home, path, response);
    } else if (!isSameToken(first, token)) {
      refuse(response, 'The token of the page is missing or wrong.');
    } else if (second === 'lines') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', ...GUARDED });
      for (const line of lines) response.write(asEvent(line));
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    } else if (second === 'tools.js' && options.tools !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store', ...GUARDED });
      response.end(await readFile(options.tools));
    } else if (second === '') {
      const page = await readFile(join(options.home, 'page.html'), 'utf8');
      // Escaped, so that it cannot end the script element.
      const config = JSON.stringify({ ...options.config, token }).replaceAll('<', '\\u003c');
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy(port),
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        ...GUARDED,
      });
      response.end(page.replace('CONFIG', () => config));
    } else response.writeHead(404).end();
  };

  await new Promise<void>((ready, failed) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const port = String(options.port);
      failed(new UsageError(code === 'EADDRINUSE' ? `Port ${port} is in use. Omit --port for a free one.` : message));
    });
    server.listen(options.port, '127.0.0.1', ready);
  });
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    address: `http://127.0.0.1:${String(port)}${OWN}${token}/`,
    tell(line) {
      lines.push(line);
      for (const listener of listeners) listener.write(asEvent(line));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const asEvent = (line: Line): string => `data: ${JSON.stringify(line)}\n\n`;

/** The URL of the page contains the token: no other page can read it or embed this one. */
const GUARDED = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

const policy = (port: number): string =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob:; media-src 'self' https: data: blob:; " +
  `connect-src 'self' ws://127.0.0.1:${String(port)}; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function refuse(response: ServerResponse, why: string): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', ...GUARDED }).end(`${why}\n`);
}

/** Resolves a file inside a folder, and never outside it. */
async function serveFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = resolve(folder, path);
  if (!file.startsWith(resolve(folder) + sep)) {
    response.writeHead(404).end();
    return;
  }
  const content = await readFile(file);
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...GUARDED });
  response.end(content);
}
