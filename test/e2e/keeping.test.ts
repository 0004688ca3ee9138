/** What is there again after a reload, in another tab, for another user, and where nothing can be kept. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ServerResponse } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { leave, openSite, type Handler, type Site } from './support/site.ts';

/** An agent that speaks AI SDK streams, which can be picked up, and session events, which can't. */
class Agent {
  /** What was asked for, as `METHOD path`. */
  readonly asked: string[] = [];
  readonly bodies: string[] = [];
  #replies: ServerResponse[] = [];
  #said = '';
  #heard: (() => void)[] = [];
  /** Whether a broken reply can be picked up. */
  running = false;

  readonly handler: Handler = async (request, response) => {
    const path = String(request.url);
    if (!path.startsWith('/agent')) return false;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.asked.push(`${String(request.method)} ${path}`);
    if (request.method === 'GET' && !this.running) response.writeHead(204).end();
    else {
      if (request.method === 'POST') {
        this.bodies.push(body);
        this.#said = '';
      }
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' });
      response.write(this.#said);
      this.#replies.push(response);
    }
    for (const tell of this.#heard.splice(0)) tell();
    return true;
  };

  async heard(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise<void>((resolve) => this.#heard.push(resolve));
  }

  write(text: string): void {
    this.#said += text;
    for (const reply of this.#replies) reply.write(text);
  }

  end(): void {
    for (const reply of this.#replies.splice(0)) reply.end();
  }
}

const session = (...words: readonly string[]): string =>
  words.map((content) => `data: ${JSON.stringify({ type: 'content', data: { content } })}\n\n`).join('');
const SESSION_END = `data: ${JSON.stringify({ type: 'session_end', data: { status: 'completed' } })}\n\n`;

const parts = (...list: readonly object[]): string => list.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('');
const delta = (text: string): object => ({ type: 'text-delta', id: 't', delta: text });
const START = parts({ type: 'start', messageId: 'm' }, { type: 'text-start', id: 't' });
const FINISH = `${parts({ type: 'text-end', id: 't' }, { type: 'finish' })}data: [DONE]\n\n`;

const send = (page: Page, text: string): Promise<void> =>
  page.evaluate((words) => void document.querySelector('agent-chat')?.send(words), text);
const lines = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    (document.querySelector('agent-chat')?.messages ?? []).map(
      ({ role, status, blocks }) =>
        `${role} ${status}: ${blocks.map((block) => ('content' in block ? block.content : block.type)).join('|')}`,
    ),
  );
const shows = async (page: Page, expected: readonly string[]): Promise<void> => {
  await page
    .waitForFunction(
      (wanted) =>
        JSON.stringify(
          (document.querySelector('agent-chat')?.messages ?? []).map(
            ({ role, status, blocks }) =>
              `${role} ${status}: ${blocks.map((block) => ('content' in block ? block.content : block.type)).join('|')}`,
          ),
        ) === wanted,
      JSON.stringify(expected),
      { timeout: 8000 },
    )
    .catch(() => undefined);
  assert.deepEqual(await lines(page), expected);
};

describe('keeping', () => {
  let site: Site;
  let agent: Agent;
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
    agent = new Agent();
    return site.visit(path);
  };
  /** Another tab of the same browser. */
  const tab = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(site.origin + path);
    return page;
  };

  for (const path of ['/session', '/local']) {
    it(`${path}: a reply that was cut by a reload is there again, as it was and interrupted`, async () => {
      const page = await visit(path);
      await send(page, 'Go');
      await agent.heard(1);
      agent.write(session('One ', 'two ', 'three'));
      await shows(page, ['user complete: Go', 'assistant streaming: One two three']);
      await page.reload();
      await shows(page, ['user complete: Go', 'assistant interrupted: One two three']);
      assert.deepEqual(agent.asked, ['POST /agent']);
      await leave(page);
    });

    it(`${path}: a reply that has ended stays so, and the next turn carries the whole conversation on`, async () => {
      const page = await visit(path);
      await send(page, 'Go');
      await agent.heard(1);
      agent.write(session('Done.') + SESSION_END);
      agent.end();
      await shows(page, ['user complete: Go', 'assistant complete: Done.']);
      await page.goto(`${site.origin}/elsewhere`);
      await page.goto(site.origin + path);
      await shows(page, ['user complete: Go', 'assistant complete: Done.']);
      await leave(page);
    });
  }

  it('picks a reply up at once where the server can tell it again: no word lost or doubled', async () => {
    const page = await visit('/resume-session');
    await send(page, 'Go');
    await agent.heard(1);
    agent.write(START + parts(delta('One '), delta('two ')));
    await shows(page, ['user complete: Go', 'assistant streaming: One two ']);
    agent.running = true;
    await page.reload();
    await agent.heard(2);
    agent.write(parts(delta('three')) + FINISH);
    agent.end();
    await shows(page, ['user complete: Go', 'assistant complete: One two three']);
    assert.match(agent.asked[1] ?? '', /^GET /);
    await leave(page);
  });

  it('stays interrupted, without an error, where the server has nothing more to tell', async () => {
    const page = await visit('/resume');
    await send(page, 'Go');
    await agent.heard(1);
    agent.write(START + parts(delta('One '), delta('two ')));
    await shows(page, ['user complete: Go', 'assistant streaming: One two ']);
    await page.reload();
    await agent.heard(2);
    await shows(page, ['user complete: Go', 'assistant interrupted: One two ']);
    await leave(page);
  });

  it('follows in another tab what is streaming in the first, and takes it over when that is closed', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.heard(1);
    agent.write(session('One '));
    await shows(first, ['user complete: Go', 'assistant streaming: One ']);
    const second = await tab(first.context(), '/local');
    await shows(second, ['user complete: Go', 'assistant streaming: One ']);
    agent.write(session('two '));
    await shows(second, ['user complete: Go', 'assistant streaming: One two ']);
    assert.equal(await second.evaluate(() => document.querySelector('agent-chat')?.status), 'streaming');
    await first.close({ runBeforeUnload: false });
    await shows(second, ['user complete: Go', 'assistant interrupted: One two ']);
    assert.deepEqual(agent.asked, ['POST /agent']);
    await leave(second);
  });

  it('sends what is written in the other tab when the reply has ended, and shows it in both', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.heard(1);
    agent.write(session('One'));
    const second = await tab(first.context(), '/local');
    await shows(second, ['user complete: Go', 'assistant streaming: One']);
    await send(second, 'More');
    await shows(second, ['user complete: Go', 'assistant streaming: One', 'user queued: More']);
    agent.write(SESSION_END);
    agent.end();
    await agent.heard(2);
    agent.write(session('Two') + SESSION_END);
    agent.end();
    const all = ['user complete: Go', 'assistant complete: One', 'user complete: More', 'assistant complete: Two'];
    await shows(second, all);
    await shows(first, all);
    await leave(second);
  });

  it('stops the reply of the other tab', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.heard(1);
    agent.write(session('One'));
    const second = await tab(first.context(), '/local');
    await shows(second, ['user complete: Go', 'assistant streaming: One']);
    await second.evaluate(() => document.querySelector('agent-chat')?.stop());
    await shows(first, ['user complete: Go', 'assistant cancelled: One']);
    await shows(second, ['user complete: Go', 'assistant cancelled: One']);
    await leave(second);
  });

  it('forgets in all tabs', async () => {
    const first = await visit('/local');
    await send(first, 'Go');
    await agent.heard(1);
    agent.write(session('One') + SESSION_END);
    agent.end();
    await shows(first, ['user complete: Go', 'assistant complete: One']);
    const second = await tab(first.context(), '/local');
    await shows(second, ['user complete: Go', 'assistant complete: One']);
    await first.evaluate(() => document.querySelector('agent-chat')?.forget());
    await shows(second, []);
    await shows(first, []);
    const third = await tab(first.context(), '/local');
    assert.deepEqual(await third.evaluate(() => document.querySelector('agent-chat')?.listThreads()), []);
    const left = await third.evaluate(async () => {
      const open = indexedDB.open('agent-chat');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const counts = await Promise.all(
        [...open.result.objectStoreNames].map(
          (name) =>
            new Promise<number>((resolve) => {
              const all = open.result.transaction(name).objectStore(name).count();
              all.onsuccess = () => {
                resolve(all.result);
              };
            }),
        ),
      );
      open.result.close();
      return counts;
    });
    assert.deepEqual(left, [0, 0, 0]);
    await leave(first);
  });

  it('goes on with one notice and one event where storage is full', async () => {
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
      await agent.heard(turn);
      agent.write(session('Yes.') + SESSION_END);
      agent.end();
      await page.waitForFunction((count) => document.querySelector('agent-chat')?.messages.length === count, turn * 2);
      await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
    }
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { told: string[] }).told), ['storage']);
    assert.equal(await page.locator('agent-chat .problem').count(), 1);
    assert.match(await page.locator('agent-chat .problem').innerText(), /no room left/);
    await page.locator('agent-chat .problem button').click();
    assert.equal(await page.locator('agent-chat .problem').count(), 0);
    await leave(page);
  });

  it('goes on with one notice where the browser has no database', async () => {
    agent = new Agent();
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
    await agent.heard(1);
    agent.write(session('Yes.') + SESSION_END);
    agent.end();
    await shows(page, ['user complete: Go', 'assistant complete: Yes.']);
    await page.locator('agent-chat .problem').waitFor();
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as { told: string[] }).told), ['storage']);
    await leave(page);
  });

  it('shows and sends another user nothing of the one before, who finds all of it again', async () => {
    const page = await visit('/local');
    const as = (user: string): Promise<void> =>
      page.evaluate((name) => {
        const chat = document.querySelector('agent-chat');
        if (chat) chat.storage = { user: name };
      }, user);
    await as('ann');
    await send(page, 'The secret of Ann');
    await agent.heard(1);
    agent.write(session('Known'));
    await shows(page, ['user complete: The secret of Ann', 'assistant streaming: Known']);
    await as('bob');
    await shows(page, []);
    await send(page, 'Hello');
    await agent.heard(2);
    assert.doesNotMatch(agent.bodies[1] ?? '', /Ann|Known/);
    agent.write(session('Hi') + SESSION_END);
    agent.end();
    await shows(page, ['user complete: Hello', 'assistant complete: Hi']);
    await as('ann');
    await shows(page, ['user complete: The secret of Ann', 'assistant interrupted: Known']);
    await leave(page);
  });

  it('writes nothing before the reader acts', async () => {
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
    await leave(page);
  });

  it('has all of it when the reader comes back by the history in mid-answer', async () => {
    const page = await visit('/local');
    await send(page, 'Go');
    await agent.heard(1);
    agent.write(session('One ', 'two'));
    await shows(page, ['user complete: Go', 'assistant streaming: One two']);
    await page.goto(`${site.origin}/elsewhere`);
    await page.goBack();
    await shows(page, ['user complete: Go', 'assistant interrupted: One two']);
    await leave(page);
  });

  it('is as it was left when the page comes out of the cache of the browser', async () => {
    const page = await visit('/local');
    await send(page, 'Go');
    await agent.heard(1);
    agent.write(session('One ', 'two'));
    await shows(page, ['user complete: Go', 'assistant streaming: One two']);
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    });
    await shows(page, ['user complete: Go', 'assistant interrupted: One two']);
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await send(page, 'Again');
    await agent.heard(2);
    agent.write(session('Three') + SESSION_END);
    agent.end();
    await shows(page, [
      'user complete: Go',
      'assistant interrupted: One two',
      'user complete: Again',
      'assistant complete: Three',
    ]);
    await leave(page);
  });
});
