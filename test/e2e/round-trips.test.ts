/** A lazy part arrives after one round trip: what it imports is requested together with it. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { before, describe, it } from 'node:test';

/** Loaded with the first interaction, before any other part. */
const EARLY = /^chunks\/(?:turn|conversation)-/;
/** The helper of the bundler, of 0.4 KB: only the parts of which a dependency is an old kind of module wait for it. */
const HELPER = 'chunks/rolldown-runtime-';
const IMPORT = /import\(["`]([^"`]+)["`]\)/g;
/** A lazy import, with what is requested beside it. */
const TOGETHER = /(?:import\(["`][^"`]+["`]\)\.catch\(\(\)=>\{\}\),(?:await[ (])?)*import\(["`][^"`]+["`]\)/g;

interface File {
  readonly imports: readonly string[];
  /** Each part that the file loads, with what it requests beside it. */
  readonly lazy: readonly { readonly part: string; readonly beside: readonly string[] }[];
}

describe('a lazy part', () => {
  const files = new Map<string, File>();
  before(async () => {
    const chunks = (await readdir('dist/chunks')).filter((name) => name.endsWith('.js'));
    for (const name of ['agent-chat.js', ...chunks.map((chunk) => `chunks/${chunk}`)]) {
      const code = await readFile(`dist/${name}`, 'utf8');
      const resolve = (path: string): string => posix.join(posix.dirname(name), path);
      files.set(name, {
        imports: [...code.matchAll(/from"(\.[^"]+)"/g)].map(([, path = '']) => resolve(path)),
        lazy: [...code.matchAll(TOGETHER)].map(([group]) => {
          const paths = [...group.matchAll(IMPORT)].map(([, path = '']) => resolve(path));
          return { part: paths.at(-1) ?? '', beside: paths.slice(0, -1) };
        }),
      });
    }
  });

  const withImports = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const imported of files.get(name)?.imports ?? []) withImports(imported, seen);
    return seen;
  };

  it('is requested together with the files that it imports', () => {
    const late = [...files].flatMap(([name, { lazy }]) =>
      lazy.flatMap(({ part, beside }) => {
        const present = withImports(name);
        return [...withImports(part)]
          .filter((file) => file !== part && !present.has(file) && !beside.includes(file))
          .filter((file) => !EARLY.test(file) && !file.startsWith(HELPER))
          .map((file) => `${name} → ${part} → ${file}`);
      }),
    );
    assert.deepEqual(late, []);
    const count = [...files.values()].reduce((sum, { lazy }) => sum + lazy.length, 0);
    assert.ok(count > 100, `the test found only ${String(count)} lazy imports`);
  });

  it('is compiled while it downloads if it belongs to a first answer, and else function by function', async () => {
    for (const name of files.keys()) {
      const isHinted = (await readFile(`dist/${name}`, 'utf8')).startsWith('//# allFunctionsCalledOnLoad\n');
      if (/^(?:agent-chat|chunks\/(?:turn|conversation|detection|openai-chat|anthropic)-[\w-]{7})\.js$/.test(name))
        assert.ok(isHinted, name);
      if (/^chunks\/(?:mermaid|highlight|inspector|storage|find-bar)/.test(name)) assert.ok(!isHinted, name);
    }
  });

  it('is not the conversation or the storage for an adapter, which reads a reply that has begun', async () => {
    const registry = await readFile('src/protocols/registry.ts', 'utf8');
    const names = [...registry.matchAll(/import\('\.\/(?:.*\/)?([\w-]+)\.ts'\)/g)].map(([, name = '']) => name);
    const adapters = [...files.keys()].filter((file) => names.includes(file.replace(/^chunks\/|-[\w-]{7}\.js$/g, '')));
    for (const adapter of adapters)
      for (const file of withImports(adapter)) assert.doesNotMatch(file, /^chunks\/(?:storage|conversation)-/, adapter);
    assert.ok(adapters.length > 30, `the test found only ${String(adapters.length)} adapters`);
  });
});
