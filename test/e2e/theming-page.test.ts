import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { THEMES } from '../../src/theme/themes.ts';

const all = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))].sort();

async function textOf(folder: string, ending: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(ending));
  return (await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')))).join('\n');
}

/** The rows of the table under a heading, by the code in their first cell. */
const rowsUnder = (page: string, heading: string): readonly string[] =>
  all(page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '', /^\| `([^`]+)` +\|/gm);

describe('the theming page', () => {
  it('has a row for each token that a stylesheet reads and the element documents, and no other', async () => {
    const [page, sheets, element] = await Promise.all([
      readFile('docs/guides/theming.md', 'utf8'),
      textOf('src', '.css'),
      readFile('src/components/element/agent-chat.ts', 'utf8'),
    ]);
    const documented = rowsUnder(page, 'Tokens');
    assert.deepEqual(documented, all(sheets, /var\(\s*(--agent-chat-[a-z-]+)/g), 'those that the sheets read');
    assert.deepEqual(documented, all(element, /@cssprop (--agent-chat-[a-z-]+)/g), 'those of the docstrings');
  });

  it('has a row for each part, and each is in a template', async () => {
    const [page, element, code] = await Promise.all([
      readFile('docs/guides/theming.md', 'utf8'),
      readFile('src/components/element/agent-chat.ts', 'utf8'),
      textOf('src', '.ts'),
    ]);
    const documented = rowsUnder(page, 'Parts');
    assert.deepEqual(documented, all(element, /@csspart ([a-z-]+)/g), 'those of the docstrings');
    // Comments don't count; some names are composed: `message-${role}`.
    const templates = code.replace(/^ *(\/\*)?\*.*$/gm, '');
    const isThere = (part: string): boolean =>
      new RegExp(`["'\`\\s]${part}["'\`\\s]`).test(templates) || templates.includes(`${part.replace(/-.*/, '')}-\${`);
    assert.deepEqual(
      documented.filter((part) => !isThere(part)),
      [],
      'in no template',
    );
  });

  it('has a row for each built-in theme', async () => {
    const page = await readFile('docs/guides/theming.md', 'utf8');
    assert.deepEqual(rowsUnder(page, 'Ready themes'), THEMES.filter((name) => name !== '').sort());
  });
});
