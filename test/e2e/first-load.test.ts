import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';

const WIDGET = '<agent-chat endpoint="/agent" protocol="agent-session"></agent-chat>';

/** A page in a browser that saves data, so that nothing is loaded ahead of time. */
async function visitSavingData(site: Site, path: string): Promise<Page> {
  const page = await site.open();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  await page.goto(site.origin + path);
  return page;
}

describe('the first load', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': WIDGET,
        '/closed': '<agent-chat endpoint="/agent" mode="floating"></agent-chat>',
        '/versioned': `<!doctype html><script type="module" src="/dist/agent-chat.js?v=2"></script>${WIDGET}`,
        '/redirected': `<!doctype html><script type="module" src="/latest/agent-chat.js"></script>${WIDGET}`,
      },
      agent: async (request, response) => {
        if (request.url !== '/latest/agent-chat.js') {
          return answering(sessionStream('Hello **there**.'))(request, response);
        }
        response.writeHead(302, { location: '/dist/agent-chat.js' }).end();
        return true;
      },
    });
  });
  after(() => site.close());

  it('fetches the parts of a conversation while the page is idle, and not those of a closed panel', async () => {
    const page = await site.open();
    const parts = page.waitForResponse(/\/conversation-/);
    await page.goto(site.origin + '/');
    await parts;
    await releaseContext(page);
    const from = site.requests.length;
    const closed = await site.visit('/closed');
    await closed.locator('agent-chat [part="launcher"]').waitFor();
    await closed.waitForLoadState('networkidle');
    await closed.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const fetched = (): readonly string[] =>
      site.requests.slice(from).filter((path) => path.includes('/conversation-'));
    assert.deepEqual(fetched(), []);
    await Promise.all([
      closed.waitForResponse(/\/conversation-/),
      closed.evaluate(() => document.querySelector('agent-chat')?.show()),
    ]);
    await releaseContext(closed);
  });

  it('is only the widget until the user moves, then the parts of a conversation, and nothing unnecessary', async () => {
    const from = site.requests.length;
    const page = await visitSavingData(site, '/');
    const asked = (): readonly string[] => site.requests.slice(from).filter((path) => path.startsWith('/dist/'));
    await page.locator('agent-chat [part="input"]').waitFor();
    await page.waitForLoadState('networkidle');
    const idle = asked();
    assert.equal(idle[0], '/dist/agent-chat.js');
    const stray = await page.evaluate(() => [...document.head.querySelectorAll('link, style, script')].length);
    assert.equal(stray, 1, 'the page’s own script, and no trace of ours');
    const cookies = await page.context().cookies();
    const kept = await page.evaluate(() => localStorage.length + sessionStorage.length);
    assert.deepEqual([cookies.length, kept], [0, 0]);

    // Hovering fetches the parts of a conversation.
    await Promise.all([page.waitForResponse(/\/dist\//), page.locator('agent-chat').hover()]);

    await page.evaluate(() => document.querySelector('agent-chat')?.send('Hi'));
    await page.locator('agent-chat strong').waitFor();
    assert.ok(asked().length <= 10, `a first answer takes few files: ${asked().join(' ')}`);
    const loaded = asked().join(' ');
    for (const rare of ['chart', 'highlight', 'colour', 'purify', 'zh-CN', 'artifact', 'openai', 'langgraph']) {
      assert.ok(!loaded.includes(rare), `${rare} is not loaded: ${loaded}`);
    }
    await releaseContext(page);
  });

  for (const path of ['/versioned', '/redirected']) {
    it(`happens once if its address has another form, ${path.slice(1)}`, async () => {
      const page = await site.visit(path);
      const from = site.requests.length;
      const warnings: string[] = [];
      page.on('console', (message) => warnings.push(message.text()));
      await page.evaluate(async () => {
        await customElements.whenDefined('agent-chat');
        await document.querySelector('agent-chat')?.send('Hi');
      });
      await page.locator('agent-chat strong').waitFor();
      assert.equal(site.requests.slice(from).filter((asked) => asked.endsWith('/agent-chat.js')).length, 0);
      assert.deepEqual(warnings, []);
      await releaseContext(page);
    });
  }

  it('sends the request while the elements of the transcript are still loading', async () => {
    const page = await visitSavingData(site, '/');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/dist/chunks/conversation-*', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/agent$/);
    const answered = page.evaluate(async () => (await document.querySelector('agent-chat')?.send('Hi'))?.status);
    await (await asked).response();
    assert.equal(await page.evaluate(() => document.querySelector('agent-chat')?.messages.at(-1)?.blocks.length), 0);
    assert.equal(await page.locator('agent-chat p:visible').count(), 1, 'the message of the user');
    release();
    await page.locator('agent-chat strong').waitFor();
    assert.equal(await answered, 'complete');
    await releaseContext(page);
  });

  it('without the elements of the transcript shows the answer as plain text, and reports them', async () => {
    const page = await visitSavingData(site, '/');
    await page.route('**/dist/chunks/conversation-*', (route) => route.fulfill({ status: 404 }));
    const seen = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      const kinds: string[] = [];
      chat?.addEventListener('agent-chat-error', ({ detail }) => kinds.push(detail.kind));
      const answer = await chat?.send('Hi');
      return { kinds, status: answer?.status };
    });
    assert.deepEqual(seen, { kinds: ['load'], status: 'complete' });
    await page.getByText('Hello **there**.').waitFor();
    await releaseContext(page);
  });

  it('with missing chunks still shows plain text, and reports what is missing when it is used', async () => {
    const page = await visitSavingData(site, '/');
    await page.route('**/dist/chunks/**', (route) => route.fulfill({ status: 404 }));
    const seen = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      if (!chat) return {};
      chat.messages = [{ role: 'assistant', text: 'Words from **before**.' }];
      await chat.updateComplete;
      await new Promise(requestAnimationFrame);
      const words = chat.shadowRoot?.querySelector('[part="transcript"]')?.textContent.trim();
      const kinds: string[] = [];
      chat.addEventListener('agent-chat-error', ({ detail }) => kinds.push(detail.kind));
      const answer = await chat.send('Hi');
      return { words, kinds, status: answer.status };
    });
    assert.deepEqual(seen, { words: 'Words from **before**.', kinds: ['load'], status: 'error' });
    await page.getByText('A part of the chat could not be loaded.').waitFor();
    await releaseContext(page);
  });
});
