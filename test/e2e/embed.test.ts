import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';

const script = (attributes: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><body><h1>Shop</h1>` +
  `<script src="/dist/embed.js" ${attributes} defer></script></body></html>`;

describe('embed.js', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/shop': script('data-endpoint="/agent" data-heading="Harbor"'),
        '/idle': script('data-endpoint="/agent" data-load="idle"'),
        '/configured': script('data-endpoint="/wrong" data-heading="From data"').replace(
          '<h1>',
          '<script>agentChat = { endpoint: "/agent", headers: () => ({ "x-token": "t" }) }</script><h1>',
        ),
        '/named': script('data-endpoint="/agent"').replace(
          '<h1>',
          '<script>agentChat = { heading: "Harbor" }</script><h1>',
        ),
        '/adopt': script('data-endpoint="/agent"').replace(
          '<h1>',
          '<agent-chat heading="Mine" mode="floating"></agent-chat><h1>',
        ),
        '/inline': script('data-endpoint="/agent"').replace(
          '<h1>',
          '<script>agentChat = { mode: "inline" }</script><h1>',
        ),
        '/start': script('data-endpoint="/agent"').replace(
          '<h1>',
          '<script>agentChat = { placement: "start" }</script><h1>',
        ),
        '/open': script('data-endpoint="/agent"').replace('<h1>', '<script>agentChat = { open: true }</script><h1>'),
        '/twice': script('data-endpoint="/agent"').replace(
          '</body>',
          '<script src="/dist/embed.js" defer></script></body>',
        ),
        '/two-endpoints': script('data-endpoint="/agent" data-mode="inline"')
          .replace(' defer', '')
          .replace(
            '</body>',
            '<script>agentChat = { headers: { "x-token": "other" } }</script><script src="/dist/embed.js" data-endpoint="/other"></script></body>',
          ),
        '/own-endpoint': script('data-endpoint="/other"').replace(
          '<h1>',
          '<agent-chat endpoint="/agent"></agent-chat><script>agentChat = { headers: { "x-token": "other" } }</script><h1>',
        ),
        '/named-image': script('data-endpoint="/agent"').replace(
          '<h1>',
          '<img name="currentScript" data-endpoint="https://other.example/"><h1>',
        ),
        '/moved': script('data-endpoint="/agent"').replace('/dist/embed.js', '/gone/embed.js'),
      },
      agent: async (request, response) => {
        if (request.url === '/gone/embed.js') {
          response.writeHead(302, { location: '/dist/embed.js' }).end();
          return true;
        }
        return answering(sessionStream('Hello'))(request, response);
      },
    });
  });
  after(() => site.close());

  const launcher = '[part=launcher]';

  it('shows the launcher at the side that the page sets as a property', async () => {
    const page = await site.visit('/start');
    const { x = 1000 } = (await page.locator(launcher).boundingBox()) ?? {};
    assert.ok(x < 100, String(x));
  });

  it('shows a launcher, and loads nothing until the user moves towards it', async () => {
    const page = await site.visit('/shop');
    const from = site.requests.length;
    await page.locator(launcher).waitFor();
    assert.deepEqual(
      site.requests.slice(from).filter((path) => path.includes('agent-chat')),
      [],
    );
    assert.equal(await page.evaluate(() => 'agentChat' in globalThis), false);
    await releaseContext(page);
  });

  it('opens the panel with one press, and moves the focus to the composer', async () => {
    const page = await site.visit('/shop');
    await page.locator(launcher).click();
    await page.locator('[part=input]').waitFor();
    await page.waitForFunction(
      () => document.querySelector('agent-chat')?.shadowRoot?.activeElement?.localName === 'textarea',
    );
    assert.equal(await page.locator('[part=heading]').innerText(), 'Harbor');
    await releaseContext(page);
  });

  it('queues calls on the element until it is loaded', async () => {
    const page = await site.visit('/shop');
    const text = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      const answer = await chat?.send('Hi');
      return answer?.blocks.map((block) => ('content' in block ? block.content : '')).join('');
    });
    assert.equal(text, 'Hello');
    await releaseContext(page);
  });

  it('loads when the page is idle on request', async () => {
    const page = await site.visit('/idle');
    await page.waitForFunction(() => customElements.get('agent-chat') !== undefined);
    await releaseContext(page);
  });

  it('prefers the page’s settings to those of the script, functions too', async () => {
    const page = await site.visit('/configured');
    await page.locator(launcher).click();
    await page.waitForFunction(() => customElements.get('agent-chat') !== undefined);
    const settings = await page.evaluate(() => {
      const chat = document.querySelector('agent-chat');
      return [chat?.endpoint, typeof chat?.headers, chat?.heading];
    });
    assert.deepEqual(settings, ['/agent', 'function', 'From data']);
    await releaseContext(page);
  });

  it('has the name from the page’s settings before anything is loaded', async () => {
    const page = await site.visit('/named');
    await page.getByRole('button', { name: 'Harbor' }).waitFor();
    assert.equal(await page.evaluate(() => customElements.get('agent-chat') === undefined), true);
    await releaseContext(page);
  });

  it('adopts an existing element of the page', async () => {
    const page = await site.visit('/adopt');
    await page.locator(launcher).click();
    await page.locator('[part=input]').waitFor();
    assert.equal(await page.locator('agent-chat').count(), 1);
    assert.equal(await page.locator('[part=heading]').innerText(), 'Mine');
    await releaseContext(page);
  });

  it('loads immediately if the page’s settings make it inline or open', async () => {
    const inline = await site.visit('/inline');
    await inline.locator('[part=input]').waitFor();
    assert.equal(await inline.locator(launcher).count(), 0);
    await releaseContext(inline);
    const open = await site.visit('/open');
    await open.locator('[part=input]').waitFor();
    await releaseContext(open);
  });

  it('takes no settings from an image that is named like the current script', async () => {
    const page = await site.visit('/named-image');
    assert.equal(await page.locator('agent-chat').getAttribute('endpoint'), '/agent');
  });

  it('a second script on the page adds nothing', async () => {
    const page = await site.visit('/twice');
    assert.equal(await page.locator('agent-chat').count(), 1);
    await page.locator(launcher).click();
    await page.locator('[part=input]').waitFor();
    assert.equal(await page.locator(launcher).count(), 1);
    await releaseContext(page);
  });

  for (const path of ['/two-endpoints', '/own-endpoint'])
    it(`puts the key of a script on no other endpoint, in ${path}`, async () => {
      const page = await site.visit(path);
      await page.waitForFunction(() => document.readyState === 'complete');
      assert.deepEqual(
        await page
          .locator('agent-chat')
          .evaluateAll((all) => all.map((one) => (one as { headers?: unknown }).headers ?? null)),
        [null],
      );
      assert.equal(await page.locator('agent-chat').getAttribute('endpoint'), '/agent');
      await releaseContext(page);
    });

  it('runs no other module than the one it was built with', async () => {
    const page = await site.visit('/shop');
    await page.route('**/dist/agent-chat.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'globalThis.taken = true' }),
    );
    const failed = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('agent-chat-error', ({ detail }) => {
            resolve(detail.kind);
          });
        }),
    );
    await page.locator(launcher).click();
    assert.equal(await failed, 'load');
    assert.equal(await page.evaluate(() => 'taken' in globalThis || document.querySelector('link') !== null), false);
    await releaseContext(page);
  });

  it('shows on the launcher that loading has failed, and retries on the next press', async () => {
    const page = await site.visit('/shop');
    await page.route('**/dist/agent-chat.js', (route) => route.abort(), { times: 1 });
    const failed = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener(
            'agent-chat-error',
            (event) => {
              resolve(event.detail.kind);
            },
            { once: true },
          );
        }),
    );
    await page.locator(launcher).click();
    assert.equal(await failed, 'load');
    await releaseContext(page);
  });
});
