/**
 * Complaints about similar chats that only a page can disprove. The list, with the tests of the others, is in
 * `docs/features.md`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';

describe('complaints about similar chats', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<agent-chat endpoint="/agent" protocol="agent-session" mode="floating" open></agent-chat>',
        '/bare': '<!doctype html><title>Shop</title><main></main>',
      },
      agent: answering(sessionStream('Hello **there**.\n\n```ts\nconst a = 1;\n```\n\n```mermaid\nflowchart LR\n```')),
    });
  });
  after(() => site.close());

  it('that the script contacts its vendor: a whole conversation contacts only the page’s host, without a key', async () => {
    const page = await site.visit('/');
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.reload();
    await page.locator('agent-chat [part="input"]').waitFor();
    const status = await page.evaluate(async () => (await document.querySelector('agent-chat')?.send('Hi'))?.status);
    assert.equal(status, 'complete');
    await page.getByText('there', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual([...hosts], [new URL(page.url()).host]);
    await releaseContext(page);
  });

  it('that Vue, Angular and Svelte need a wrapper: early properties are kept, events bubble, moving keeps the state', async () => {
    const page = await site.visit('/bare');
    const seen = await page.evaluate(async (script) => {
      const main = document.querySelector('main');
      const chat = document.createElement('agent-chat');
      // As all three do: set properties before the element is defined, then add a listener, then insert it.
      Object.assign(chat, { endpoint: '/agent', protocol: 'agent-session', heading: 'Harbor', suggestions: ['One'] });
      const heard: string[] = [];
      main?.addEventListener('agent-chat-send', (event) => heard.push(event.constructor.name));
      main?.append(chat);
      await import(script);
      await customElements.whenDefined('agent-chat');
      await chat.updateComplete;
      const before = [chat.heading, chat.suggestions?.length];
      await chat.send('Hi');
      // Moving it, as a sorted list or a cached route does: removed and inserted again.
      chat.remove();
      main?.append(chat);
      await chat.updateComplete;
      return { before, heard, messages: chat.messages.length };
    }, '/dist/agent-chat.js');
    assert.deepEqual(seen.before, ['Harbor', 1]);
    assert.equal(seen.heard.length, 1);
    assert.equal(seen.messages, 2);
    await releaseContext(page);
  });
});
