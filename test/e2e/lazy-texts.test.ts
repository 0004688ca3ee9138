import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const STATIC = /(?:^|\n)(?:import|export)\s(?:[^'"]*?\sfrom\s)?'(\.[^']+\.ts)'/g;
const DYNAMIC = /import\(\s*'(\.[^']+\.ts)'/g;
const TYPES_ONLY = /(?:^|\n)(?:import|export) type [^;]*;/g;

const read = async (file: string): Promise<string> => (await readFile(file, 'utf8')).replaceAll(TYPES_ONLY, '');
const imports = (file: string, text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, path = '']) => join(dirname(file), path));

/** The modules that a module loads, itself included. */
async function closure(file: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const other of imports(file, await read(file), STATIC)) await closure(other, seen);
  return seen;
}

describe('the texts of lazy modules', () => {
  it('are loaded with each module that shows text and that the first load omits', async () => {
    const shell = await closure('src/define.ts');
    const roots = new Set<string>();
    for (const name of await readdir('src/components', { recursive: true })) {
      const file = join('src/components', name);
      if (!shell.has(file)) continue;
      for (const root of imports(file, await read(file), DYNAMIC)) {
        if (root.startsWith('src/components/')) roots.add(root);
      }
    }
    assert.ok(roots.size > 10, 'the search finds the lazy parts');
    const without: string[] = [];
    for (const root of roots) {
      const modules = await closure(root);
      if (modules.has('src/locales/all-english.ts')) continue;
      for (const module of modules) {
        if (!shell.has(module) && /localize\(['`]/.test(await read(module))) without.push(`${root}: ${module}`);
      }
    }
    assert.deepEqual(without, []);
  });

  it('are not in the first load', async () => {
    assert.ok(!(await closure('src/define.ts')).has('src/locales/en.ts'));
  });
});
