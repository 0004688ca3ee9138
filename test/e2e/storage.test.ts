/** Restored conversations after a reload, in another tab, for another user, and without storage. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  ControlledAgent,
  delta,
  FINISH,
  parts,
  send,
  session,
  SESSION_END,
  waitForTexts,
  START,
} from './support/controlled-agent.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

describe('stored conversations', () => {
  let site: Site;
  let agent: ControlledAgent;
  const widget = (attributes: string): string => `<agent-chat ${attributes}></agent-chat>`;
  const SESSION = 'endpoint="/agent" protocol="agent-session" retry="off"';
  const AI = 'endpoint="/agent" protocol="ai-sdk" retry="off" thread-id="chat-1"';
  before(async () => {
    site = await openSite({
      pages: {
        '/session': widget(`${SESSION} persist="session"`),
        '/local': widget(`${SESSION} persist="local"`),
        '/resume': widget(`${AI} persist="local"`),
        '/resume-session': widget(`${AI} persist="session"`),
        '/none': widget(SESSION),
        '/floating': widget(`${SESSION} mode="floating"`),
        '/elsewhere': '<p>Another page</p>',
      },
      agent: (request, response) => agent.handler(request, response),
    });
  });
  after(() => site.close());

  const visit = (path: string): Promise<Page> => {
    agent = new ControlledAgent();
    return site.visit(path);
  };

  for (const path of ['/session', '/local']) {
    it(`${path}: a reply that was cut by a reload is restored unchanged and interrupted`, async () => {
      const page = await visit(path);
      await send(page, 'Go');
      await agent.requestCount(1);
      agent.write(session('One ', 'two ', 'three'));
      await waitForTexts(page, ['user complete: Go', 'assistant streaming: One two three']);
      await page.reload();
      await waitForTexts(page, ['user complete: Go', 'assistant interrupted: One two three']);
      assert.deepEqual(agent.requests, ['POST /agent']);
      await releaseContext(page);
    });

    it(`${path}: a reply that has ended stays so, and the next turn has the whole conversation`, async () => {
      const page = await visit(path);
      await send(page, 'Go');
      await agent.requestCount(1);
      agent.write(session('Done.') + SESSION_END);
      agent.end();
      await waitForTexts(page, ['user complete: Go', 'assistant complete: Done.']);
      await page.goto(`${site.origin}/elsewhere`);
      await page.goto(site.origin + path);
      await waitForTexts(page, ['user complete: Go', 'assistant complete: Done.']);
      await releaseContext(page);
    });
  }

  for (const path of ['/session', '/local']) {
    it(`${path}: a message that waits for the storage is restored after a reload, as not sent`, async () => {
      const page = await visit('/elsewhere');
      // The first request for the module that stores conversations has no response. (`unroute` would let it through.)
      let isHeld = true;
      await page.route(/\/storage-/, (route) => (isHeld ? undefined : route.continue()));
      await page.goto(site.origin + path);
      await send(page, 'First');
      await waitForTexts(page, ['user sending: First']);
      isHeld = false;
      await page.reload();
      await waitForTexts(page, ['user failed: First']);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.reload();
      await waitForTexts(page, ['user failed: First']);
      assert.equal(await page.evaluate(() => Object.keys(sessionStorage).join().includes('waiting ')), false);
      assert.deepEqual(agent.requests, []);
      await releaseContext(page);
    });
  }

  it('resumes a reply immediately if the server can repeat it: no text lost or duplicated', async () => {
    const page = await visit('/resume-session');
    await send(page, 'Go');
    await agent.requestCount(1);
    agent.write(START + parts(delta('One '), delta('two ')));
    await waitForTexts(page, ['user complete: Go', 'assistant streaming: One two ']);
    agent.running = true;
    await page.reload();
    await agent.requestCount(2);
    agent.write(parts(delta('three')) + FINISH);
    agent.end();
    await waitForTexts(page, ['user complete: Go', 'assistant complete: One two three']);
    assert.match(agent.requests[1] ?? '', /^GET /);
    await releaseContext(page);
  });

  it('stays interrupted, without an error, if the server has nothing more to send', async () => {
    const page = await visit('/resume');
    await send(page, 'Go');
    await agent.requestCount(1);
    agent.write(START + parts(delta('One '), delta('two ')));
    await waitForTexts(page, ['user complete: Go', 'assistant streaming: One two ']);
    await page.reload();
    await agent.requestCount(2);
    await waitForTexts(page, ['user complete: Go', 'assistant interrupted: One two ']);
    await releaseContext(page);
  });

  it('follows in another tab what is streaming in the first, and takes it over when that is closed', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.requestCount(1);
    agent.write(session('One '));
    await waitForTexts(first, ['user complete: Go', 'assistant streaming: One ']);
    const second = await site.openTab(first.context(), '/local');
    await waitForTexts(second, ['user complete: Go', 'assistant streaming: One ']);
    agent.write(session('two '));
    await waitForTexts(second, ['user complete: Go', 'assistant streaming: One two ']);
    assert.equal(await second.evaluate(() => document.querySelector('agent-chat')?.status), 'streaming');
    await first.close({ runBeforeUnload: false });
    await waitForTexts(second, ['user complete: Go', 'assistant interrupted: One two ']);
    assert.deepEqual(agent.requests, ['POST /agent']);
    await releaseContext(second);
  });

  it('sends messages of the other tab when the reply has ended, and shows them in both', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.requestCount(1);
    agent.write(session('One'));
    const second = await site.openTab(first.context(), '/local');
    await waitForTexts(second, ['user complete: Go', 'assistant streaming: One']);
    await send(second, 'More');
    await waitForTexts(second, ['user complete: Go', 'assistant streaming: One', 'user queued: More']);
    agent.write(SESSION_END);
    agent.end();
    await agent.requestCount(2);
    agent.write(session('Two') + SESSION_END);
    agent.end();
    const all = ['user complete: Go', 'assistant complete: One', 'user complete: More', 'assistant complete: Two'];
    await waitForTexts(second, all);
    await waitForTexts(first, all);
    await releaseContext(second);
  });

  it('stops the reply of the other tab', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.requestCount(1);
    agent.write(session('One'));
    const second = await site.openTab(first.context(), '/local');
    await waitForTexts(second, ['user complete: Go', 'assistant streaming: One']);
    await second.evaluate(() => document.querySelector('agent-chat')?.stop());
    await waitForTexts(first, ['user complete: Go', 'assistant cancelled: One']);
    await waitForTexts(second, ['user complete: Go', 'assistant cancelled: One']);
    await releaseContext(second);
  });

  it('deletes in all tabs', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.requestCount(1);
    agent.write(session('One') + SESSION_END);
    agent.end();
    await waitForTexts(first, ['user complete: Go', 'assistant complete: One']);
    const second = await site.openTab(first.context(), '/local');
    await waitForTexts(second, ['user complete: Go', 'assistant complete: One']);
    await first.evaluate(() => document.querySelector('agent-chat')?.forget());
    await waitForTexts(second, []);
    await waitForTexts(first, []);
    const third = await site.openTab(first.context(), '/local');
    assert.deepEqual(await third.evaluate(() => document.querySelector('agent-chat')?.listThreads()), []);
    const left = await third.evaluate(async () => {
      const open = indexedDB.open('agent-chat');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const all = await Promise.all(
        [...open.result.objectStoreNames].map(
          (name) =>
            new Promise<readonly unknown[]>((resolve) => {
              const all = open.result.transaction(name).objectStore(name).getAll();
              all.onsuccess = () => {
                resolve(all.result);
              };
            }),
        ),
      );
      open.result.close();
      return all.flat();
    });
    // The record of the deletion, which contains no text.
    assert.equal(left.length, 1);
    assert.doesNotMatch(JSON.stringify(left), /Go|One|agent|127/);
    await releaseContext(first);
  });

  it('continues with one notice and one event if the storage is full', async () => {
    const page = await visit('/session');
    await page.evaluate(() => {
      Object.assign(globalThis, { told: [] });
      document.addEventListener('agent-chat-error', ({ detail }) => {
        (globalThis as unknown as { told: string[] }).told.push(detail.kind);
      });
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    for (const turn of [1, 2]) {
      await send(page, `Turn ${String(turn)}`);
      await agent.requestCount(turn);
      agent.write(session('Yes.') + SESSION_END);
      agent.end();
      await page.waitForFunction((count) => document.querySelector('agent-chat')?.messages.length === count, turn * 2);
      await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
    }
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { told: string[] }).told), ['storage']);
    assert.equal(await page.locator('agent-chat .problem').count(), 1);
    assert.match(await page.locator('agent-chat .problem').innerText(), /Storage is full/);
    await page.locator('agent-chat .problem button').click();
    assert.equal(await page.locator('agent-chat .problem').count(), 0);
    await releaseContext(page);
  });

  it('continues with one notice if the browser has no database', async () => {
    agent = new ControlledAgent();
    const page = await site.visit('/elsewhere');
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
      Object.assign(globalThis, { told: [] });
      document.addEventListener('agent-chat-error', ({ detail }) => {
        (globalThis as unknown as { told: string[] }).told.push(detail.kind);
      });
    });
    await page.goto(`${site.origin}/local`);
    await page.locator('agent-chat [part=input]').waitFor();
    assert.equal(await page.locator('agent-chat .problem').count(), 0);
    await send(page, 'Go');
    await agent.requestCount(1);
    agent.write(session('Yes.') + SESSION_END);
    agent.end();
    await waitForTexts(page, ['user complete: Go', 'assistant complete: Yes.']);
    await page.locator('agent-chat .problem').waitFor();
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { told: string[] }).told), ['storage']);
    await releaseContext(page);
  });

  it('shows and sends another user nothing of the previous one, who finds all of it again', async () => {
    const page = await visit('/local');
    const as = (user: string): Promise<void> =>
      page.evaluate((name) => {
        const chat = document.querySelector('agent-chat');
        if (chat) chat.storage = { user: name };
      }, user);
    await as('ann');
    await send(page, 'The secret of Ann');
    await agent.requestCount(1);
    agent.write(session('Known'));
    await waitForTexts(page, ['user complete: The secret of Ann', 'assistant streaming: Known']);
    await as('bob');
    await waitForTexts(page, []);
    await send(page, 'Hello');
    await agent.requestCount(2);
    assert.doesNotMatch(agent.bodies[1] ?? '', /Ann|Known/);
    agent.write(session('Hi') + SESSION_END);
    agent.end();
    await waitForTexts(page, ['user complete: Hello', 'assistant complete: Hi']);
    await as('ann');
    await waitForTexts(page, ['user complete: The secret of Ann', 'assistant interrupted: Known']);
    await releaseContext(page);
  });

  it('writes nothing before the user acts', async () => {
    const page = await visit('/floating');
    await page.locator('[part=launcher]').waitFor();
    const kept = (): Promise<number> => page.evaluate(() => sessionStorage.length + localStorage.length);
    assert.equal(await kept(), 0);
    await page.locator('[part=launcher]').click();
    await page.locator('[part=input]').fill('A draft');
    await page.waitForFunction(() => Object.keys(sessionStorage).some((key) => key.includes('draft')));
    await page.reload();
    await page.waitForFunction(() => document.querySelector('agent-chat')?.open === true);
    await page.waitForFunction(
      () => document.querySelector('agent-chat')?.shadowRoot?.querySelector('textarea')?.value === 'A draft',
    );
    await releaseContext(page);
  });

  it('shows everything when the user returns by the history in mid-answer', async () => {
    const page = await visit('/local');
    await send(page, 'Go');
    await agent.requestCount(1);
    agent.write(session('One ', 'two'));
    await waitForTexts(page, ['user complete: Go', 'assistant streaming: One two']);
    await page.goto(`${site.origin}/elsewhere`);
    await page.goBack();
    await waitForTexts(page, ['user complete: Go', 'assistant interrupted: One two']);
    await releaseContext(page);
  });

  it('is unchanged when the page leaves the back/forward cache', async () => {
    const page = await visit('/local');
    await send(page, 'Go');
    await agent.requestCount(1);
    agent.write(session('One ', 'two'));
    await waitForTexts(page, ['user complete: Go', 'assistant streaming: One two']);
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    });
    await waitForTexts(page, ['user complete: Go', 'assistant interrupted: One two']);
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await send(page, 'Again');
    await agent.requestCount(2);
    agent.write(session('Three') + SESSION_END);
    agent.end();
    await waitForTexts(page, [
      'user complete: Go',
      'assistant interrupted: One two',
      'user complete: Again',
      'assistant complete: Three',
    ]);
    await releaseContext(page);
  });
});
