import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { releaseContext, openSite, type Site } from './support/site.ts';

/** A page that greets its host like an app, and records the messages that it gets. */
const PAGE = `<!doctype html><p id="out"></p><button>Ask</button>
<script>
  const out = document.getElementById('out');
  const say = (id, method, params) => parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
  addEventListener('message', ({ source, data }) => {
    if (source === parent) out.textContent += JSON.stringify(data.result ?? data.error ?? data.method);
  });
  say(1, 'ui/initialize', {});
  document.querySelector('button').onclick = () => {
    say(2, 'tools/call', { name: 'pay' });
    say(3, 'ui/message', { role: 'user', content: { type: 'text', text: 'Remove the tent' } });
  };
</script>`;

/** A page of a fixed height, which a button changes. */
const FIXED = `<!doctype html><body style="margin:0"><div style="height:260px"><button>More</button></div>
<script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  document.querySelector('button').onclick = () => { document.querySelector('div').style.height = '320px'; };
  post({ id: 1, method: 'ui/initialize', params: {} });
  post({ method: 'ui/notifications/initialized' });
</script>`;

async function poll(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await check())) {
    assert.ok(Date.now() < end, 'the frame has not got its height');
    await setTimeout(50);
  }
}

describe('an MCP App', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat endpoint="/agent"></agent-chat>' } });
  });
  after(() => site.close());

  async function opened(block: object): Promise<{ readonly page: Page; readonly inside: FrameLocator }> {
    const page = await site.visit('/');
    await page.evaluate(async (app) => {
      await customElements.whenDefined('agent-chat');
      document.querySelector('agent-chat')!.messages = [{ role: 'assistant', blocks: [app] }];
    }, block);
    await page.locator('agent-chat-artifact button').first().click();
    const frame = page.locator('agent-chat-artifact iframe');
    return { page, inside: frame.contentFrame().frameLocator('iframe') };
  }

  it('is greeted, calls no tool, and sends nothing without the user’s press', async () => {
    const ui = { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app', text: PAGE };
    const { page, inside } = await opened({ type: 'ui', ui });
    await inside.locator('#out', { hasText: '"protocolVersion":"2026-01-26"' }).waitFor();
    await page.evaluate(() => {
      document.querySelector('agent-chat')!.addEventListener('agent-chat-send', (event) => {
        event.preventDefault();
        document.title = event.detail.message.blocks[0]?.content ?? '';
      });
    });
    await inside.getByRole('button', { name: 'Ask' }).click();
    await inside.locator('#out', { hasText: '-32601' }).waitFor();
    const question = page.getByRole('group', { name: 'cart wants to send this on your behalf' });
    await question.getByText('Remove the tent').waitFor();
    assert.equal(await page.title(), 'Test');
    // The app has grown under the pointer: for half a second no press outside of it counts.
    await page.waitForTimeout(600);
    await question.getByRole('button', { name: 'Send' }).click();
    await inside.locator('#out', { hasText: '{}' }).waitFor();
    assert.equal(await page.title(), 'Remove the tent');
    await releaseContext(page);
  });

  it('has the height of its page again after full screen, with what has been added there', async () => {
    const ui = { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app', text: FIXED };
    const { page, inside } = await opened({ type: 'ui', ui });
    const frame = page.locator('agent-chat-artifact iframe');
    const full = page.getByRole('button', { name: 'Full screen', exact: true });
    const exit = page.getByRole('button', { name: 'Exit full screen' });
    const heightIs = (check: (height: number) => boolean): Promise<void> =>
      poll(async () => check((await frame.boundingBox())?.height ?? 0));
    const isInFullScreen = (height: number): boolean => height > 400;
    await heightIs((height) => height === 260);
    await full.click();
    await heightIs(isInFullScreen);
    await inside.locator('body').evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await exit.click();
    await heightIs((height) => height === 260);
    await full.click();
    await heightIs(isInFullScreen);
    await inside.getByRole('button', { name: 'More' }).click();
    await exit.click();
    await heightIs((height) => height === 320);
    await releaseContext(page);
  });

  it('is the only frame whose messages are accepted: another artifact’s are ignored', async () => {
    const { page, inside } = await opened({
      type: 'content',
      content: PAGE,
      artifact: { identifier: 'a', title: 'Page', type: 'text/html' },
    });
    await inside.getByRole('button', { name: 'Ask' }).click();
    // Messages of a frame arrive in order: this one comes when all earlier ones have arrived.
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('message', resolve, { once: true });
          postMessage('behind it', '*');
        }),
    );
    assert.equal(await inside.locator('#out').textContent(), '');
    assert.equal(await page.getByRole('group', { name: /on your behalf/ }).count(), 0);
    await releaseContext(page);
  });
});
