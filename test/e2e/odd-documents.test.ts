/** Documents in which the platform behaves differently: the chat works in them, and loses nothing. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';

const SCRIPT = '<script type="module" src="/dist/agent-chat.js"></script>';
const widget = (attributes = ''): string =>
  `<agent-chat endpoint="/agent" protocol="agent-session" retry="off" ${attributes}></agent-chat>`;

/** The service worker forwards requests, or answers them with a body that it has read. */
const WORKER = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    const copied = new URL(event.request.url).searchParams.has('copied');
    event.respondWith(fetch(event.request).then(async (response) =>
      copied ? new Response(await response.arrayBuffer(), { headers: response.headers }) : response));
  });
`;

const PAGES = {
  '/quirks': `<!doctype html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><title>T</title>${SCRIPT}${widget('persist="local"')}`,
  '/base': `<!doctype html><title>T</title><base href="/other/place/">${SCRIPT}${widget('persist="local"')}`,
  '/base-of-endpoint': `<!doctype html><title>T</title><base href="/agent/">${SCRIPT}${widget('persist="local"').replace('"/agent"', '"chat"')}`,
  '/base-elsewhere': `<!doctype html><title>T</title>${SCRIPT}<base href="https://cdn.example/">${widget('persist="local"')}`,
  '/srcdoc': `<!doctype html><title>T</title><iframe srcdoc='${SCRIPT}${widget('persist="local"')}' width="600" height="700"></iframe>`,
  '/srcdoc-base-elsewhere': `<!doctype html><title>T</title><iframe srcdoc='${SCRIPT}<base href="https://cdn.example/">${widget()}' width="600" height="700"></iframe>`,
  '/sandboxed': `<!doctype html><title>T</title><iframe sandbox="allow-scripts" src="/inside" width="600" height="700"></iframe>`,
  '/inside': `<!doctype html><title>T</title>${SCRIPT}${widget('persist="local"')}`,
  '/several': `<!doctype html><title>T</title>${SCRIPT}
    ${['/agent/a', '/agent/a', '/agent/b'].map((endpoint) => widget(`persist="session" endpoint="${endpoint}"`).replace('endpoint="/agent" ', '')).join('')}`,
  '/twice': `<!doctype html><title>T</title>${SCRIPT}<script type="module" src="/dist/agent-chat.js?version=2"></script>${widget('persist="session"')}`,
  '/twice-in-parts': `<!doctype html><title>T</title><script type="module" src="/dist/markdown.js?version=2"></script>${SCRIPT}${widget('persist="session"')}<agent-chat-markdown></agent-chat-markdown>`,
  '/worker': `<!doctype html><title>T</title>${SCRIPT}${widget('persist="session"')}`,
  '/redirect': `<!doctype html><title>T</title>${SCRIPT}${widget('').replace('"/agent"', '"/agent-moved"')}
    <script>addEventListener('DOMContentLoaded', () => {
      document.querySelector('agent-chat').fetch = (url, init) => fetch(url, { ...init, redirect: 'manual' });
    })</script>`,
};

async function sendMessage(page: Page | Frame, index = 0, text = 'Hello'): Promise<void> {
  const chat = page.locator('agent-chat').nth(index);
  await chat.locator('[part="input"]').fill(text);
  await chat.locator('[part="input"]').press('Enter');
  await chat.locator('[part~="message-assistant"]').last().filter({ hasText: 'Fine.' }).waitFor();
}

const linesOf = (page: Page | Frame, index = 0): Promise<readonly string[]> =>
  page
    .locator('agent-chat')
    .nth(index)
    .evaluate((chat) =>
      (chat as HTMLElementTagNameMap['agent-chat']).messages.map(
        ({ role, status, blocks }) => `${role} ${status}: ${blocks.map((block) => block.content ?? '').join('')}`,
      ),
    );
const TURN = ['user complete: Hello', 'assistant complete: Fine.'];

describe('an unusual document', () => {
  let site: Site;
  before(async () => {
    const answer = answering(sessionStream('Fine.'));
    site = await openSite({
      pages: PAGES,
      agent: async (request, response) => {
        response.setHeader('access-control-allow-origin', '*');
        response.setHeader('access-control-allow-headers', '*');
        if (request.method === 'OPTIONS') {
          response.writeHead(204).end();
          return true;
        }
        if (request.url === '/worker.js') {
          response.writeHead(200, { 'content-type': 'text/javascript' }).end(WORKER);
          return true;
        }
        if (request.url?.startsWith('/agent-moved')) {
          response.writeHead(307, { location: '/agent' }).end();
          return true;
        }
        return answer(request, response);
      },
      headers: { 'access-control-allow-origin': '*' },
    });
  });
  after(() => site.close());

  for (const path of ['/quirks', '/base', '/base-of-endpoint', '/base-elsewhere'] as const) {
    it(`${path}: the turn is complete, and restored after a reload`, async () => {
      const page = await site.visit(path);
      await sendMessage(page);
      assert.deepEqual(await linesOf(page), TURN);
      await page.reload();
      await page.waitForFunction(() => document.querySelector('agent-chat')?.messages.length === 2);
      assert.deepEqual(await linesOf(page), TURN);
      await releaseContext(page);
    });
  }

  it('from a file: the turn is complete', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-chat-file-'));
    await cp('dist', join(folder, 'dist'), { recursive: true });
    // Chromium loads no module from a file, so a page there loads the script from a server.
    await writeFile(
      join(folder, 'index.html'),
      `<!doctype html><title>T</title><script type="module" src="${site.origin}/dist/agent-chat.js"></script>${widget(
        'persist="local"',
      ).replace('"/agent"', `"${site.origin}/agent"`)}`,
    );
    const page = await site.open();
    // The test server sends no CORS headers for scripts.
    await page.route('**/dist/**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
    });
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await sendMessage(page);
    assert.deepEqual(await linesOf(page), TURN);
    await releaseContext(page);
    await rm(folder, { recursive: true });
  });

  for (const [name, path] of [
    ['', '/srcdoc'],
    [', with a `<base>` on another server', '/srcdoc-base-elsewhere'],
  ] as const)
    it(`in a frame whose document has no address (\`srcdoc\`)${name}: the turn is complete`, async () => {
      const page = await site.visit(path);
      await page.locator('iframe').contentFrame().locator('agent-chat [part="input"]').waitFor();
      const frame = page.frames()[1];
      assert.ok(frame);
      await sendMessage(frame);
      assert.deepEqual(await linesOf(frame), TURN);
      await releaseContext(page);
    });

  it('in a frame without an address, on a server without HTTPS: the turn is complete', async () => {
    const page = await site.open();
    await page.route('http://intranet.example/**', (route) =>
      route.continue({ url: route.request().url().replace('http://intranet.example', site.origin) }),
    );
    await page.goto('http://intranet.example/srcdoc');
    await page.locator('iframe').contentFrame().locator('agent-chat [part="input"]').waitFor();
    const frame = page.frames()[1];
    assert.ok(frame);
    await sendMessage(frame);
    assert.deepEqual(await linesOf(frame), TURN);
    await releaseContext(page);
  });

  it('whose address has a user name and a password: the turn is complete', async () => {
    const page = await site.open();
    await page.goto(`${site.origin.replace('//', '//me:secret@')}/inside`);
    await sendMessage(page);
    assert.deepEqual(await linesOf(page), TURN);
    await releaseContext(page);
  });

  it('in a sandbox without an origin: the turn is complete, and missing storage is reported once', async () => {
    const page = await site.open();
    await page.route('**/dist/**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
    });
    await page.goto(`${site.origin}/sandboxed`);
    await page.locator('iframe').contentFrame().locator('agent-chat [part="input"]').waitFor();
    const frame = page.frames()[1];
    assert.ok(frame);
    await sendMessage(frame);
    await sendMessage(frame);
    assert.deepEqual(await linesOf(frame), [...TURN, ...TURN]);
    assert.equal(await frame.locator('agent-chat .problem').count(), 1);
    await releaseContext(page);
  });

  it('several widgets: those with the same endpoint share a conversation after a reload, others never', async () => {
    const page = await site.visit('/several');
    await sendMessage(page, 0);
    await sendMessage(page, 2, 'Other');
    const others = ['user complete: Other', 'assistant complete: Fine.'];
    assert.deepEqual([await linesOf(page, 0), await linesOf(page, 2)], [TURN, others]);
    assert.doesNotMatch((await linesOf(page, 1)).join('\n'), /Other/);
    await page.reload();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('agent-chat')].every(({ messages }) => messages.length === 2),
    );
    assert.deepEqual([await linesOf(page, 0), await linesOf(page, 1), await linesOf(page, 2)], [TURN, TURN, others]);
    await releaseContext(page);
  });

  for (const path of ['/twice', '/twice-in-parts']) {
    it(`${path.slice(1)}, the scripts of two addresses: the turn is complete, once`, async () => {
      const page = await site.visit(path);
      await sendMessage(page);
      assert.deepEqual(await linesOf(page), TURN);
      if (path === '/twice-in-parts') {
        await page.locator('agent-chat-markdown').evaluate((element) => Object.assign(element, { text: '*Other*' }));
        await page.locator('agent-chat-markdown em', { hasText: 'Other' }).waitFor();
      }
      await releaseContext(page);
    });
  }

  for (const query of ['', '?copied']) {
    it(`with a service worker that ${query ? 'reads each body first' : 'passes each response on'}: the turn is complete, once`, async () => {
      const page = await site.visit('/worker');
      await page.evaluate(async (search) => {
        await navigator.serviceWorker.register('/worker.js');
        while (!navigator.serviceWorker.controller) await new Promise(requestAnimationFrame);
        document.querySelector('agent-chat')?.setAttribute('endpoint', `/agent${search}`);
      }, query);
      const before = site.requests.filter((path) => path === '/agent').length;
      await sendMessage(page);
      assert.deepEqual(await linesOf(page), TURN);
      assert.equal(site.requests.filter((path) => path === '/agent').length, before + 1);
      await page.evaluate(async () => {
        for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
      });
      await releaseContext(page);
    });
  }

  it('a redirect that the page’s `fetch` does not follow: the message stays, with an error', async () => {
    const page = await site.visit('/redirect');
    const result = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      const { status } = (await chat?.send('Hello')) ?? {};
      return [status, chat?.messages.map((message) => `${message.role} ${message.status}`)];
    });
    assert.equal(result[0], 'error');
    assert.match(String(result[1]), /^user (?:complete|failed)/);
    await releaseContext(page);
  });
});
