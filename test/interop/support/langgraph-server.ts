/** LangGraph's own server on loopback, behind a proxy whose connections a test can cut. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface LanggraphServer {
  readonly origin: string;
  /** Destroys all connections; later ones are accepted. */
  cut(): void;
  /** The raw requests since the last cut, including their headers. */
  requests(): string;
  /** Releases the paused graph. */
  letGo(): void;
  /** The next message from a graph to the test. */
  nextMessage(): Promise<unknown>;
  get(path: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function langgraphServer(): Promise<LanggraphServer> {
  const cwd = await mkdtemp(join(tmpdir(), 'langgraph-'));
  const child = fork(fileURLToPath(new URL('langgraph-process.ts', import.meta.url)), {
    cwd,
    execArgv: ['--import', import.meta.resolve('tsx')],
    env: { ...process.env, LANGSMITH_TRACING: 'false' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const nextMessage = async (): Promise<unknown> => {
    const [message] = (await once(child, 'message')) as readonly unknown[];
    return message;
  };
  const port = Number(new URL(`http://${String(await nextMessage())}`).port);

  const sockets = new Set<Socket>();
  let requests = '';
  const line = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (data) => (requests += data.toString()));
    client.pipe(server).pipe(client);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const origin = `http://127.0.0.1:${String((line.address() as AddressInfo).port)}`;
  const cut = (): void => {
    requests = '';
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin,
    cut,
    requests: () => requests,
    letGo: () => child.send('go'),
    nextMessage,
    get: async (path) => (await fetch(origin + path)).json() as Promise<unknown>,
    async close() {
      cut();
      line.close();
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(cwd, { recursive: true, force: true });
    },
  };
}
