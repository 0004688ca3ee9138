import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answering, leave, openSite, sessionStream, type Site } from './support/site.ts';

const WIDGET = '<agent-chat endpoint="/agent" protocol="agent-session"></agent-chat>';

describe('the first load', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': WIDGET,
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

  it('is only the widget until the user moves, then the parts of a conversation, and nothing that is not needed', async () => {
    const page = await site.visit('/');
    const asked = (): readonly string[] => site.requests.filter((path) => path.startsWith('/dist/'));
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
    await leave(page);
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
      await leave(page);
    });
  }

  it('with missing chunks still shows plain text, and reports what is missing when it is used', async () => {
    const page = await site.visit('/');
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
    await leave(page);
  });
});
