/** The comments and the documentation are in plain English: CONTRIBUTING.md, "Language". References lead to pages that exist. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

/** Phrases of an earlier style of this project, for which the field has a term. */
const PRIVATE_TERMS: readonly (readonly [RegExp, string])[] = [
  [/\bthe reader(?:’s|'s)?\b(?! of\b)/i, 'the user'],
  [/\bon show\b/i, 'visible, current'],
  [/\bout of sight\b/i, 'off-screen'],
  [/\banew\b/i, 're-…, again'],
  [/\bwhoever\b/i, 'the caller, the person who'],
  [/\bboxes to tick\b/i, 'checkboxes'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bthat is all\b/i, '(nothing)'],
];

const filesIn = async (folder: string, ending: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

const commentsOf = (code: string): string => (code.match(/\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm) ?? []).join('\n');

const sources = (await Promise.all(['src', 'cli', 'demo'].map((folder) => filesIn(folder, '.ts')))).flat();
const pages = [...(await filesIn('docs', '.md')), 'README.md', 'CONTRIBUTING.md'];

describe('the language of the project', () => {
  it('has no private terms in comments and documentation', async () => {
    const found: string[] = [];
    const look = (file: string, text: string): void => {
      for (const [term, instead] of PRIVATE_TERMS) {
        const hit = term.exec(text.replaceAll(/\s*\n\s*\*?\s*/g, ' '));
        if (hit) found.push(`${file}: "${hit[0]}", instead: ${instead}`);
      }
    };
    for (const file of sources) look(file, commentsOf(await readFile(file, 'utf8')));
    for (const file of pages) look(file, (await readFile(file, 'utf8')).replaceAll(/```[^]*?```|`[^`\n]*`/g, ''));
    assert.deepEqual(found, []);
  });

  it('cites pages that exist', async () => {
    const missing: string[] = [];
    for (const file of sources) {
      for (const [, page = ''] of commentsOf(await readFile(file, 'utf8')).matchAll(/`((?:\.\.\/)*[\w/-]+\.md)`/g)) {
        if (!existsSync(page)) missing.push(`${file}: ${page}`);
      }
    }
    assert.deepEqual(missing, []);
  });
});
