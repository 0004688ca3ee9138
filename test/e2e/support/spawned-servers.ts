/** Starts servers of `backends/` in processes of their own. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface SpawnedServer {
  readonly child: ChildProcess;
  readonly address: string;
}

type Environment = Readonly<Record<string, string>>;

/** @param file - a script that prints its address */
export async function startNode(file: string, environment: Environment = {}): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [...(file.endsWith('.ts') ? ['--import', 'tsx'] : []), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment, PORT: '0' },
  });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, address: printed.toString().trim() };
}

/** @param folder - the folder that has `main.py` */
export async function startFastApi(folder: string, environment: Environment = {}): Promise<SpawnedServer> {
  const port = String(await freePort());
  const args = ['-m', 'uvicorn', 'main:app', '--port', port, '--log-level', 'warning'];
  const child = spawn(process.env['PYTHON'] ?? 'python3', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...environment },
  });
  const address = `http://127.0.0.1:${port}`;
  while (!(await answers(address))) assert.equal(child.exitCode, null, 'uvicorn has ended');
  return { child, address };
}

/** The servers of a folder. FastAPI is not installed everywhere: `PYTHON=<one that has it>` adds it. */
export const serversOf = (
  folder: string,
): readonly { readonly name: string; readonly start: () => Promise<SpawnedServer> }[] => [
  { name: 'Node', start: () => startNode(`${folder}/server.ts`) },
  ...(process.env['PYTHON'] ? [{ name: 'FastAPI', start: () => startFastApi(folder) }] : []),
];

const answers = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}
