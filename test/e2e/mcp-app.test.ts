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

/** A page with a field, a button after which it cancels all keys, and one that asks for a link. */
const KEYS = `<!doctype html><input><button>Cancel keys</button><button>Open a link</button>
<script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  document.querySelector('button').onclick = () => {
    const cancel = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
    for (const name of ['keydown', 'keypress', 'keyup']) addEventListener(name, cancel, true);
  };
  document.querySelector('button:last-of-type').onclick = () => {
    post({ id: 2, method: 'ui/open-link', params: { url: 'https://x.example' } });
  };
  post({ id: 1, method: 'ui/initialize', params: {} });
  post({ method: 'ui/notifications/initialized' });
</script>`;

/** A page that sends what is too large, or no JSON, then what is neither. It shows the ids and error codes of the answers. */
const LARGE = `<!doctype html><p id="out"></p>
<script>
  const out = document.getElementById('out');
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data.id) out.textContent += data.id + ':' + (data.error?.code ?? 'ok') + ' ';
  });
  let doubled = ['x'];
  for (let level = 0; level < 16; level++) doubled = [doubled, doubled];
  let deep = [];
  for (let level = 0; level < 300; level++) deep = [deep];
  const say = (id, method, params) => parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
  const call = (id, value) => say(id, 'tools/call', { name: 'pay', arguments: { value } });
  call('doubled', doubled);
  call('boxed', Array(500).fill(new String('x'.repeat(10_000))));
  call('sparse', new Array(4_000_000_000));
  call('deep', deep);
  call('long', 'x'.repeat(4_000_000));
  call('escaped', String.fromCharCode(0).repeat(1_000_000));
  call('bigint', 1n);
  const content = Array.from({ length: 20_000 }, () => ({ type: 'text', text: '' }));
  say('list', 'ui/message', { role: 'user', content });
  parent.postMessage({ agentChat: 1, type: 'size', height: doubled }, '*');
  call('small', 'x');
</script>`;

const CART = { kind: 'mcp-app', uri: 'ui://shop/cart', mimeType: 'text/html;profile=mcp-app' };

interface Opened {
  readonly page: Page;
  readonly inside: FrameLocator;
}

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
    site = await openSite({
      pages: { '/': '<agent-chat endpoint="/agent"></agent-chat><button id="own">Own</button>' },
    });
  });
  after(() => site.close());

  const opened = async (block: object): Promise<Opened> => show(await site.visit('/'), block);

  async function show(page: Page, block: object): Promise<Opened> {
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

  /** The label or the name of what has the focus; of a frame, 'IFRAME'. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      if (!active || active === document.body || active.localName === 'iframe') return active?.tagName ?? '';
      return (active.id || (active.getAttribute('aria-label') ?? active.textContent)).trim();
    });

  it('rule 75: in full screen keeps the focus: nothing that it covers can be reached or typed into', async () => {
    const { page, inside } = await opened({ type: 'ui', ui: { ...CART, text: KEYS } });
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    assert.equal(await focused(page), 'Exit full screen');
    await inside.locator('input').click();
    assert.equal(await focused(page), 'IFRAME');
    const reached = new Set<string>();
    for (let time = 0; time < 16; time++) {
      await page.keyboard.press('Tab');
      reached.add(await focused(page));
    }
    for (const expected of ['IFRAME', 'Exit full screen']) assert.ok(reached.has(expected), expected);
    for (const covered of ['own', 'Message', 'Copy answer', 'Regenerate'])
      assert.ok(!reached.has(covered), `${covered} in ${[...reached].join()}`);
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('#own')?.focus();
      document.querySelector('agent-chat')!.shadowRoot!.querySelector('textarea')?.focus();
    });
    await page.keyboard.type('pay all');
    assert.equal(await page.locator('agent-chat textarea').inputValue(), '');
    await releaseContext(page);
  });

  it('in full screen has the questions of the widget above it', async () => {
    const { page, inside } = await opened({ type: 'ui', ui: { ...CART, text: KEYS } });
    await page.evaluate(() => {
      document.querySelector('agent-chat')!.setAttribute('link-hosts', 'shop.example');
    });
    await page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await inside.getByRole('button', { name: 'Open a link' }).click();
    // A press counts when the request has been visible for a moment.
    await page.locator('.app-request a:not([aria-disabled])').click();
    await page.getByRole('dialog').getByText('x.example').last().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'cart' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 1, 'Escape closes only the question');
    await releaseContext(page);
  });

  for (const [name, prepare] of [
    ['its frame', ({ inside }: Opened) => inside.locator('input').click()],
    [
      'its frame, also if it cancels all keys',
      async ({ inside }: Opened) => {
        await inside.getByRole('button', { name: 'Cancel keys' }).click();
      },
    ],
    ['its button', ({ page }: Opened) => page.getByRole('button', { name: 'Exit full screen' }).focus()],
    ['nothing', ({ page }: Opened) => page.mouse.click(2, 2)],
  ] as const)
    it(`rule 75: leaves full screen with Escape, pressed in ${name}`, async () => {
      const shown = await opened({ type: 'ui', ui: { ...CART, text: KEYS } });
      const { page, inside } = shown;
      await page.getByRole('button', { name: 'Full screen', exact: true }).click();
      await page.getByRole('button', { name: 'Exit full screen' }).waitFor();
      await inside.locator('input').fill('kept');
      await prepare(shown);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
      assert.equal(await focused(page), 'Full screen');
      assert.equal(await inside.locator('input').inputValue(), 'kept', 'it was not restarted');
      // Outside of full screen, the widget learns no key of the app.
      await inside.locator('input').click();
      await page.keyboard.press('Escape');
      assert.equal(await focused(page), 'IFRAME');
      await releaseContext(page);
    });

  it('rule 60: passes on only JSON of a limited size, which does not become larger where it is read', async () => {
    const ui = { ...CART, text: LARGE };
    const page = await site.visit('/');
    await page.evaluate(() => {
      const kinds: string[] = [];
      addEventListener('message', ({ data: { type, message, height } }: MessageEvent<Record<string, unknown>>) => {
        if (type === 'app') kinds.push(typeof message === 'string' && message.length < 200 ? 'small text' : 'other');
        if (type === 'size' && typeof height !== 'number') kinds.push('size');
        document.title = kinds.join();
      });
    });
    const { inside } = await show(page, { type: 'ui', ui });
    await inside.locator('#out', { hasText: 'small:' }).waitFor();
    const refused = ['doubled', 'boxed', 'sparse', 'deep', 'long', 'escaped', 'bigint', 'list'];
    // This page has no “mcp”: no app can call a tool.
    const expected = [...refused.map((id) => `${id}:-32600`), 'small:-32601'].join(' ');
    assert.equal((await inside.locator('#out').textContent())?.trim(), expected);
    assert.equal(await page.title(), 'small text');
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
