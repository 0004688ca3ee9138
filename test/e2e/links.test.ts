/** Every link of the documents, and of the site made of them, has a target. */
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import { linkedOf, pagesOfSite, SITE, type Linked } from './support/pages-of-site.ts';
import { documents } from './support/snippets.ts';

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
const isForeign = (link: string): boolean => /^[a-z]+:/i.test(link);

describe('links', () => {
  it('of the documents lead to existing files', async () => {
    const broken: string[] = [];
    for (const file of [...(await documents()), 'CHANGELOG.md', 'SECURITY.md']) {
      const text = (await readFile(file, 'utf8')).replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
      for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (isForeign(link) || link.startsWith('#')) continue;
        const target = posix.join(posix.dirname(file), link.split('#')[0] ?? '');
        if (!(await exists(target))) broken.push(`${file}: ${link}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it('of the site lead to existing pages and headings, by relative addresses only', async () => {
    const names = await pagesOfSite();
    const pages = new Map<string, Linked>();
    for (const name of names) pages.set(name, await linkedOf(name));
    const broken: string[] = [];
    for (const [name, { links }] of pages) {
      for (const link of links.filter((link) => !isForeign(link))) {
        const [path = '', hash] = link.split('#', 2);
        const target = path === '' ? name : posix.join(posix.dirname(name), path);
        const found = link.startsWith('/') ? false : pages.has(target) || (await exists(`${SITE}/${target}`));
        if (
          !found ||
          (hash !== undefined && pages.has(target) && !pages.get(target)?.ids.has(decodeURIComponent(hash)))
        )
          broken.push(`${name}: ${link}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it('of the site cover all documents', async () => {
    const names = await pagesOfSite();
    const listed: string[] = [];
    // The modules have a list of their own.
    for (const list of ['guides/start.html', 'modules.html']) {
      const { links } = await linkedOf(list);
      listed.push(...links.map((link) => posix.join(posix.dirname(list), link)));
    }
    assert.deepEqual(
      names.filter((name) => !listed.includes(name)),
      [],
      'a page that no list has',
    );
  });
});
