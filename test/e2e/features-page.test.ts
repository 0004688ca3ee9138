import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

/** `test/…` "the name of a test in it", if there is one. */
const NAMED = /`(test\/[^`]+)`(?: "([^"]+)")?/g;

async function lostIn(text: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [reference, path = '', name] of text.matchAll(NAMED)) {
    const there = await (
      name === undefined ? access(path).then(() => true) : readFile(path, 'utf8').then((file) => file.includes(name))
    ).catch(() => false);
    if (!there) missing.push(reference);
  }
  return missing;
}

describe('the features page', async () => {
  const text = await readFile('docs/features.md', 'utf8');
  const [features = '', complaints = ''] = text.split('## Complaints about other widgets');
  const numbers = (part: string): readonly number[] =>
    [...part.matchAll(/^\| (\d+) +\|/gm)].map(([, number]) => Number(number));

  it('has an answer in every row of the list', () => {
    assert.deepEqual(
      numbers(features),
      Array.from({ length: 140 }, (_, index) => index + 1),
    );
    assert.deepEqual(
      numbers(complaints),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  it('names tests that exist', async () => {
    assert.deepEqual(await lostIn(text), []);
  });

  it('names a test for every feature that it claims', () => {
    const rows = features.split('\n').filter((line) => /^\| \d+ +\|/.test(line));
    const claimed = rows.filter((row) => /^\|[^|]*\|[^|]*\| (?:yes|partly)/.test(row));
    assert.deepEqual(
      claimed.filter((row) => !row.includes('`test/')),
      [],
    );
  });
});

describe('the accessibility page', () => {
  it('names tests that exist', async () => {
    assert.deepEqual(await lostIn(await readFile('docs/accessibility.md', 'utf8')), []);
  });
});
