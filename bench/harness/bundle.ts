import { join } from 'node:path';
import { build } from 'vite';

export const BUNDLED = join(import.meta.dirname, '../.cache/page');

/** Bundles scripts for the page: `entries` names each file of the bench without its ending, such as `contestants/limit`. */
export async function bundle(entries: readonly string[]): Promise<void> {
  const root = join(import.meta.dirname, '..');
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: BUNDLED,
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
}
