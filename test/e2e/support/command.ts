/** The command line tool of the package, as a user starts it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';

/** Time limit for the expected output. */
const OUTPUT_TIMEOUT_MS = 20_000;

export interface Started {
  /** What it has printed so far: results and notes. */
  output(): string;
  /** Resolves with the output as soon as it matches. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

function launch(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ['dist/cli/main.js', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A command that runs until it is stopped. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = launch(args, env);
  let text = '';
  const wake = new Set<() => void>();
  const add = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const check of wake) check();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return {
    output: () => text,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          wake.delete(check);
          clearTimeout(timer);
          child.off('exit', fail);
        };
        const check = (): void => {
          const match = pattern.exec(text);
          if (!match) return;
          end();
          resolve(match);
        };
        const fail = (): void => {
          end();
          reject(new Error(`It ended without ${String(pattern)}:\n${text}`));
        };
        const timer = setTimeout(fail, OUTPUT_TIMEOUT_MS);
        child.on('exit', fail);
        wake.add(check);
        check();
      }),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** A command that ends. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly notes: string }> {
  const child = launch(args, env);
  let [output, notes] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, output, notes };
}

export interface AgentServer {
  readonly origin: string;
  readonly server: http.Server;
  close(): Promise<void>;
}

/** A server on loopback. */
export async function serve(listener: http.RequestListener): Promise<AgentServer> {
  const server = http.createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body of a request. */
export async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
  return text;
}
