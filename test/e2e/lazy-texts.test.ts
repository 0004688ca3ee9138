import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { en } from '../../src/locales/en.ts';
import { enCodeTools } from '../../src/locales/english/en-code-tools.ts';
import { enContent } from '../../src/locales/english/en-content.ts';
import { enAnswer } from '../../src/locales/english/en-answer.ts';
import { enImage } from '../../src/locales/english/en-image.ts';
import { enLazyParts } from '../../src/locales/english/en-lazy-parts.ts';
import { enLightbox } from '../../src/locales/english/en-lightbox.ts';
import { enPanel } from '../../src/locales/english/en-panel.ts';
import { enShell } from '../../src/locales/english/en-shell.ts';
import { enStorage } from '../../src/locales/english/en-storage.ts';
import { enTableTools } from '../../src/locales/english/en-table-tools.ts';
import { enVersions } from '../../src/locales/english/en-versions.ts';

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

/** The texts that a module shows: keys as a whole, or all with the beginning of a computed one. */
const textsOf = (code: string): readonly string[] => {
  const beginnings = [...code.matchAll(/`([a-z]+(?:\.[a-z-]+)*[.-])\$\{/g)].map(([, beginning = '']) => beginning);
  return Object.keys(en).filter(
    (key) => code.includes(`'${key}'`) || beginnings.some((beginning) => key.startsWith(beginning)),
  );
};

/** The texts that lazy parts bring along. */
const ownTexts = [
  ['en-panel', enPanel],
  ['en-code-tools', enCodeTools],
  ['en-lightbox', enLightbox],
  ['en-table-tools', enTableTools],
  ['en-image', enImage],
  ['en-versions', enVersions],
  ['en-storage', enStorage],
] as const;

async function missingTexts(modules: Iterable<string>, loaded: readonly object[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const module of modules) {
    if (module.startsWith('src/locales/')) continue;
    const shown = textsOf(await read(module));
    missing.push(...shown.filter((key) => !loaded.some((texts) => key in texts)).map((key) => `${module}: ${key}`));
  }
  return missing;
}

describe('the texts of lazy modules', () => {
  it('are loaded with each module that shows text and that the first load omits', async () => {
    const shell = await closure('src/define.ts');
    const plain = new Set([
      ...shell,
      ...(await closure('src/components/conversation-chunk.ts')),
      ...(await closure('src/components/turn-chunk.ts')),
    ]);
    const roots = new Set<string>();
    for (const file of plain) {
      const code = await read(file);
      // It loads all texts side by side with the module.
      if (code.includes('withBlockStyles(')) continue;
      for (const root of imports(file, code, DYNAMIC)) {
        if (/^src\/(?:components|renderers|primitives|markdown)\//.test(root)) roots.add(root);
      }
    }
    assert.ok(roots.size > 20, 'the search finds the lazy parts');
    const without: string[] = [];
    for (const root of roots) {
      const modules = await closure(root);
      const own = ownTexts.filter(([file]) => modules.has(`src/locales/english/${file}.ts`)).map(([, texts]) => texts);
      const optional = [...modules].filter((module) => !plain.has(module));
      const lazy = modules.has('src/locales/english/all-english.ts') ? [enLazyParts] : [];
      const missing = await missingTexts(optional, [enShell, enContent, enAnswer, ...lazy, ...own]);
      without.push(...missing.map((text) => `${root}: ${text}`));
    }
    // The menu has these entries only with a position controller, whose module loads their texts.
    assert.deepEqual(
      without.filter((text) => !text.includes('header-menu.ts: place.')),
      [],
    );
  });

  it('are not needed for a plain answer', async () => {
    const conversation = await closure('src/components/conversation-chunk.ts');
    assert.ok(!conversation.has('src/locales/english/en-lazy-parts.ts'));
    // The form that asks for reasons is lazy; only its computed keys begin as those of the buttons do. An error of the storage comes
    // after its texts.
    const missing = await missingTexts(conversation, [enShell, enContent, enAnswer, enStorage]);
    assert.deepEqual(
      missing.filter((text) => !text.includes(': feedback.')),
      [],
    );
  });

  it('are not in the first load', async () => {
    const shell = await closure('src/define.ts');
    for (const other of ['en', 'english/en-lazy-parts', 'english/en-answer'])
      assert.ok(!shell.has(`src/locales/${other}.ts`), other);
  });
});
