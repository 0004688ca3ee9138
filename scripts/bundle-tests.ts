/** The unit tests as a few files: a page that asks for six hundred modules one by one spends its time on that. */
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { build, type Plugin } from 'vite';

const OUT = '.cache/unit';

/** A module's address stays that of its source, beside which its recordings lie. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  enforce: 'pre',
  transform(code, id) {
    const file = relative(process.cwd(), id.split('?')[0] ?? id);
    if (file.startsWith('node_modules') || !code.includes('import.meta.url')) return undefined;
    return { code: code.replaceAll('import.meta.url', `new URL('/${file}', location.origin).href`), map: null };
  },
};

/** Bundles them. @returns the files to run */
export async function bundleTests(files: readonly string[]): Promise<readonly string[]> {
  await rm(OUT, { recursive: true, force: true });
  await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['production', 'browser', 'module'] },
    plugins: [sourceAddresses],
    build: {
      outDir: OUT,
      target: 'es2022',
      minify: false,
      sourcemap: 'inline',
      modulePreload: false,
      copyPublicDir: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: {
        // Nothing may import a test's file: the runner asks for it under another address, and it would run twice.
        preserveEntrySignatures: 'strict',
        // The runner's own, which only its server has.
        external: /^\/__web-dev-server__/,
        input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), file])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          sourcemapExcludeSources: true,
        },
      },
    },
  });
  return files.map((file) => `${OUT}/${file.replace(/\.ts$/, '.js')}`);
}
