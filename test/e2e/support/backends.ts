/** The proxies of `backends/`, each as its own platform runs it, or as close to that as Node allows. */
import assert from 'node:assert/strict';
import { startFastApi, startNode, type SpawnedServer } from './spawned-servers.ts';

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
  node: async (environment) => served(await startNode('backends/node/server.js', environment)),

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

  fastapi: async (environment) => served(await startFastApi('backends/fastapi', environment)),
};

type Handler = (request: Request) => Promise<Response>;

const imported = (file: string): Promise<unknown> =>
  import(new URL(`../../../backends/${file}`, import.meta.url).href) as Promise<unknown>;

const served = ({ child, address }: SpawnedServer): Backend => ({ address, fetch, stop: () => child.kill() });

const handled = (handler: Handler): Backend => ({
  address: 'https://backend.example/',
  fetch: (input, init) => handler(new Request(input, init)),
  stop: () => undefined,
});
