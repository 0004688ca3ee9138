/** Serves the demo and the unbundled sources, as `npm start` does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';

export interface SourceServer {
  /** The address of the demo, with a slash at the end. */
  readonly address: string;
  close(): Promise<void>;
}

export async function startSourceServer(): Promise<SourceServer> {
  // A cache of its own, because another process may have the demo open.
  const cacheDir = await mkdtemp(join(tmpdir(), 'agent-chat-sources-'));
  const server = await createServer({
    configFile: 'vite.config.ts',
    cacheDir,
    logLevel: 'silent',
    server: { port: 0, hmr: false, watch: null },
  });
  await server.listen();
  return {
    address: server.resolvedUrls?.local[0] ?? '',
    async close() {
      await server.close();
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}
