import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { en } from '../../src/locales/en.ts';

describe('the texts of the widget', () => {
  it('are all used: by their key, or by its beginning if the rest is appended to it', async () => {
    const files = (await readdir('src', { recursive: true }))
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.ts') && !file.startsWith('locales/'));
    const code = (await Promise.all(files.map((file) => readFile(`src/${file}`, 'utf8')))).join('\n');
    const isAsked = (key: string): boolean =>
      code.includes(`'${key}'`) ||
      [...key.matchAll(/[.-]/g)].some(({ index }) => code.includes(`\`${key.slice(0, index + 1)}\${`));
    assert.deepEqual(
      Object.keys(en).filter((key) => !isAsked(key)),
      [],
    );
  });
});
