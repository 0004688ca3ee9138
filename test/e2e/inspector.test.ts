/** The stream inspector of the build, on the strictest page. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Recording } from '../../src/testing.ts';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';
import { STRICT, watch } from './support/strict-csp.ts';

describe('the stream inspector', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<agent-chat endpoint="/agent?key=of-the-page"></agent-chat>',
        '/debug': '<agent-chat endpoint="/agent?key=of-the-page" debug></agent-chat>',
      },
      headers: { 'content-security-policy': STRICT },
      agent: answering(sessionStream('Hello **there**.')),
    });
  });
  after(() => site.close());

  const inspectorAsked = (): boolean => site.requests.some((path) => path.includes('inspector'));

  it('is only fetched with `debug`', async () => {
    const page = await site.visit('/');
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat');
      await document.querySelector('agent-chat')?.send('Hi');
    });
    await page.waitForLoadState('networkidle');
    assert.ok(!inspectorAsked(), 'nobody asked for it');
    await page.locator('agent-chat').evaluate((chat) => chat.toggleAttribute('debug', true));
    await page.locator('agent-chat .inspector').waitFor();
    assert.ok(inspectorAsked());
    await releaseContext(page);
  });

  it('shows a reply from its first frame, saves a recording, and causes no report', async () => {
    const page = await site.visit('/debug');
    const { violations, externalRequests: foreign } = await watch(page);
    await page.evaluate(async () => {
      await customElements.whenDefined('agent-chat');
      await document.querySelector('agent-chat')?.send('Hi');
    });
    const frames = page.locator('agent-chat [data-list="frames"] .row');
    await frames.filter({ hasText: 'session_end' }).waitFor();
    await frames.filter({ hasText: 'Hello' }).click();
    await page.locator('agent-chat .detail code').waitFor();
    assert.equal(await page.locator('agent-chat [data-list="blocks"] .row[aria-current]').count(), 1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('agent-chat .button', { hasText: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'recording-agent-session.json');
    const text = await readFile(await download.path(), 'utf8');
    const recording = JSON.parse(text) as Recording;
    assert.deepEqual([recording.version, recording.framing, recording.frames.length], [1, 'sse', 3]);
    assert.ok(!text.includes('of-the-page'));
    assert.deepEqual([await violations(), foreign], [[], []]);
    await releaseContext(page);
  });
});
