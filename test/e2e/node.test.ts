import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

describe('in Node', async () => {
  const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
  const doors = Object.entries(exports)
    .map(([name, target]) => [name, typeof target === 'string' ? target : target.default] as const)
    .filter(([, file]) => file.endsWith('.js'));

  for (const [name, file] of doors) {
    it(`${name} can be imported`, async () => {
      assert.ok(await import(new URL(`../../${file}`, import.meta.url).href));
    });
  }
  it('all entry points were tested', () => {
    assert.ok(doors.length >= 5, doors.join());
  });
});
