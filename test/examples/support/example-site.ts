/** An example as its server serves it, with an agent at the address that all of them use. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import http from 'node:http';
import { createServer } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { installUserState } from '../../e2e/support/user-state.ts';
import { openSite, type Handler } from '../../e2e/support/site.ts';
import { scriptedAgent, type ScriptedAgent } from '../../e2e/support/scripted-agent.ts';

const HOME = '.cache/examples';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

export interface Example {
  readonly agent: ScriptedAgent;
  /** What the server sends for a page, before any script has run. */
  html(path: string): Promise<string>;
  /** Goes to a page. */
  open(path?: string): Promise<Page>;
  /** Goes to a page whose widget is there at once. */
  visit(path?: string): Promise<Page>;
  /** Leaves a page, which has said nothing on the console that its author would have to look after. */
  leave(page: Page): Promise<void>;
  close(): Promise<void>;
}

/** The example in a folder: its files, or the server that it starts on `PORT`. */
export async function openExample(folder: string, server?: readonly string[]): Promise<Example> {
  const agent = scriptedAgent();
  const started = server && (await start(join(HOME, folder), server));
  const site = await openSite({
    agent(request, response) {
      if (request.url === '/api/agent') {
        request.url = '/agent';
        return agent.handler(request, response);
      }
      return started ? passOn(started.port, request, response) : sendFile(join(HOME, folder), request, response);
    },
  });
  const said = new WeakMap<Page, string[]>();
  const open = async (path = '/'): Promise<Page> => {
    const page = await site.open();
    const words: string[] = [];
    said.set(page, words);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) words.push(message.text());
    });
    await page.goto(site.origin + path);
    return page;
  };
  return {
    agent,
    html: async (path) => (await fetch(site.origin + path)).text(),
    open,
    async visit(path) {
      const page = await open(path);
      await page.waitForFunction(() => document.querySelector('agent-chat')?.shadowRoot != null);
      await installUserState(page);
      return page;
    },
    async leave(page) {
      assert.deepEqual(said.get(page), []);
      await page.context().close();
    },
    async close() {
      agent.hangUp();
      await site.close();
      started?.server.kill();
    },
  };
}

const sendFile = async (folder: string, ...[request, response]: Parameters<Handler>): Promise<boolean> => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!(await stat(file).catch(() => undefined))?.isFile()) return false;
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  response.end(await readFile(file));
  return true;
};

const passOn = (port: number, ...[request, response]: Parameters<Handler>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { url, method, headers } = request;
    const asked = http.request({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      resolve(true);
    });
    asked.once('error', reject);
    request.pipe(asked);
  });

async function start(
  folder: string,
  [script = '', ...args]: readonly string[],
): Promise<{ port: number; server: ChildProcess }> {
  const port = await freePort();
  const server = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOST: '127.0.0.1', HOSTNAME: '127.0.0.1', PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' },
  });
  // Each says its address when it is ready.
  let words = '';
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (data: Buffer) => {
      words += data.toString();
      if (words.includes(String(port))) resolve();
    });
    server.once('close', () => {
      reject(new Error(`${script} ended: ${words}`));
    });
  });
  return { port, server };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
      });
    });
  });
