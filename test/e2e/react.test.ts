/** The component for React: a page that renders endlessly, and the page's components in the transcript. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { installUserState } from './support/user-state.ts';
import { releaseContext, openSite, type Handler, type Site } from './support/site.ts';
import { scriptedAgent } from './support/scripted-agent.ts';

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title><main></main>
  <script type="module" src="/react/page.js"></script></html>`;

const HYDRATED = `<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title>
  <script type="module" src="/hydrated/page.js"></script>
  <body><main><agent-chat class="support"></agent-chat></main></body></html>`;

/** A page that a bundler makes of the package. */
async function bundled(name: string, mode = 'production'): Promise<ReadonlyMap<string, string>> {
  const base = `/${name}/`;
  const made = await build({
    configFile: false,
    logLevel: 'error',
    base,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: {
        input: `test/e2e/support/${name}-page.ts`,
        output: { entryFileNames: 'page.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const outputs = [made].flat().flatMap((result) => ('output' in result ? result.output : []));
  return new Map(
    outputs.map((file) => [`${base}${file.fileName}`, file.type === 'chunk' ? file.code : String(file.source)]),
  );
}

describe('React', () => {
  let site: Site;
  const agent = scriptedAgent();
  const counts: (string | undefined)[] = [];
  before(async () => {
    // Only in development does React report differences to the server's HTML.
    const files = new Map([...(await bundled('react')), ...(await bundled('hydrated', 'development'))]);
    const handler: Handler = (request, response) => {
      const file = files.get(request.url ?? '');
      if (file !== undefined) {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
        return true;
      }
      if (request.url === '/agent') counts.push(request.headers['x-count'] as string | undefined);
      return agent.handler(request, response);
    };
    site = await openSite({
      pages: { '/react': PAGE, '/hydrated': HYDRATED },
      agent: handler,
    });
  });
  after(async () => {
    agent.hangUp();
    await site.close();
  });

  async function arrive(): Promise<Page> {
    const page = await site.visit('/react');
    await page.locator('[part=input]').waitFor();
    await installUserState(page);
    return page;
  }

  it('passes properties, attributes, events and slots to the element', async () => {
    const page = await arrive();
    const found = await page.evaluate(() => {
      const chat = document.querySelector('agent-chat')!;
      return [chat.className, chat.heading, chat.messages.length, chat.querySelector('[slot=header-end]')?.textContent];
    });
    assert.deepEqual(found, ['support', 'Harbor', 1, 'rendered 0']);
    await releaseContext(page);
  });

  it('recreates nothing when the parent renders a hundred times in mid-stream with literals for props', async () => {
    const page = await arrive();
    await agent.sendMessage(page);
    await agent.respond(page, { content: 'The first words.\n\nAnd' });
    const seen = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat')!;
      await chat.updateComplete;
      const nodes = [...chat.shadowRoot!.querySelectorAll('*')];
      let updates = 0;
      const request = chat.requestUpdate.bind(chat);
      chat.requestUpdate = (...change: Parameters<typeof chat.requestUpdate>) => {
        updates++;
        request(...change);
      };
      const changes: string[] = [];
      const watch = new MutationObserver((records) => {
        for (const { type, target } of records) changes.push(`${type} ${target.nodeName}`);
      });
      watch.observe(chat.shadowRoot!, { subtree: true, childList: true, attributes: true, characterData: true });
      host.again(100);
      await chat.updateComplete;
      await userState.rendered();
      changes.push(...watch.takeRecords().map(({ type }) => type));
      watch.disconnect();
      const now = [...chat.shadowRoot!.querySelectorAll('*')];
      return {
        updates,
        changes: [...new Set(changes)],
        stayed: now.length === nodes.length && nodes.every((node, index) => node === now[index]),
        messages: chat.messages.length,
        status: chat.status,
        slot: chat.querySelector('[slot=header-end]')?.textContent,
      };
    });
    assert.deepEqual(seen, {
      updates: 0,
      changes: [],
      stayed: true,
      messages: 3,
      status: 'streaming',
      slot: 'rendered 100',
    });
    await agent.respond(page, { content: ' then more.' });
    await agent.end(page);
    await releaseContext(page);
  });

  it('calls the latest of its functions', async () => {
    const page = await arrive();
    await page.evaluate(() => {
      host.again(7);
    });
    await agent.sendMessage(page);
    await agent.end(page);
    assert.equal(counts.at(-1), '7');
    assert.deepEqual(await page.evaluate(() => host.heard), ['send 7']);
    await releaseContext(page);
  });

  it('renders a block by a component, which keeps its state while the block grows and the parent renders', async () => {
    const page = await arrive();
    await agent.sendMessage(page);
    const button = page.locator('.chart-of-the-page');
    await agent.respond(page, { data: { data_type: 'custom', data: { rows: 1 } } });
    await button.click();
    const made = await page.evaluate(() => host.made);
    await agent.respond(page, { content: 'Words behind it.' });
    await page.evaluate(() => {
      host.again(10);
    });
    await agent.end(page);
    assert.equal(await button.innerText(), '{"rows":1}, pressed 1');
    assert.equal(await page.evaluate(() => host.made), made);
    // In the page's own tree, where its stylesheets apply.
    assert.equal(await page.evaluate(() => document.querySelector('.chart-of-the-page') !== null), true);
    await releaseContext(page);
  });

  it('stops nothing when it is unmounted, and leaves nothing in the page', async () => {
    const page = await arrive();
    await page.evaluate(() => {
      host.unmount();
    });
    assert.equal(await page.locator('agent-chat').count(), 0);
    await releaseContext(page);
  });

  it('hydrates the server’s HTML without a warning', async () => {
    const page = await site.open();
    const words: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') words.push(message.text());
    });
    await page.goto(`${site.origin}/hydrated`);
    await page.locator('[part=input]').waitFor();
    await installUserState(page);
    await agent.sendMessage(page);
    await agent.respond(page, { content: 'Hello.' });
    await agent.end(page);
    assert.deepEqual(words, []);
    assert.equal(await page.evaluate(() => document.querySelector('agent-chat')?.className), 'support');
    await releaseContext(page);
  });
});
