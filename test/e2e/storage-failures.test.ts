/** A newer, closed or busy storage, killed tabs, and references to removed elements. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  ControlledAgent,
  send,
  session,
  SESSION_END,
  waitForTexts,
  stores,
  sessionWidget,
} from './support/controlled-agent.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

describe('faults of the storage', () => {
  let site: Site;
  let agent: ControlledAgent;
  before(async () => {
    site = await openSite({
      pages: {
        '/local': sessionWidget('persist="local"'),
        '/session': sessionWidget('persist="session"'),
        '/empty': '<p>A page without a widget</p>',
      },
      agent: (request, response) => agent.handler(request, response),
    });
  });
  after(() => site.close());
  const visit = (path: string): Promise<Page> => {
    agent = new ControlledAgent();
    return site.visit(path);
  };

  it('reports immediately that a newer version has stored the conversations', async () => {
    const page = await visit('/empty');
    await page.evaluate(async () => {
      const open = indexedDB.open('agent-chat', 1000);
      await new Promise((resolve) => (open.onsuccess = resolve));
      open.result.close();
    });
    await page.goto(`${site.origin}/local`);
    await page.locator('agent-chat .problem').waitFor();
    assert.match(await page.locator('agent-chat .problem').innerText(), /newer version/);
    await agent.answer(page, 'Go', 'It goes on.');
    await waitForTexts(page, ['user complete: Go', 'assistant complete: It goes on.']);
    assert.equal(await page.locator('agent-chat .problem').count(), 1);
    await releaseContext(page);
  });

  it('closes the database for a newer version in another tab, and reports it', async () => {
    const page = await visit('/local');
    await agent.answer(page, 'Go', 'One');
    const other = await site.openTab(page.context(), '/empty');
    await other.evaluate(async () => {
      const open = indexedDB.open('agent-chat', 1000);
      await new Promise((resolve) => (open.onsuccess = resolve));
      open.result.close();
    });
    await agent.answer(page, 'More', 'Two');
    await page.locator('agent-chat .problem').waitFor();
    assert.match(await page.locator('agent-chat .problem').innerText(), /newer version/);
    await releaseContext(page);
  });

  for (const phase of ['before the first byte', 'in the text', 'at the end'] as const) {
    it(`continues in the other tab when the one with the reply is killed ${phase}`, async () => {
      const first = await visit('/local');
      await agent.answer(first, 'Start', 'Begun');
      const second = await site.openTab(first.context(), '/local');
      await waitForTexts(second, ['user complete: Start', 'assistant complete: Begun']);
      await send(first, 'Go');
      await agent.requestCount(2);
      if (phase !== 'before the first byte') {
        agent.write(session('One '));
        await second.waitForFunction(() =>
          JSON.stringify(document.querySelector('agent-chat')?.messages).includes('One '),
        );
      } else await second.waitForFunction(() => document.querySelector('agent-chat')?.messages.length !== 2);
      if (phase === 'at the end') {
        agent.write(SESSION_END);
        agent.end();
      }
      // A crash: the page emits no more events.
      const crashed = first.waitForEvent('crash');
      await first.goto('chrome://crash').catch(() => undefined);
      await crashed;
      await second.waitForFunction(() => document.querySelector('agent-chat')?.status !== 'streaming');
      await agent.answer(second, 'More', 'Two');
      const all = await second.evaluate(() =>
        (document.querySelector('agent-chat')?.messages ?? []).map(({ role }) => role),
      );
      assert.deepEqual(all, ['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
      await releaseContext(second);
    });
  }

  it('a tab that the browser discards in mid-reply shows the stored text when it loads again', async () => {
    const page = await visit('/session');
    await agent.answer(page, 'Start', 'Begun');
    await send(page, 'Go');
    await agent.requestCount(2);
    agent.write(session('Half of it'));
    await stores(page, 'Half of it');
    await page.evaluate(() => {
      // Playwright cannot use a tab again whose process has ended. A discarded page gets no events either.
      for (const name of ['visibilitychange', 'freeze', 'pagehide', 'unload'])
        addEventListener(
          name,
          (event) => {
            event.stopImmediatePropagation();
          },
          true,
        );
    });
    await page.reload();
    await waitForTexts(page, [
      'user complete: Start',
      'assistant complete: Begun',
      'user complete: Go',
      'assistant interrupted: Half of it',
    ]);
    await agent.answer(page, 'More', 'Two');
    await releaseContext(page);
  });

  it('sends no messages as long as there is no other tab', async () => {
    agent = new ControlledAgent();
    const page = await site.open();
    await page.addInitScript(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      const post = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'postMessage')
        ?.value as BroadcastChannel['postMessage'];
      BroadcastChannel.prototype.postMessage = function (message: { readonly type: string }) {
        said.push(JSON.stringify(message));
        post.call(this, message);
      };
    });
    await page.goto(`${site.origin}/local`);
    await agent.answer(page, 'Go', 'One');
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { said: string[] }).said), [
      '{"type":"hello"}',
    ]);
    const other = await site.openTab(page.context(), '/local');
    await waitForTexts(other, ['user complete: Go', 'assistant complete: One']);
    await agent.answer(page, 'More', 'Two');
    await waitForTexts(other, [
      'user complete: Go',
      'assistant complete: One',
      'user complete: More',
      'assistant complete: Two',
    ]);
    await releaseContext(page);
  });

  it('holds no element that was removed, with keep-alive, once its reply has ended', async () => {
    const page = await visit('/empty');
    await page.evaluate(async () => {
      const made: WeakRef<Element>[] = [];
      Object.assign(globalThis, { made });
      for (let count = 0; count < 10; count++) {
        const chat = document.createElement('agent-chat');
        for (const [name, value] of Object.entries({
          endpoint: '/agent',
          protocol: 'agent-session',
          persist: 'local',
          'keep-alive': '',
        }))
          chat.setAttribute(name, value);
        document.body.append(chat);
        await chat.updateComplete;
        chat.messages = [
          { role: 'user', text: 'Hi' },
          { role: 'assistant', text: 'Hello' },
        ];
        await chat.listThreads();
        while (!chat.shadowRoot?.textContent.includes('Hello')) await new Promise(requestAnimationFrame);
        made.push(new WeakRef(chat));
        chat.remove();
      }
    });
    const client = await page.context().newCDPSession(page);
    await client.send('HeapProfiler.enable');
    let left = 10;
    for (let attempt = 0; attempt < 60 && left > 1; attempt++) {
      await client.send('HeapProfiler.collectGarbage');
      left = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            setTimeout(() => {
              const { made } = globalThis as unknown as { made: WeakRef<Element>[] };
              resolve(made.filter((one) => one.deref() !== undefined).length);
            }, 100);
          }),
      );
    }
    // (The last one may still be in a register of the machine.)
    assert.ok(left <= 1, `${String(left)} are held`);
    await releaseContext(page);
  });

  it('continues a reply in a removed element with keep-alive, and shows all of it afterwards', async () => {
    const page = await visit('/empty');
    await page.evaluate(async () => {
      const chat = document.createElement('agent-chat');
      chat.setAttribute('endpoint', '/agent');
      chat.setAttribute('protocol', 'agent-session');
      chat.setAttribute('persist', 'local');
      chat.setAttribute('keep-alive', '');
      document.body.append(chat);
      await chat.updateComplete;
      Object.assign(globalThis, { chat });
      void chat.send('Go');
    });
    await agent.requestCount(1);
    agent.write(session('One '));
    await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'streaming');
    await page.evaluate(() => {
      document.querySelector('agent-chat')?.remove();
    });
    agent.write(session('two') + SESSION_END);
    agent.end();
    await page.waitForFunction(
      () => (globalThis as unknown as { chat: HTMLElementTagNameMap['agent-chat'] }).chat.status === 'idle',
    );
    await page.evaluate(() => {
      document.body.append((globalThis as unknown as { chat: Element }).chat);
    });
    await waitForTexts(page, ['user complete: Go', 'assistant complete: One two']);
    await agent.answer(page, 'More', 'Three');
    const other = await site.openTab(page.context(), '/local');
    await waitForTexts(other, [
      'user complete: Go',
      'assistant complete: One two',
      'user complete: More',
      'assistant complete: Three',
    ]);
    await releaseContext(page);
  });
});
