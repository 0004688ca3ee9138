import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { releaseContext, openSite, type Site } from './support/site.ts';

const CSP = (frames: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; frame-src ${frames}; require-trusted-types-for 'script'; trusted-types agent-chat`;

const SOURCE = `<div style="height:900px">tall</div><script>document.body.append('it runs')</script>`;

async function showArtifact(page: Page): Promise<Locator> {
  await page.evaluate(async (content) => {
    await customElements.whenDefined('agent-chat');
    const chat = document.querySelector('agent-chat');
    if (!chat) return;
    const artifact = { identifier: 'a', title: 'Counter', type: 'text/html' } as const;
    chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content, artifact }] }];
  }, SOURCE);
  return page.locator('agent-chat-artifact');
}

describe('the preview of an artifact', () => {
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

  it('runs under a strict policy that allows the frame, as high as its content', async () => {
    const page = await open.visit('/');
    const artifact = await showArtifact(page);
    await artifact.getByRole('button', { name: 'Counter' }).click();
    await page.frameLocator('iframe').frameLocator('iframe').getByText('it runs').waitFor();
    await page.waitForFunction(
      () => Number(document.querySelector('agent-chat')?.shadowRoot?.querySelector('iframe')?.height) > 900,
    );
    await releaseContext(page);
  });

  it('is its source if the page forbids frames, and can be saved', async () => {
    const page = await strict.visit('/');
    const artifact = await showArtifact(page);
    await artifact.getByRole('button', { name: 'Counter' }).click();
    await artifact.getByText('it runs').waitFor();
    const download = page.waitForEvent('download');
    // Its own button; the source below has another one once its tools are loaded.
    await artifact.getByRole('button', { name: 'Download' }).first().click();
    assert.equal((await download).suggestedFilename(), 'Counter.html');
    await releaseContext(page);
  });
});
