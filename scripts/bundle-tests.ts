/** Bundles the unit tests into a few files, because a page that requests six hundred modules one by one is slow. */
import { rm, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const OUT = '.cache/unit';

/** Test files per page. Opening a page takes longer than most tests, and tests leave nothing behind. */
const TOGETHER = 24;

/** `import.meta.url` stays the URL of the source, because recordings are stored beside it. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  enforce: 'pre',
  transform(code, id) {
    const file = relative(process.cwd(), id.split('?')[0] ?? id);
    if (file.startsWith('node_modules') || !code.includes('import.meta.url')) return undefined;
    return { code: code.replaceAll('import.meta.url', `new URL('/${file}', location.origin).href`), map: null };
  },
};

/** Waits in tests get 10 seconds instead of one, for busy machines, and look more often. */
const patience: Plugin = {
  name: 'patience',
  transform(code, id) {
    if (!id.includes('@open-wc/testing-helpers/src/helpers.js')) return undefined;
    const patient = code.replace('interval = 50, timeout = 1000 }', 'interval = 10, timeout = 10_000 }');
    if (patient === code) throw new Error('waitUntil() has another patience now.');
    return { code: patient, map: null };
  },
};

/**
 * Distributes the files over pages. A large file mostly takes long, so the largest files go to different pages, and are in the
 * pages that run first: the last page runs alone.
 */
async function pagesOf(files: readonly string[], together: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const count = Math.ceil(files.length / together);
  const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
  const bySize = sized.sort((one, other) => other.size - one.size);
  return new Map(
    Array.from({ length: count }, (_, page) => [
      `test/page-${String(page + 1)}`,
      bySize.flatMap(({ file }, index) => (index % count === page ? file : [])),
    ]),
  );
}

/** Lazy parts load their own texts. A test that imports a single module needs all of them, and links at the first rendering. */
const FIRST = ['src/locales/english/all-english.ts', 'test/support/link-check.ts'].map((file) => resolve(file));

/** Returns the code of an entry that imports all test files of a page. */
const entries = (pages: ReadonlyMap<string, readonly string[]>): Plugin => ({
  name: 'entries',
  enforce: 'pre',
  resolveId(id) {
    if (pages.has(id)) return `\0${id}`;
    // `sideEffects` in package.json would allow the bundler to drop modules without used exports.
    return id.endsWith('.test.ts') || FIRST.includes(id) ? { id: resolve(id), moduleSideEffects: true } : undefined;
  },
  load: (id) =>
    pages.has(id.replace('\0', ''))
      ? [...FIRST, ...(pages.get(id.replace('\0', '')) ?? [])]
          .map((file) => `import ${JSON.stringify(file)};`)
          .join('\n')
      : undefined,
});

/**
 * Bundles the test files.
 *
 * @param plugins changes of the sources
 * @param together test files per page
 * @returns the files to run
 */
export async function bundleTests(
  files: readonly string[],
  plugins: readonly Plugin[] = [],
  together = TOGETHER,
): Promise<readonly string[]> {
  const pages = await pagesOf(files, together);
  await rm(OUT, { recursive: true, force: true });
  await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['production', 'browser', 'module'] },
    plugins: [...plugins, entries(pages), sourceAddresses, patience],
    build: {
      outDir: OUT,
      target: 'es2022',
      // Adds the prefixes that the oldest engines need, as in the build. Minification adds them.
      cssTarget: 'safari18',
      cssMinify: true,
      minify: false,
      sourcemap: 'inline',
      modulePreload: false,
      copyPublicDir: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: {
        // No chunk may import a test file: the runner requests it under another URL, and it would run twice.
        preserveEntrySignatures: 'strict',
        // A module of the runner, which only its server provides.
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
