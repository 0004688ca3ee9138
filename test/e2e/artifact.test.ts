import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openSite, type Site } from './support/site.ts';

const CSP = (frames: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src ${frames}; require-trusted-types-for 'script'; trusted-types agent-chat`;

/** Forbidden by nothing but the preview itself. */
const LEAK = '/agent?leak';

/** What an agent has made: it counts, and tries what it must not be able to do. */
const SOURCE = `<!doctype html><p id="out">waiting</p><button onclick="location.href = '${LEAK}'">Leave</button><div style="height:900px">tall</div><script>
  const tries = {
    parent: () => parent.document.title,
    storage: () => localStorage.length,
    cookie: () => document.cookie,
    top: () => { top.location = 'about:blank'; return 'moved'; },
  };
  const seen = Object.entries(tries).map(([name, attempt]) => { try { attempt(); return name + ': yes'; } catch { return name + ': no'; } });
  fetch('/agent').then(() => 'fetch: yes', () => 'fetch: no').then((last) => {
    document.getElementById('out').textContent = ['origin ' + origin, ...seen, last].join(', ');
  });
</script>`;

async function showArtifact(page: Page): Promise<Locator> {
  await page.evaluate(async (content) => {
    await customElements.whenDefined('agent-chat');
    const chat = document.querySelector('agent-chat');
    if (!chat) return;
    const artifact = { identifier: 'a', title: 'Counter', type: 'text/html' } as const;
    chat.messages = [
      { role: 'assistant', blocks: [{ type: 'content', content, artifact, status: 'success', timestamp: 1 }] },
    ];
  }, SOURCE);
  return page.locator('agent-chat-artifact');
}

describe('an artifact', () => {
  let open: Site;
  let strict: Site;
  before(async () => {
    const pages = { '/': '<agent-chat></agent-chat>' };
    [open, strict] = await Promise.all([
      openSite({ pages, headers: { 'content-security-policy': CSP("'self'") } }),
      openSite({ pages, headers: { 'content-security-policy': CSP("'none'") } }),
    ]);
  });
  after(() => Promise.all([open.close(), strict.close()]));

  it('runs in a page of an opaque origin that reaches neither its host nor the network', async () => {
    const page = await open.visit('/');
    const artifact = await showArtifact(page);
    assert.equal(await page.locator('iframe').count(), 0, 'no frame before the reader asks for one');
    await artifact.getByRole('button', { name: 'Counter' }).click();
    const frame = page.locator('iframe');
    await frame.waitFor();
    assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts');
    const words = page
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByText(/^origin/);
    await words.waitFor();
    assert.equal(await words.textContent(), 'origin null, parent: no, storage: no, cookie: no, top: no, fetch: no');

    await page.waitForFunction(() => {
      const chat = document.querySelector('agent-chat');
      return Number(chat?.shadowRoot?.querySelector('iframe')?.height) > 900;
    });
    // It leaves for a page of the browser's, which says that this was forbidden.
    const leave = page.frameLocator('iframe').frameLocator('iframe').getByRole('button');
    await leave.click();
    await leave.waitFor({ state: 'detached' });
    assert.deepEqual(
      open.requests.filter((path) => !path.startsWith('/dist/')),
      ['/'],
    );
    await page.context().close();
  });

  it('is shown as its source where the page forbids frames, and can be kept', async () => {
    const page = await strict.visit('/');
    const artifact = await showArtifact(page);
    await artifact.getByRole('button', { name: 'Counter' }).click();
    await artifact.getByText('localStorage').waitFor();
    const download = page.waitForEvent('download');
    await artifact.getByRole('button', { name: 'Download' }).click();
    assert.equal((await download).suggestedFilename(), 'Counter.html');
    await page.context().close();
  });
});
