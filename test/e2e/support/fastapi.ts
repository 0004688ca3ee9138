/** Starts a FastAPI server of `backends/` with the interpreter that `PYTHON` names. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** @param folder - the folder that has `main.py` */
export async function startFastApi(
  folder: string,
): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const port = String(await freePort());
  const child = spawn(process.env['PYTHON'] ?? '', ['-m', 'uvicorn', 'main:app', '--port', port], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const address = `http://127.0.0.1:${port}`;
  while (!(await answers(address))) assert.equal(child.exitCode, null, 'uvicorn has ended');
  return { child, address };
}

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
