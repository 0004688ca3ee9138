/**
 * Drives WebKitGTK on a virtual screen. Debian's build supports WebDriver, which needs no client: it is JSON over HTTP.
 * Source: https://www.w3.org/TR/webdriver2/, read 2026-11-22.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { focusWindows } from './x-focus.ts';

/** The size of a new window's page. */
export const SIZE = { width: 800, height: 600 };
const PATIENCE_MS = 20_000;

/** A browser with one window. */
export interface Webkit {
  /** Returns immediately, without waiting for the page to load. */
  go(url: string): Promise<void>;
  /** Resolves when the page has loaded. */
  loaded(url: string): Promise<void>;
  /** Runs a function body in the page, and waits for the promise that it returns. */
  run<T>(body: string, ...given: readonly unknown[]): Promise<T>;
  /** Sends a WebDriver command in the session. */
  command<T>(path: string, body?: object): Promise<T>;
  /** The size of the page without the browser's own bars. */
  resize(size: { readonly width: number; readonly height: number }): Promise<void>;
  close(): Promise<void>;
}

/** Opens a browser with an empty profile. */
export async function openWebkit(driver: string): Promise<Webkit> {
  const screen = await openScreen();
  const port = await freePort();
  const child = spawn(driver, [`--port=${String(port)}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen.name, GTK_A11Y: 'none' },
  });
  const command = async <T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { readonly value: T };
    if (!response.ok) throw new Error(`WebDriver ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await isListening(() => command('/status'), child);
  const { sessionId } = await command<{ readonly sessionId: string }>('/session', {
    capabilities: {
      alwaysMatch: {
        browserName: 'MiniBrowser',
        pageLoadStrategy: 'none',
        'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
      },
    },
  });
  const session = `/session/${sessionId}`;
  const run = <T>(body: string, ...args: readonly unknown[]): Promise<T> =>
    command<T>(`${session}/execute/sync`, { script: body, args });
  const resize: Webkit['resize'] = async ({ width, height }) => {
    await command(`${session}/window/rect`, { x: 0, y: 0, width, height });
    const [inWidth = 0, inHeight = 0] = await run<number[]>('return [innerWidth, innerHeight]');
    await command(`${session}/window/rect`, { width: 2 * width - inWidth, height: 2 * height - inHeight });
  };
  await resize(SIZE);
  if (screen.name !== process.env['DISPLAY']) await focusWindows(screen.name);
  return {
    go: (url) => command(`${session}/url`, { url }),
    async loaded(url) {
      const end = Date.now() + PATIENCE_MS;
      while (
        !(await run<boolean>('return location.href === arguments[0] && document.readyState === "complete"', url))
      ) {
        if (Date.now() > end) throw new Error(`WebKit does not load ${url}.`);
        await wait(50);
      }
    },
    run,
    command: (path, body) => command(session + path, body),
    resize,
    async close() {
      await command(session, undefined, 'DELETE').catch(() => undefined); // the session may have ended
      child.kill();
      screen.close();
    },
  };
}

interface Screen {
  /** The value for `DISPLAY`. */
  readonly name: string;
  close(): void;
}

/** A virtual screen for one browser, because only one of two browsers on a screen has the focus. Without Xvfb, the user's screen. */
function openScreen(): Promise<Screen> {
  return new Promise((resolve, reject) => {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const close = (): void => {
      process.off('exit', close);
      server.kill();
    };
    process.once('exit', close);
    server.on('error', () => {
      const name = process.env['DISPLAY'];
      if (name === undefined) reject(new Error('WebKit needs a screen: install "xvfb".'));
      else resolve({ name, close });
    });
    (server.stdio[3] as Readable).once('data', (number: Buffer) => {
      resolve({ name: `:${number.toString().trim()}`, close });
    });
  });
}

function findMiniBrowser(): string {
  const named = process.env['WEBKIT'];
  if (named !== undefined) return named;
  const homes = ['/usr/lib', '/usr/libexec', ...readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`)];
  const files = homes.flatMap((home) => ['4.1', '6.0'].map((api) => `${home}/webkit2gtk-${api}/MiniBrowser`));
  const found = files.find((file) => existsSync(file));
  if (found === undefined)
    throw new Error('WebKit’s driver is here without its MiniBrowser. WEBKIT=/path/to/it names it.');
  return found;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
      });
    });
  });

async function isListening(ask: () => Promise<unknown>, child: ChildProcess): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (Date.now() > end || child.exitCode !== null)
        throw new Error('WebKit’s driver does not answer.', { cause: error });
      await wait(50);
    }
  }
}
