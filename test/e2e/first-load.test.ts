import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answering, openSite, sessionStream, type Site } from './support/site.ts';

describe('what a page loads', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: { '/': '<agent-chat endpoint="/agent" protocol="agent-session"></agent-chat>' },
      agent: answering(sessionStream('Hello **there**.')),
    });
  });
  after(() => site.close());

  it('is the widget alone until the reader moves, the parts of a conversation then, and nothing that is not needed', async () => {
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

    await page.locator('agent-chat').hover();
    await page.waitForLoadState('networkidle');
    const moved = asked();
    assert.ok(moved.length > idle.length, 'hovering fetches the parts of a conversation');

    await page.evaluate(() => document.querySelector('agent-chat')?.send('Hi'));
    await page.locator('agent-chat strong').waitFor();
    const loaded = asked().join(' ');
    for (const rare of ['chart', 'highlight', 'colour', 'purify', 'zh-CN', 'artifact', 'openai', 'agentscope']) {
      assert.ok(!loaded.includes(rare), `${rare} is not loaded: ${loaded}`);
    }
    await page.context().close();
  });

  it('with its chunks missing it still shows plain words, and says what is missing when it is used', async () => {
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
    await page.context().close();
  });
});
