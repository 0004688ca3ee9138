/** The Markdown element has its own small catalogue: it must contain every key that the element uses. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { enCodeTools } from '../../src/locales/english/en-code-tools.ts';
import { enContent } from '../../src/locales/english/en-content.ts';
import { enImage } from '../../src/locales/english/en-image.ts';
import { enLightbox } from '../../src/locales/english/en-lightbox.ts';
import { enTableTools } from '../../src/locales/english/en-table-tools.ts';
import { en } from '../../src/locales/en.ts';
import { locales } from '../../src/locales/registry.ts';

/** The code of a file and of everything that it may load, without the catalogues. */
async function codeOf(file: string, seen = new Set<string>()): Promise<string> {
  if (seen.has(file) || locales.list().some((tag) => file.includes(`/${tag}-`))) return '';
  seen.add(file);
  const code = await readFile(file, 'utf8');
  const parts = [...code.matchAll(/["'`](\.[^"'`\s]+\.js)["'`]/g)].map(([, path = '']) =>
    codeOf(join(dirname(file), path), seen),
  );
  return [code, ...(await Promise.all(parts))].join('\n');
}

describe('markdown.js', () => {
  it('has every text that it uses', async () => {
    const code = await codeOf('dist/markdown.js');
    const own = { ...enContent, ...enCodeTools, ...enTableTools, ...enImage, ...enLightbox };
    const others = Object.keys(en).filter((key) => key.includes('.') && !Object.hasOwn(own, key));
    assert.deepEqual(
      others.filter((key) => ['"', "'", '`'].some((quote) => code.includes(quote + key + quote))),
      [],
    );
    const begun = [...code.matchAll(/`([a-z]+\.(?:[a-z]+\.)*)\$\{/g)].map(([, prefix = '']) => prefix);
    const lacking = (prefix: string): boolean => others.some((key) => key.startsWith(prefix));
    assert.deepEqual(begun.filter(lacking), []);
  });
});
