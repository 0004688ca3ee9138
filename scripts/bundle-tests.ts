/** The unit tests as a few files: a page that asks for six hundred modules one by one spends its time on that. */
import { rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const OUT = '.cache/unit';

/** So many files share a page: to make one takes longer than most of their tests, which leave nothing behind. */
const TOGETHER = 15;

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

/** What a test waits for comes late on a busy machine: its patience is that of the runner, not a second. */
const patience: Plugin = {
  name: 'patience',
  transform(code, id) {
    if (!id.includes('@open-wc/testing-helpers/src/helpers.js')) return undefined;
    const patient = code.replace('timeout = 1000 }', 'timeout = 10_000 }');
    if (patient === code) throw new Error('waitUntil() has another patience now.');
    return { code: patient, map: null };
  },
};

/** The files of each page: neighbours, which take long together, go to different ones. */
function pagesOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const count = Math.ceil(files.length / TOGETHER);
  return new Map(
    Array.from({ length: count }, (_, page) => [
      `test/page-${String(page + 1)}`,
      files.filter((_, index) => index % count === page),
    ]),
  );
}

/** The lazy parts of the widget bring their texts along; a test that takes a module alone finds them too. */
const TEXTS = resolve('src/locales/all-english.ts');

/** An entry that imports all files of its page. */
const entries = (pages: ReadonlyMap<string, readonly string[]>): Plugin => ({
  name: 'entries',
  enforce: 'pre',
  resolveId(id) {
    if (pages.has(id)) return `\0${id}`;
    // The package says that its modules may be left out where nothing of theirs is used.
    return id.endsWith('.test.ts') ? { id: resolve(id), moduleSideEffects: true } : undefined;
  },
  load: (id) =>
    pages.has(id.replace('\0', ''))
      ? [TEXTS, ...(pages.get(id.replace('\0', '')) ?? [])].map((file) => `import ${JSON.stringify(file)};`).join('\n')
      : undefined,
});

/** Bundles them. @returns the files to run */
export async function bundleTests(files: readonly string[]): Promise<readonly string[]> {
  const pages = pagesOf(files);
  await rm(OUT, { recursive: true, force: true });
  await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['production', 'browser', 'module'] },
    plugins: [entries(pages), sourceAddresses, patience],
    build: {
      outDir: OUT,
      target: 'es2022',
      // With the prefixes that the oldest engines want, as in the build: they come when the sheets are made small.
      cssTarget: 'safari18',
      cssMinify: true,
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
        input: Object.fromEntries([...pages.keys()].map((name) => [name, name])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          sourcemapExcludeSources: true,
        },
      },
    },
  });
  return [...pages.keys()].map((name) => `${OUT}/${name}.js`);
}
