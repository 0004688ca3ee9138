/** Complaints about chats of this kind that only a page can answer. The list, with the tests of the others, is in `docs/features.md`. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answering, leave, openSite, sessionStream, type Site } from './support/site.ts';

describe('people complain', () => {
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

  it('that the script asks its maker: a whole conversation asks no host but that of the page, and for no key', async () => {
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
    await leave(page);
  });

  it('that Vue, Angular and Svelte need a wrapper: properties from before the script, events that bubble, moves that lose nothing', async () => {
    const page = await site.visit('/bare');
    const seen = await page.evaluate(async (script) => {
      const main = document.querySelector('main');
      const chat = document.createElement('agent-chat');
      // What the three do: properties on what is not an element of ours yet, then a listener, then the place.
      Object.assign(chat, { endpoint: '/agent', protocol: 'agent-session', heading: 'Harbor', suggestions: ['One'] });
      const heard: string[] = [];
      main?.addEventListener('agent-chat-send', (event) => heard.push(event.constructor.name));
      main?.append(chat);
      await import(script);
      await customElements.whenDefined('agent-chat');
      await chat.updateComplete;
      const before = [chat.heading, chat.suggestions?.length];
      await chat.send('Hi');
      // A list that is sorted, a route that is kept: taken out and put in again.
      chat.remove();
      main?.append(chat);
      await chat.updateComplete;
      return { before, heard, messages: chat.messages.length };
    }, '/dist/agent-chat.js');
    assert.deepEqual(seen.before, ['Harbor', 1]);
    assert.equal(seen.heard.length, 1);
    assert.equal(seen.messages, 2);
    await leave(page);
  });
});
