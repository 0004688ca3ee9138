import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

/** `test/….ts` "the name of a test in it", as the security page names its tests. */
const NAMED = /`(test\/[^`]+\.ts)` "([^"]+)"/g;

describe('the security page', () => {
  it('names existing tests, and for each of the 19 rules one with its number', async () => {
    const rows = (await readFile('docs/security.md', 'utf8')).split('\n').filter((line) => /^\| +\d+ /.test(line));
    assert.ok(rows.length >= 19);
    const missing: string[] = [];
    for (const row of rows) {
      const named = [...row.matchAll(NAMED)];
      const rule = Number(/\d+/.exec(row)?.[0]);
      const own = named.filter(([, , name]) => rule > 19 || name?.startsWith(`rule ${String(rule)}: `));
      if (own.length === 0) missing.push(row);
      for (const [reference, file = '', name = ''] of named) {
        const text = await readFile(file, 'utf8').catch(() => '');
        if (!text.includes(name)) missing.push(reference);
      }
    }
    assert.deepEqual(missing, []);
  });
});
