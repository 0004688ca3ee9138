/**
 * A storage that never answers, is damaged or is refused: the user's text is sent, or is in the composer or transcript.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ControlledAgent, session, SESSION_END, waitForTexts, sessionWidget } from './support/controlled-agent.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

/** What the browser does, as a script that runs before the page. The reported kind of error, if any. */
const BROWSERS: Readonly<Record<string, { readonly script: string; readonly kinds: readonly string[] }>> = {
  'a database whose opening never ends': {
    // An object that is no request would make the library throw instead of wait.
    script: 'IDBFactory.prototype.open = () => Object.setPrototypeOf(new EventTarget(), IDBOpenDBRequest.prototype);',
    kinds: ['storage'],
  },
  'a database whose transactions never end': {
    script: `for (const name of ['get', 'getAll', 'getKey', 'getAllKeys', 'openCursor', 'put'])
      for (const store of [IDBObjectStore, IDBIndex])
        if (name in store.prototype) store.prototype[name] = () => Object.setPrototypeOf(new EventTarget(), IDBRequest.prototype);`,
    kinds: ['storage'],
  },
  'a database whose opening throws': {
    script: "IDBFactory.prototype.open = () => { throw new DOMException('Not here', 'SecurityError'); };",
    kinds: ['storage'],
  },
  'locks that are never granted or refused': {
    script: 'LockManager.prototype.request = () => new Promise(() => undefined);',
    kinds: [],
  },
  'locks that reject': {
    script: "LockManager.prototype.request = () => Promise.reject(new DOMException('Not here', 'SecurityError'));",
    kinds: [],
  },
  'a `sessionStorage` and a `localStorage` that throw': {
    script: `for (const name of ['sessionStorage', 'localStorage'])
      Object.defineProperty(globalThis, name, { get() { throw new DOMException('Not here', 'SecurityError'); } });`,
    kinds: ['storage'],
  },
};

describe('a storage that does not answer', () => {
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

  for (const [name, { script, kinds }] of Object.entries(BROWSERS)) {
    it(`sends the user’s text: ${name}`, async () => {
      agent = new ControlledAgent();
      const page = await site.open();
      await page.addInitScript(script);
      await page.addInitScript(() => {
        const reported: string[] = [];
        Object.assign(globalThis, { reported });
        addEventListener('agent-chat-error', ({ detail }) => reported.push(detail.kind));
      });
      await page.goto(`${site.origin}/local`);
      await page.locator('agent-chat [part="input"]').fill('First');
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        () => document.querySelector('agent-chat')?.messages[0]?.blocks[0]?.content === 'First',
      );
      await agent.requestCount(1);
      agent.write(session('One') + SESSION_END);
      agent.end();
      await waitForTexts(page, ['user complete: First', 'assistant complete: One']);
      await agent.answer(page, 'Second', 'Two');
      await waitForTexts(page, [
        'user complete: First',
        'assistant complete: One',
        'user complete: Second',
        'assistant complete: Two',
      ]);
      // Each of them settles: the page would otherwise wait for it forever.
      await page.evaluate(async () => {
        const chat = document.querySelector('agent-chat');
        await chat?.listThreads().catch(() => undefined);
        await chat?.deleteThread('x').catch(() => undefined);
        await chat?.forget().catch(() => undefined);
      });
      const reported = await page.evaluate(() => (globalThis as unknown as { reported: string[] }).reported);
      assert.deepEqual([...new Set(reported)], kinds);
      await releaseContext(page);
    });
  }

  it('works with a database of the same version whose stores are missing', async () => {
    agent = new ControlledAgent();
    const page = await site.visit('/local');
    await agent.answer(page, 'First', 'One');
    const version = await page.evaluate(async () => {
      const [database] = await indexedDB.databases();
      return database?.version;
    });
    await page.goto(`${site.origin}/empty`);
    await page.evaluate(async (number) => {
      await new Promise((resolve) => (indexedDB.deleteDatabase('agent-chat').onsuccess = resolve));
      const open = indexedDB.open('agent-chat', number);
      await new Promise((resolve) => (open.onsuccess = resolve));
      open.result.close();
    }, version);
    await page.goto(`${site.origin}/local`);
    await agent.answer(page, 'Second', 'Two');
    await waitForTexts(page, ['user complete: Second', 'assistant complete: Two']);
    await releaseContext(page);
  });

  for (const path of ['/session', '/local']) {
    it(`a reload directly after a message on a cold page loses no text: ${path}`, async () => {
      agent = new ControlledAgent();
      const page = await site.open();
      // The parts that send are still loading when the page is left.
      await page.route('**/dist/chunks/*', async (route) => {
        await page.waitForFunction(() => document.querySelector('agent-chat') !== null).catch(() => undefined);
        await route.continue().catch(() => undefined);
      });
      await page.goto(`${site.origin}${path}`);
      await page.waitForFunction(() => customElements.get('agent-chat') !== undefined);
      await page.evaluate(() => {
        void document.querySelector('agent-chat')?.send('Not to be lost');
        location.reload();
      });
      await page.waitForLoadState();
      await page.waitForFunction(() =>
        JSON.stringify(document.querySelector('agent-chat')?.messages ?? []).includes('Not to be lost'),
      );
      const statuses = await page.evaluate(() => document.querySelector('agent-chat')?.messages.map((m) => m.status));
      assert.ok(statuses?.[0] === 'failed' || statuses?.[0] === 'complete', String(statuses));
      await releaseContext(page);
    });
  }
});
