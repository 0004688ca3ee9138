import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';
import { everyBlock } from '../../demo/scenes/blocks.ts';
import { STRICT, watch } from './support/strict-csp.ts';

describe('under a strict CSP with Trusted Types', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: { '/': '<agent-chat endpoint="/agent"></agent-chat>' },
      headers: { 'content-security-policy': STRICT },
      agent: answering(
        sessionStream('Hello <b onclick="x()" style="color:red">there</b>.\n\n<p style="x">block</p>\n\n**bold**'),
      ),
    });
  });
  after(() => site.close());

  it('every block and a streamed answer cause no report, and no request to another host', async () => {
    const page = await site.visit('/');
    const { externalRequests: foreign, violations } = await watch(page);
    await page.evaluate(async (messages) => {
      await customElements.whenDefined('agent-chat');
      const chat = document.querySelector('agent-chat');
      if (chat) chat.messages = messages;
    }, everyBlock);
    // All lazy modules are loaded when the last of them has rendered.
    await page.locator('agent-chat-chart canvas').waitFor();
    await page.locator('agent-chat-html strong').waitFor();
    const surface = page.locator('agent-chat-surface');
    await surface.getByLabel('Name').fill('Mara');
    await surface.getByLabel('Guests').fill('5');
    await surface.getByText('5', { exact: true }).waitFor();
    await page.locator('agent-chat-app button').waitFor();
    await page.evaluate(() => document.querySelector('agent-chat')?.send('Hi'));
    await page.locator('agent-chat strong', { hasText: 'bold' }).waitFor();
    for (const [attribute, value] of [
      ['mode', 'floating'],
      ['color-scheme', 'dark'],
      ['locale', 'zh-CN'],
      ['show-reasoning', 'open'],
    ] as const) {
      await page.evaluate(([name, text]) => document.querySelector('agent-chat')?.setAttribute(name, text), [
        attribute,
        value,
      ] as const);
    }
    await page.evaluate(() => document.querySelector('agent-chat')?.show());
    await page.getByText('思考了').first().waitFor();
    assert.deepEqual(await violations(), []);
    assert.deepEqual(foreign, []);
    await releaseContext(page);
  });

  it('two copies of the bundle work on one page', async () => {
    const page = await site.visit('/');
    const violations = await page.evaluate(async () => {
      const seen: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => seen.push(violatedDirective));
      const copy = '/dist/agent-chat.js?copy';
      await import(copy);
      return seen;
    });
    assert.deepEqual(violations, []);
    await releaseContext(page);
  });
});
