/** `docs/house.md` lists the modules; the check reads `.dependency-cruiser.cjs`. Both must agree. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

interface Rule {
  readonly name: string;
  readonly comment?: string;
}

const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly Rule[];
};
const page = await readFile('docs/house.md', 'utf8');

/** The allowed imports of a module by the rules of the check. */
const allowed = new Map(
  forbidden.flatMap(({ comment = '' }) => {
    const [, module, others] = /^src\/(\w+) imports from (.+)\.$/.exec(comment) ?? [];
    return module === undefined || others === undefined
      ? []
      : [[module, others === 'no other module' ? [] : others.split(', ').sort()] as const];
  }),
);

/** The same by the page. `all but`: every module of the check, without those. */
function importsOnPage(cell: string): readonly string[] {
  const names = [...cell.matchAll(/\b(?!all\b|but\b|and\b|nothing\b)[a-z]+\b(?!\.ts)/g)].map(([name]) => name);
  if (!cell.startsWith('all but')) return names.sort();
  return [...allowed.keys()].filter((name) => !names.includes(name) && !['components', 'react'].includes(name)).sort();
}

describe('the modules page', () => {
  it('lists the same allowed imports as the check', () => {
    const rows = [...page.matchAll(/^\| `(\w+)\/` +\|[^|]*\| ([^|]+?) +\|$/gm)];
    assert.deepEqual(rows.map(([, module]) => module).sort(), [...allowed.keys()].sort());
    for (const [, module = '', cell = ''] of rows)
      assert.deepEqual(importsOnPage(cell.replaceAll(/, `[^`]+`/g, '')), allowed.get(module), module);
  });

  it('names files and folders that exist', () => {
    const paths = [...page.matchAll(/`([a-z][\w-]*(?:\/[\w.-]*)+)`/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 20);
    assert.deepEqual(
      paths.filter((path) => !existsSync(path) && !existsSync(`src/${path}`) && !isBeside(path)),
      [],
    );
  });
});

/** A list of folders names the first one in full. */
const isBeside = (path: string): boolean =>
  ['components', 'renderers', 'runtime', 'storage', 'protocols'].some((module) => existsSync(`src/${module}/${path}`));
