import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const CACHE = join(import.meta.dirname, '../.cache');

/**
 * Bundles scripts for the page: `entries` are the files of the bench without extension, such as `contestants/limit`.
 * Returns the folder, a new one each time, so that two runs do not interfere.
 */
export async function bundle(entries: readonly string[]): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'page-'));
  if (entries.length === 0) return folder;
  const root = join(import.meta.dirname, '..');
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'chrome125',
      reportCompressedSize: false,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(
          entries.map((entry) => [entry.split('/').at(-1) ?? entry, join(root, `${entry}.ts`)]),
        ),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  return folder;
}
