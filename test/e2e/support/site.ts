/** A site on loopback that serves the build, the tests' own pages, and an agent; and a browser to visit it with. */
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { browserArguments, findTestBrowser } from '../../../scripts/find-browser.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
};

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => boolean | Promise<boolean>;

export interface SiteOptions {
  /** By path: the body of a page, or a complete page, which begins with a doctype. */
  readonly pages?: Readonly<Record<string, string>>;
  /** Sent with every page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers what is neither a page nor a file of the build; returns false if it does not. */
  readonly agent?: Handler;
  /** Adds listeners to the server, such as for sockets. */
  readonly server?: (server: http.Server) => void;
  /** Every request uses a connection of its own. */
  readonly oneRequestASocket?: boolean;
  /** The browser caches pages that are left, as users' browsers do. */
  readonly keepsPages?: boolean;
  /** Features of the browser that a flag turns on. */
  readonly features?: readonly string[];
}

export interface Site {
  readonly origin: string;
  /** Requested paths, in order. */
  readonly requests: readonly string[];
  /** Opens a page. Its exceptions are thrown again when the site is closed. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** A page that has not navigated yet. Its exceptions are thrown again when the site is closed. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Opens a page in another tab of the same browser. */
  openTab(context: BrowserContext, path: string): Promise<Page>;
  close(): Promise<void>;
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Test</title><script type="module" src="/dist/agent-chat.js"></script><body>${body}</body></html>`;

export async function openSite({
  pages = {},
  headers = {},
  agent,
  server: extend,
  oneRequestASocket = false,
  keepsPages = false,
  features = [],
}: SiteOptions = {}): Promise<Site> {
  const requests: string[] = [];
  const errors: Error[] = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    requests.push(pathname);
    void serve(pathname, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  extend?.(server);
  if (oneRequestASocket) server.maxRequestsPerSocket = 1;
  const serve = async (path: string, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const body = pages[path];
    if (body !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
      response.end(body.startsWith('<!doctype') ? body : page(body));
      return;
    }
    if (path.startsWith('/dist/')) {
      const file = normalize(path.slice(1));
      try {
        const content = await readFile(join(process.cwd(), file));
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content);
      } catch {
        response.writeHead(404).end();
      }
      return;
    }
    // A browser may request it automatically, and its absence is no fault of a page.
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    if (await agent?.(request, response)) return;
    if (!response.headersSent) response.writeHead(404).end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  const browser: Browser = await chromium.launch({
    executablePath: findTestBrowser(),
    args: [...browserArguments, ...(features.length > 0 ? [`--enable-features=${features.join(',')}`] : [])],
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  });
  const unusedContexts = new Map<string, BrowserContext[]>();
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const key = JSON.stringify(options);
    const reused = unusedContexts.get(key)?.pop();
    const context = reused ?? (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }));
    returnToPool.set(context, () => unusedContexts.set(key, [...(unusedContexts.get(key) ?? []), context]));
    const opened = await context.newPage();
    opened.setDefaultTimeout(10_000);
    opened.on('pageerror', (error) => errors.push(error));
    if (reused) {
      const session = await context.newCDPSession(opened);
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await session.detach();
    }
    return opened;
  };
  return {
    origin,
    requests,
    open,
    async visit(path, options) {
      const opened = await open(options);
      await opened.goto(origin + path);
      return opened;
    },
    async openTab(context, path) {
      const opened = await context.newPage();
      opened.setDefaultTimeout(10_000);
      await opened.goto(origin + path);
      return opened;
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (errors[0]) throw errors[0];
    },
  };
}

/** Returns a context to the pool. Contexts are reused, because creating one takes as long as a short test. */
const returnToPool = new WeakMap<BrowserContext, () => void>();

/** Closes all pages of the user and returns the browser context to the pool. Stored data is deleted when it is reused. */
export async function releaseContext(page: Page): Promise<void> {
  const context = page.context();
  await Promise.all(context.pages().map((one) => one.close()));
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearCookies();
  returnToPool.get(context)?.();
}

/** A complete stream of session events. */
export function sessionStream(text: string): string {
  const events = [
    { type: 'session_start', data: { session_id: 's', request_id: 'r' } },
    { type: 'content', data: { content: text } },
    { type: 'session_end', data: { status: 'completed' } },
  ];
  return events
    .map(
      (event, sequence) =>
        `data: ${JSON.stringify({ ...event, metadata: { timestamp: 1_736_985_600, sequence } })}\n\n`,
    )
    .join('');
}

/** An agent that answers every request with a stream. */
export const answering =
  (body: string): Handler =>
  async (request, response) => {
    if (!request.url?.startsWith('/agent')) return false;
    for await (const _ of request); // the request is read to its end
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
    return true;
  };
