/** The documentation site, from a server and from a disk: its content, its playground and its search. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { pagesOfSite, SITE } from './support/pages-of-site.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';
import { scenes } from '../../demo/scenes/scenes.ts';
import { PROTOCOLS } from '../../demo/choices.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const BELOW = '/some/where';

describe('the site', () => {
  let site: Site;
  before(async () => {
    await pagesOfSite();
    site = await openSite({
      // Under a subpath: the site must not assume that it is at the root of a host.
      agent: async (request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://site');
        if (!pathname.startsWith(`${BELOW}/`)) return false;
        const file = await readFile(join(SITE, pathname.slice(BELOW.length))).catch(() => undefined);
        if (file === undefined) return false;
        response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream' }).end(file);
        return true;
      },
    });
  });
  after(() => site.close());

  async function visit(
    path: string,
    options: BrowserContextOptions = {},
    from = `${site.origin}${BELOW}/`,
  ): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
    const page = await site.open({ reducedMotion: 'reduce', ...options });
    const problems: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(from) && !/^(?:data|blob):/.test(request.url())) problems.push(request.url());
    });
    await page.goto(from + path);
    return { page, problems };
  }
  const transcript = (page: Page) => page.locator('agent-chat [part~="transcript"]');

  it('the start page answers, without console output or requests to other hosts', async () => {
    const { page, problems } = await visit('index.html');
    await page.getByRole('button', { name: 'Can a customer return a tent' }).click();
    await transcript(page).getByText('30 days').first().waitFor();
    assert.deepEqual(problems, []);
    await releaseContext(page);
  });

  it('works from a disk, without a server', async () => {
    const { page, problems } = await visit('index.html', {}, `${pathToFileURL(resolve(SITE)).href}/`);
    await page.getByRole('button', { name: 'Can a customer return a tent' }).click();
    await transcript(page).getByText('30 days').first().waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('heading', { name: 'Five-minute start' }).waitFor();
    assert.deepEqual(problems, []);
    await releaseContext(page);
  });

  for (const from of ['a server', 'a disk'])
    it(`the gallery shows each scene from ${from}, in any theme and language`, async () => {
      const home = from === 'a disk' ? `${pathToFileURL(resolve(SITE)).href}/` : undefined;
      const { page, problems } = await visit('gallery.html#theme=terminal&locale=de', {}, home);
      await page.locator('agent-chat[theme="terminal"] [part="input"]').waitFor();
      assert.equal(await page.locator('#scene option').count(), scenes.length);
      await page.locator('#scene').selectOption('conversation');
      await transcript(page).getByRole('heading', { name: 'What changed' }).waitFor();
      await page.locator('#locale').selectOption('ar');
      await page.locator('agent-chat[dir="rtl"] .chat[lang="ar"]').waitFor();
      assert.match(page.url(), /scene=conversation&theme=terminal&locale=ar/);
      assert.deepEqual(problems, []);
      await releaseContext(page);
    });

  it('the search finds a page by its text, by keyboard', async () => {
    const { page, problems } = await visit('guides/start.html');
    await page.keyboard.press('/');
    await page.keyboard.type('voucher');
    await page.locator('#found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tools of your page' }).waitFor();
    assert.deepEqual(problems, []);
    await releaseContext(page);
  });

  it('the reference lists what each module exports, with the author’s descriptions', async () => {
    const { page, problems } = await visit('modules.html');
    for (const [door, name, words] of [
      ['define', 'define', 'function define(tag?: string): void'],
      ['define', 'define', 'Registers the widget'],
      ['protocols', 'defineProtocol', 'function defineProtocol('],
      ['renderers', 'defineRenderer', 'A renderer with the types'],
      ['react', 'AgentChat', 'AgentChatProps'],
      ['testing', 'replay', 'function replay('],
    ] as const) {
      await page.getByRole('link', { name: `agent-chat-element/${door}`, exact: true }).click();
      const told = await page.locator(`[id="agent-chat-element-${door}-${name}"]`).innerText();
      assert.ok(told.includes(words), `${door}: ${name}: ${words}`);
      await page.getByRole('link', { name: 'All modules' }).click();
    }
    assert.deepEqual(problems, []);
    await releaseContext(page);
  });

  it('the playground works from a disk', async () => {
    const { page, problems } = await visit('playground.html', {}, `${pathToFileURL(resolve(SITE)).href}/`);
    await page.locator('#stream').selectOption('openai-chat/citations.sse');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.locator('#note', { hasText: 'openai-chat, complete' }).waitFor();
    assert.deepEqual(problems, []);
    await releaseContext(page);
  });

  it('the playground plays every stream of every protocol, and shows the result', async () => {
    const { page } = await visit('playground.html');
    await page.locator('agent-chat [part="input"]').waitFor();
    await page.locator('#speed').selectOption('at once');
    // A list of one hundred streams is long enough.
    await page.locator('#debug').uncheck();
    const notes = await page.evaluate(playAll);
    const protocols = new Set(notes.map(({ stream }) => stream.split('/')[0]));
    for (const protocol of [...PROTOCOLS.filter((one) => one !== 'deepchat-core'), 'rasa'])
      assert.ok(protocols.has(protocol), `there is no stream of ${protocol}`);
    const misread = notes.filter(({ stream, note }) => !note.startsWith(`${stream.split('/')[0] ?? ''}, `));
    assert.deepEqual(misread, []);
    await releaseContext(page);
  });

  it('the playground’s state is stored in its address, and restored from it', async () => {
    const { page } = await visit('playground.html');
    await page.locator('#mode').selectOption('floating');
    await page.locator('#color-scheme').selectOption('dark');
    await page.locator('#more').fill('heading="Shop" readonly');
    assert.match(
      await page.locator('#snippet').innerText(),
      /mode="floating"\n {2}color-scheme="dark"\n {2}heading="Shop"\n {2}readonly/,
    );
    const again = await visit(`playground.html${new URL(page.url()).hash}`);
    const chat = again.page.locator('agent-chat[mode="floating"][color-scheme="dark"][heading="Shop"][readonly]');
    await chat.waitFor({ state: 'attached' });
    await Promise.all([page, again.page].map((one) => releaseContext(one)));
  });

  it('a link of the playground does not carry a pasted stream or an endpoint that is no longer shown', async () => {
    const { page } = await visit('playground.html');
    await page.locator('[name="source"][value="paste"]').check();
    await page.locator('[name="pasted"]').fill('data: {"secret": 1}');
    await page.waitForURL(/secret/);
    await page.locator('[name="source"][value="endpoint"]').check();
    await page.locator('[name="endpoint"]').fill('https://inner.example/agent');
    assert.doesNotMatch(page.url(), /secret/);
    await page.locator('[name="source"][value="ours"]').check();
    assert.doesNotMatch(page.url(), /secret|inner/);
    await releaseContext(page);
  });

  it('a pasted stream is detected, and the inspector shows its frames, events and blocks', async () => {
    const { page } = await visit('playground.html');
    await page.getByLabel('One that you paste').check();
    await page.locator('#pasted').fill('data: {"choices":[{"delta":{"content":"Pasted words"}}]}\n\ndata: [DONE]');
    await page.getByRole('button', { name: 'Play' }).click();
    await transcript(page).getByText('Pasted words').waitFor();
    await page.locator('#note', { hasText: 'openai-chat, complete' }).waitFor();
    for (const list of ['frames', 'events', 'blocks'])
      assert.ok((await page.locator(`agent-chat [data-list="${list}"] .row`).count()) > 0, list);
    await releaseContext(page);
  });

  for (const [colorScheme, width] of [
    ['light', 360],
    ['dark', 1280],
  ] as const) {
    it(`axe finds nothing, ${colorScheme}, ${String(width)} pixels wide`, async () => {
      const found: string[] = [];
      for (const path of [
        'index.html',
        'playground.html',
        'gallery.html',
        'gallery.html#scene=every-block',
        'reference.html',
        'modules.html',
        'modules/protocols.html',
        'guides/custom-renderers.html',
        'features.html',
      ]) {
        const { page } = await visit(path, { colorScheme, viewport: { width, height: 800 } });
        // Not as a script of the page, which its policy would refuse.
        await page.evaluate(axe);
        if (path.startsWith('gallery')) await page.locator('agent-chat .send').waitFor();
        found.push(...(await problemsOf(page)).map((problem) => `${path}: ${problem}`));
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        );
        if (wide) found.push(`${path}: scrolls sideways`);
        await releaseContext(page);
      }
      assert.deepEqual(found, []);
    });
  }
});

interface Played {
  readonly stream: string;
  /** The page's reports. */
  readonly note: string;
}

/** Plays every stream of the list. It runs in the page. */
async function playAll(): Promise<readonly Played[]> {
  const form = document.querySelector<HTMLFormElement>('#play');
  const list = document.querySelector<HTMLSelectElement>('#stream');
  const said = document.querySelector('#note');
  if (!form || !list || !said) throw new Error('This is not the playground.');
  const played: Played[] = [];
  for (const { value } of [...list.options]) {
    list.value = value;
    const note = new Promise<string>((resolve) => {
      new MutationObserver((_changes, observer) => {
        if (said.textContent.startsWith('Playing')) return;
        observer.disconnect();
        resolve(said.textContent);
      }).observe(said, { childList: true, characterData: true, subtree: true });
    });
    form.requestSubmit();
    played.push({ stream: value, note: await note });
  }
  return played;
}

const problemsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const page = globalThis as unknown as {
      readonly axe: { run(root: Document, options: RunOptions): Promise<AxeResults> };
    };
    const { violations } = await page.axe.run(document, { resultTypes: ['violations'], preload: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${JSON.stringify(target)}`));
  });
