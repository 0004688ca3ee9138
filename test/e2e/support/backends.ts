/** The proxies of `backends/`, each as its own platform runs it, or as close to that as Node allows. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export type Kind = 'node' | 'worker' | 'deno' | 'fastapi';

/** The environment variables of the server. */
export type Environment = Readonly<Record<string, string>>;

export interface Backend {
  readonly address: string;
  readonly fetch: typeof fetch;
  stop(): void;
}

export const startBackend = (kind: Kind, environment: Environment): Promise<Backend> => starts[kind](environment);

const starts: Readonly<Record<Kind, (environment: Environment) => Promise<Backend>>> = {
  async node(environment) {
    const child = spawn(process.execPath, ['backends/node/server.js'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment, PORT: '0' },
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return served(child, said.toString().trim());
  },

  async worker(environment) {
    const { default: worker } = (await imported('worker/worker.js')) as {
      default: { fetch(request: Request, environment: Environment): Promise<Response> };
    };
    return handled((request) => worker.fetch(request, environment));
  },

  /** With a stand-in for `Deno` that records the handler. */
  async deno(environment) {
    let handler: Handler | undefined;
    const Deno = {
      env: { get: (name: string) => environment[name] },
      serve: (_options: unknown, given: Handler) => {
        handler = given;
      },
    };
    Object.defineProperty(globalThis, 'Deno', { value: Deno, configurable: true });
    await imported('deno/main.js');
    Reflect.deleteProperty(globalThis, 'Deno');
    assert.ok(handler);
    return handled(handler);
  },

  async fastapi(environment) {
    const port = String(await freePort());
    const args = ['-m', 'uvicorn', 'main:app', '--port', port, '--log-level', 'warning'];
    const child = spawn(process.env['PYTHON'] ?? 'python3', args, {
      cwd: 'backends/fastapi',
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...environment },
    });
    const address = `http://127.0.0.1:${port}`;
    while (!(await answers(address))) assert.equal(child.exitCode, null, 'uvicorn has ended');
    return served(child, address);
  },
};

type Handler = (request: Request) => Promise<Response>;

const imported = (file: string): Promise<unknown> =>
  import(new URL(`../../../backends/${file}`, import.meta.url).href) as Promise<unknown>;

const served = (child: ChildProcess, address: string): Backend => ({ address, fetch, stop: () => child.kill() });

const handled = (handler: Handler): Backend => ({
  address: 'https://backend.example/',
  fetch: (input, init) => handler(new Request(input, init)),
  stop: () => undefined,
});

const answers = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  assert.ok(place && typeof place === 'object');
  await new Promise((resolve) => server.close(resolve));
  return place.port;
}
