import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

/** `test/….ts` "the name of a test in it", as the reliability page names its tests. */
const NAMED = /`(test\/[^`]+\.ts)` "([^"]+)"/g;

describe('the reliability page', () => {
  it('names a test for each promise, and each of them exists', async () => {
    const lines = (await readFile('docs/reliability.md', 'utf8')).split('\n');
    const rows = lines.filter((line) => line.startsWith('| ') && !/^\| (?:promise|---) /.test(line));
    assert.ok(rows.length >= 20);
    assert.equal(new Set(rows).size, rows.length, 'each promise is there once');
    const missing: string[] = [];
    for (const row of rows) {
      const named = [...row.matchAll(NAMED)];
      if (named.length === 0) missing.push(row);
      for (const [reference, file = '', name = ''] of named) {
        const text = await readFile(file, 'utf8').catch(() => '');
        if (!text.includes(name)) missing.push(reference);
      }
    }
    assert.deepEqual(missing, []);
  });
});
