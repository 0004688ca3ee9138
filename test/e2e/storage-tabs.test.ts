/** One conversation in several tabs: a deletion in one applies to all, and no tab blocks another. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  ControlledAgent,
  parts,
  send,
  SESSION_END,
  session,
  waitForTexts,
  stored,
  sessionWidget,
} from './support/controlled-agent.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

const SECRET = 'The deleted words';

const listed = (page: Page): Promise<readonly unknown[]> =>
  page.evaluate(() => document.querySelector('agent-chat')?.listThreads() ?? []);

/** The page enters the back/forward cache, and leaves it. */
const suspend = (page: Page): Promise<unknown> =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
const wake = (page: Page): Promise<unknown> =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));

const DELETIONS: Readonly<Record<'forget()' | 'deleteThread()' | 'clear()', (page: Page) => Promise<void>>> = {
  'forget()': (page) => page.evaluate(() => document.querySelector('agent-chat')?.forget()),
  'deleteThread()': (page) =>
    page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      for (const { id } of (await chat?.listThreads()) ?? []) await chat?.deleteThread(id);
    }),
  'clear()': (page) =>
    page.evaluate(async () => {
      document.querySelector('agent-chat')?.clear();
      // Its deletion is stored when the next conversation can be read.
      await document.querySelector('agent-chat')?.listThreads();
    }),
};

/** A question of the agent, at the end of its stream. */
const PERMISSION = parts(
  {
    type: 'response',
    data: {
      eventId: 'e',
      tool_call: 'permission-required',
      tool_call_id: 't',
      tool_call_name: 'delete',
      tool_call_params: '{}',
      permission_request: { toolName: 'delete', serverName: 'files', permissionType: 'write', description: '' },
    },
  },
  { type: 'end', data: { eventId: 'e', userStop: false } },
);

const ANSWER = parts(
  { type: 'response', data: { eventId: 'e', content: 'Stayed' } },
  { type: 'end', data: { eventId: 'e', userStop: false } },
);

describe('a conversation in several tabs', () => {
  let site: Site;
  let agent: ControlledAgent;
  before(async () => {
    site = await openSite({
      pages: {
        '/local': sessionWidget('persist="local"'),
        '/permissions':
          '<agent-chat endpoint="/agent" protocol="deepchat-events" retry="off" persist="local"></agent-chat>',
        '/consent/local': sessionWidget('persist="local" consent="Terms"'),
        '/consent/session': sessionWidget('persist="session" consent="Terms"'),
        '/named': sessionWidget('persist="local" thread-id="T"'),
        '/slow': `<agent-chat endpoint="/agent" protocol="deepchat-events" retry="off" persist="local"></agent-chat><script>
          const read = () => JSON.parse(localStorage.getItem('server') ?? '{}');
          const slowly = () => new Promise((resolve) => setTimeout(resolve, 600));
          document.querySelector('agent-chat').storage = { store: {
            list: () => Object.values(read()),
            load: (id) => read()[id] ?? null,
            save: (thread) => slowly().then(() => localStorage.setItem('server', JSON.stringify({ ...read(), [thread.id]: thread }))),
            rename: () => undefined,
            remove: () => undefined,
          } };
        </script>`,
        '/session': sessionWidget('persist="session"'),
        '/own': `${sessionWidget('persist="session"')}<script>
          const read = () => JSON.parse(localStorage.getItem('server') ?? '{}');
          const write = (all) => localStorage.setItem('server', JSON.stringify(all));
          document.querySelector('agent-chat').storage = { store: {
            list: () => Object.values(read()),
            load: (id) => read()[id] ?? null,
            save: (thread) => write({ ...read(), [thread.id]: thread }),
            rename: () => undefined,
            remove: (id) => { const all = read(); delete all[id]; write(all); },
          } };
        </script>`,
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

  const cases = [
    ['/local', 'forget()'],
    ['/named', 'clear()'],
    ['/own', 'deleteThread()'],
  ] as const;
  for (const [path, name] of cases) {
    const remove = DELETIONS[name];
    describe(path, () => {
      it(`a tab that was left in mid-stream contains nothing of what ${name} deleted in another`, async () => {
        const first = await visit(path);
        await send(first, SECRET);
        await agent.requestCount(1);
        agent.write(session(`Answer to ${SECRET}`));
        await waitForTexts(first, [`user complete: ${SECRET}`, `assistant streaming: Answer to ${SECRET}`]);
        const second = await site.openTab(first.context(), path);
        await waitForTexts(second, [`user complete: ${SECRET}`, `assistant streaming: Answer to ${SECRET}`]);
        await first.goto(`${site.origin}/elsewhere`);
        await second.waitForFunction(
          () => document.querySelector('agent-chat')?.messages.at(-1)?.status === 'interrupted',
        );
        await remove(second);
        await waitForTexts(second, []);
        await first.goto(site.origin + path);
        await agent.answer(first, 'New', 'Fresh');
        await waitForTexts(first, ['user complete: New', 'assistant complete: Fresh']);
        assert.doesNotMatch(agent.bodies.at(-1) ?? '', /deleted words/);
        assert.equal((await listed(first)).length, 1);
        assert.doesNotMatch(await stored(first), /deleted words/);
        await releaseContext(first);
      });

      it(`a tab out of the back/forward cache neither shows, stores nor sends what ${name} deleted`, async () => {
        const first = await visit(path);
        await agent.answer(first, SECRET, 'Answer');
        await suspend(first);
        const second = await site.openTab(first.context(), path);
        await second.waitForFunction(() => document.querySelector('agent-chat')?.messages.length === 2);
        await remove(second);
        await waitForTexts(second, []);
        await wake(first);
        await agent.answer(first, 'New', 'Fresh');
        await waitForTexts(first, ['user complete: New', 'assistant complete: Fresh']);
        assert.doesNotMatch(agent.bodies.at(-1) ?? '', /deleted words/);
        assert.doesNotMatch(await stored(first), /deleted words/);
        await releaseContext(first);
      });

      it(`a tab that gets no messages from the others sends nothing of what ${name} deleted`, async () => {
        agent = new ControlledAgent();
        const first = await site.open();
        await first.addInitScript(() => {
          Object.assign(globalThis, {
            BroadcastChannel: new Proxy(BroadcastChannel, {
              construct() {
                throw new DOMException('No channels here', 'SecurityError');
              },
            }),
          });
        });
        await first.goto(site.origin + path);
        await agent.answer(first, SECRET, 'Answer');
        const second = await site.openTab(first.context(), path);
        await second.waitForFunction(() => document.querySelector('agent-chat')?.messages.length === 2);
        await remove(second);
        await waitForTexts(second, []);
        await agent.answer(first, 'New', 'Fresh');
        assert.doesNotMatch(agent.bodies.at(-1) ?? '', /deleted words/);
        await agent.answer(first, 'Newer', 'Fresher');
        assert.doesNotMatch(await stored(first), /deleted words/);
        await releaseContext(first);
      });
    });
  }

  it('stays deleted in its own tab if a later page has deleted it', async () => {
    const page = await visit('/session');
    await agent.answer(page, SECRET, 'Answer');
    await suspend(page);
    // The actions of a later page in the same tab.
    const marks = await page.evaluate(async () => {
      const other = document.querySelector('agent-chat')?.cloneNode(true) as HTMLElementTagNameMap['agent-chat'];
      document.body.append(other);
      await other.updateComplete;
      await other.listThreads();
      await other.forget();
      other.remove();
      return Object.keys(sessionStorage).length;
    });
    assert.equal(marks, 1);
    await wake(page);
    await agent.answer(page, 'New', 'Fresh');
    await waitForTexts(page, ['user complete: New', 'assistant complete: Fresh']);
    assert.doesNotMatch(agent.bodies.at(-1) ?? '', /deleted words/);
    assert.doesNotMatch(await stored(page), /deleted words/);
    await releaseContext(page);
  });

  for (const path of ['/consent/local', '/consent/session'])
    it(`${path}: forget() in one tab withdraws the consent that was given in another`, async () => {
      const first = await visit(path);
      const second = await site.openTab(first.context(), path);
      for (const page of [first, second]) {
        await send(page, SECRET);
        // The second of two tabs that share their storage is not asked.
        const accept = page.getByRole('button', { name: 'Accept' });
        if (page === first || path === '/consent/session') await accept.click();
        await agent.requestCount(page === first ? 1 : 2);
        agent.write(session('Yes') + SESSION_END);
        agent.end();
        await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
      }
      await first.evaluate(() => document.querySelector('agent-chat')?.forget());
      await waitForTexts(second, []);
      await send(second, 'New');
      await second.getByRole('button', { name: 'Accept' }).waitFor();
      assert.equal(agent.bodies.length, 2);
      await releaseContext(first);
    });

  for (const isSuspended of [false, true])
    it(`a permission that is revoked in one tab does not apply in ${isSuspended ? 'a tab that comes back' : 'another'}`, async () => {
      const first = await visit('/permissions');
      await send(first, 'Go');
      await agent.requestCount(1);
      agent.write(PERMISSION);
      agent.end();
      await first.waitForFunction(() => document.querySelector('agent-chat')?.status === 'awaiting-action');
      const second = await site.openTab(first.context(), '/permissions');
      await second.waitForFunction(() => document.querySelector('agent-chat')?.messages.length === 2);
      await first.evaluate(() => {
        const chat = document.querySelector('agent-chat');
        const asked = chat?.messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'action');
        return chat?.respond(asked?.id ?? '', 'granted', { remember: 'always' });
      });
      await agent.requestCount(2);
      agent.end();
      await second.waitForFunction(() => document.querySelector('agent-chat')?.approvals.length === 1);
      if (isSuspended) await suspend(second);
      await first.evaluate(() => {
        const chat = document.querySelector('agent-chat');
        const [approval] = chat?.approvals ?? [];
        return approval && chat?.revokeApproval(approval);
      });
      await first.evaluate(() => document.querySelector('agent-chat')?.listThreads());
      if (isSuspended) await wake(second);
      await second.waitForFunction(() => document.querySelector('agent-chat')?.approvals.length === 0);
      await releaseContext(first);
    });

  for (const [attempt, gap] of [0, 0, 40, 300].entries())
    it(`rule 106: tabs that load ${String(gap)} ms apart answer a stored question once (${String(attempt + 1)})`, async () => {
      const first = await visit('/permissions');
      await send(first, 'Go');
      await agent.requestCount(1);
      agent.write(PERMISSION);
      agent.end();
      const denyIn = (page: Page) => page.getByRole('button', { name: 'Deny', exact: true });
      await denyIn(first).waitFor();
      const second = await site.openTab(first.context(), '/permissions');
      await denyIn(second).waitFor();
      await Promise.all([first.reload(), new Promise((done) => setTimeout(done, gap)).then(() => second.reload())]);
      for (const page of [first, second]) await denyIn(page).waitFor();
      // A new card takes no press at first.
      await new Promise((done) => setTimeout(done, 700));
      await denyIn(first).click();
      await agent.requestCount(2);
      await denyIn(second).waitFor({ state: 'detached' });
      agent.write(ANSWER);
      agent.end();
      await waitForTexts(second, ['user complete: Go', 'assistant complete: action|Stayed']);
      assert.equal(agent.bodies.length, 2);
      await releaseContext(first);
    });

  for (const isLate of [false, true])
    it(`rule 106: without the Web Locks API, a tab that was busy while another took its question does not answer it, ${isLate ? 'later' : 'at once'}`, async () => {
      agent = new ControlledAgent();
      const first = await site.open();
      await first.context().addInitScript('delete Navigator.prototype.locks');
      await first.goto(`${site.origin}/permissions`);
      await send(first, 'Go');
      await agent.requestCount(1);
      agent.write(PERMISSION);
      agent.end();
      const denyIn = (page: Page) => page.getByRole('button', { name: 'Deny', exact: true });
      await denyIn(first).waitFor();
      await first.waitForFunction(() => document.querySelector('agent-chat')?.status === 'awaiting-action');
      // The press comes before the messages of the other tab are read.
      const answered = first.evaluate(async (waits) => {
        const chat = document.querySelector('agent-chat');
        const asked = chat?.messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'action');
        const end = performance.now() + 4000;
        while (performance.now() < end);
        if (waits) await new Promise((done) => setTimeout(done, 500));
        await chat?.respond(asked?.id ?? '', 'granted').catch(() => undefined);
      }, isLate);
      const second = await site.openTab(first.context(), '/permissions');
      await denyIn(second).waitFor();
      // A new card takes no press at first.
      await new Promise((done) => setTimeout(done, 700));
      await denyIn(second).click();
      await agent.requestCount(2);
      await answered;
      agent.write(ANSWER);
      agent.end();
      for (const page of [second, first])
        await waitForTexts(page, ['user complete: Go', 'assistant complete: action|Stayed']);
      assert.equal(agent.bodies.length, 2);
      await releaseContext(first);
    });

  it('a message that is edited in one tab is sent while another, which has waited for an answer, is still saving', async () => {
    const first = await visit('/slow');
    await send(first, 'Go');
    await agent.requestCount(1);
    agent.write(PERMISSION);
    agent.end();
    await first.waitForFunction(() => document.querySelector('agent-chat')?.status === 'awaiting-action');
    const id = await first.evaluate(() => document.querySelector('agent-chat')?.threadId ?? '');
    await first.waitForFunction(() => localStorage.getItem('server')?.includes('permission') === true);
    const second = await site.openTab(first.context(), '/slow');
    await second.evaluate((thread) => document.querySelector('agent-chat')?.openThread(thread), id);
    await second.waitForFunction(() => document.querySelector('agent-chat')?.status === 'awaiting-action');
    await second.evaluate(() => {
      const chat = document.querySelector('agent-chat');
      void chat?.edit(chat.messages[0]?.id ?? '', 'Stay');
    });
    await agent.requestCount(2);
    assert.match(agent.bodies[1] ?? '', /Stay/);
    agent.write(ANSWER);
    agent.end();
    for (const page of [first, second]) await waitForTexts(page, ['user complete: Stay', 'assistant complete: Stayed']);
    await releaseContext(first);
  });

  it('is available to the other tab when it is cleared in mid-stream', async () => {
    const first = await visit('/named');
    await send(first, 'Go');
    await agent.requestCount(1);
    agent.write(session('One'));
    await waitForTexts(first, ['user complete: Go', 'assistant streaming: One']);
    await first.evaluate(() => {
      document.querySelector('agent-chat')?.clear();
    });
    await waitForTexts(first, []);
    const second = await site.openTab(first.context(), '/named');
    await agent.answer(second, 'Again', 'Two');
    await waitForTexts(second, ['user complete: Again', 'assistant complete: Two']);
    await releaseContext(first);
  });

  it('stays empty in both when the following tab clears it', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.requestCount(1);
    agent.write(session('One'));
    const second = await site.openTab(first.context(), '/local');
    await waitForTexts(second, ['user complete: Go', 'assistant streaming: One']);
    await second.evaluate(() => {
      document.querySelector('agent-chat')?.clear();
    });
    await waitForTexts(first, []);
    await agent.answer(first, 'New', 'Fresh');
    await waitForTexts(second, []);
    const third = await site.openTab(first.context(), '/local');
    await waitForTexts(third, ['user complete: New', 'assistant complete: Fresh']);
    assert.equal((await listed(third)).length, 1);
    assert.doesNotMatch(await stored(third), /One/);
    await releaseContext(first);
  });

  it('can be started, listed and deleted if the browser refuses BroadcastChannel', async () => {
    agent = new ControlledAgent();
    const page = await site.open();
    await page.addInitScript(() => {
      Object.assign(globalThis, {
        BroadcastChannel: new Proxy(BroadcastChannel, {
          construct() {
            throw new DOMException('No channels here', 'SecurityError');
          },
        }),
      });
    });
    await page.goto(`${site.origin}/local`);
    await agent.answer(page, 'Go', 'One');
    const first = await page.evaluate(() => document.querySelector('agent-chat')?.threadId ?? '');
    await page.evaluate(() => document.querySelector('agent-chat')?.newThread());
    assert.equal((await listed(page)).length, 1);
    await page.evaluate((id) => document.querySelector('agent-chat')?.deleteThread(id), first);
    assert.equal((await listed(page)).length, 0);
    await page.evaluate(() => document.querySelector('agent-chat')?.forget());
    await releaseContext(page);
  });
});
