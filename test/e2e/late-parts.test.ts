/** Lazy parts of an answer that load late, or not at first. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { PIXEL } from '../support/pixel.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

const step = (delta: object, end: string | null = null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;

/** An honest link, and one whose text names another host. */
const LINKS = '[The order](https://shop.example/7), or [bank.example](https://evil.example/)';

const TABLE = '| Order | Weight |\n| --- | --- |\n| 97 | 2.5 kg |\n| 98 | 3';

describe('a part of an answer', () => {
  let site: Site;
  let goOn: () => void = () => undefined;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<agent-chat endpoint="/agent" protocol="openai-chat"></agent-chat>',
        '/table': '<agent-chat endpoint="/agent/table" protocol="openai-chat"></agent-chat>',
        '/links': '<agent-chat endpoint="/agent/links" protocol="openai-chat"></agent-chat>',
        '/broken': '<agent-chat endpoint="/agent/broken" protocol="openai-chat"></agent-chat>',
        '/refused': '<agent-chat endpoint="/agent/refused" protocol="openai-chat"></agent-chat>',
      },
      agent: async (request, response) => {
        if (request.url === '/agent/refused') {
          response.writeHead(403).end('{"error":{"message":"Ask your administrator."}}');
          return true;
        }
        for await (const _ of request); // the request is read to its end
        const thought = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (request.url === '/agent/broken') {
          response.write(step({ content: 'It is on' }));
          await thought;
          response.destroy();
          return true;
        }
        if (request.url === '/agent/links') response.write(step({ content: LINKS }));
        else if (request.url === '/agent/table') response.write(step({ content: TABLE }));
        else response.write(step({ reasoning_content: 'First look.' }));
        await thought;
        response.end(`${step({ content: 'It is on its way.' })}${step({}, 'stop')}data: [DONE]\n\n`);
        return true;
      },
    });
  });
  after(() => site.close());

  const ask = async (page: Page): Promise<void> => {
    const input = page.locator('agent-chat [part="input"]');
    await input.fill('Where is it?');
    await input.press('Enter');
  };

  it('that loads late shows that the agent is at work, and does not move the text', async () => {
    const page = await site.open();
    const held: Route[] = [];
    await page.route(/\/activity-chunk-/, (route) => {
      held.push(route);
    });
    await page.goto(`${site.origin}/`);
    const requested = page.waitForRequest(/\/activity-chunk-/);
    await ask(page);
    await requested;
    await page.locator('agent-chat agent-chat-activity').waitFor({ state: 'attached' });
    assert.ok(await page.locator('agent-chat .waiting').isVisible());
    goOn();
    const text = page.locator('agent-chat [part~="block-content"]');
    await text.waitFor();
    await page.locator('agent-chat:not([status="streaming"])').waitFor();
    assert.equal(await page.locator('agent-chat .waiting').count(), 0);
    const before = await text.boundingBox();
    await Promise.all(held.map((route) => route.continue()));
    await page.locator('agent-chat .activity > summary').getByText('Thought').waitFor();
    assert.deepEqual((await text.boundingBox())?.y, before?.y);
    await releaseContext(page);
  });

  it('that checks links loads late: until then, a link leads nowhere', async () => {
    const page = await site.open();
    const held: Route[] = [];
    await page.route(/\/link-text-/, (route) => {
      held.push(route);
    });
    await page.goto(`${site.origin}/links`);
    const requested = page.waitForRequest(/\/link-text-/);
    await ask(page);
    await requested;
    const links = page.locator('agent-chat [part~="block-content"] a');
    await links.nth(1).waitFor();
    assert.deepEqual(await links.allTextContents(), ['The order', 'bank.example']);
    assert.equal(await page.locator('agent-chat [part~="block-content"] [href]').count(), 0);
    const first = await links.first().elementHandle();
    await Promise.all(held.map((route) => route.continue()));
    await page.locator('agent-chat .real-host').getByText('(evil.example)').waitFor();
    assert.equal(await first.getAttribute('href'), 'https://shop.example/7');
    assert.equal(await page.locator('agent-chat .real-host').count(), 1);
    goOn();
    await releaseContext(page);
  });

  it('that checks links loads late: few links are shown before it, because they are rendered again in one task', async () => {
    const page = await site.open();
    const held: Route[] = [];
    await page.route(/\/link-text-/, (route) => {
      held.push(route);
    });
    await page.goto(`${site.origin}/`);
    const requested = page.waitForRequest(/\/link-text-/);
    await page.evaluate((text) => {
      const chat = document.querySelector('agent-chat');
      if (chat) chat.messages = [{ role: 'assistant', text }];
    }, 'Write to a@b.example for more of these words, '.repeat(2000));
    await requested;
    const links = page.locator('agent-chat [part~="block-content"] a');
    await links.nth(50).waitFor();
    await page.waitForTimeout(1000);
    assert.ok((await links.count()) < 500, `${String(await links.count())} links`);
    await Promise.all(held.map((route) => route.continue()));
    await links.nth(1999).waitFor();
    await releaseContext(page);
  });

  it('that checks links does not load: the target of each link is shown', async () => {
    const page = await site.open();
    await page.route(/\/link-text-/, (route) => route.fulfill({ status: 500 }));
    await page.goto(`${site.origin}/links`);
    await ask(page);
    const hosts = page.locator('agent-chat .real-host');
    await hosts.nth(1).waitFor();
    assert.deepEqual(await hosts.allTextContents(), ['(shop.example)', '(evil.example)']);
    goOn();
    await releaseContext(page);
  });

  it('that checks links never arrives: a long text is shown to its end, with the target of each link', async () => {
    const page = await site.open();
    await page.route(/\/link-text-/, () => undefined);
    await page.goto(`${site.origin}/`);
    await page.evaluate(
      (text) => {
        const chat = document.querySelector('agent-chat');
        if (chat) chat.messages = [{ role: 'assistant', text }];
      },
      `${LINKS}\n\n${'It is on its way. '.repeat(40)}\n\n`.repeat(60) + 'This is the end.',
    );
    const hosts = page.locator('agent-chat .real-host');
    await hosts.nth(119).waitFor();
    await page.locator('agent-chat').getByText('This is the end.').waitFor();
    assert.deepEqual((await hosts.allTextContents()).slice(0, 2), ['(shop.example)', '(evil.example)']);
    assert.equal(await hosts.count(), 120);
    await releaseContext(page);
  });

  it('that loads after the connection has broken shows what had arrived', async () => {
    const page = await site.open();
    const held: Route[] = [];
    await page.route(/\/conversation-/, (route) => {
      held.push(route);
    });
    await page.goto(`${site.origin}/broken`);
    const answered = page.waitForResponse(/\/agent\/broken/);
    const broken = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/agent/broken'));
    await ask(page);
    await answered;
    // The answer is headers and text. The browser reports only the headers.
    await page.waitForTimeout(300);
    assert.ok(held.length > 0);
    goOn();
    await broken;
    await Promise.all(held.map((route) => route.continue()));
    await page.locator('agent-chat [part~="block-content"]').getByText('It is on').waitFor();
    await page.locator('agent-chat').getByText('The connection to the agent was lost.', { exact: true }).waitFor();
    await releaseContext(page);
  });

  it('that fails to load appears by itself', async () => {
    const page = await site.open();
    let failures = 0;
    await page.route(/\/(?:activity-chunk|action|image)-/, async (route) => {
      if (failures++ < 3) await route.fulfill({ status: 500 });
      else await route.continue();
    });
    await page.goto(`${site.origin}/`);
    await page.evaluate((data) => {
      const chat = document.querySelector('agent-chat');
      if (!chat) throw new Error('There is no widget.');
      chat.messages = [
        {
          role: 'assistant',
          blocks: [
            { type: 'reasoning_content', content: 'First look.' },
            { type: 'content', content: 'One question.' },
            { type: 'image', image_data: { data, mimeType: 'image/png' } },
            { type: 'action', action_type: 'confirmation', status: 'pending', content: 'Send it?' },
          ],
        },
      ];
    }, PIXEL);
    await page.locator('agent-chat .activity > summary').getByText('Thought').waitFor();
    await page.locator('agent-chat [part~="block-action"] button').first().waitFor();
    await page.locator('agent-chat img[part="image"]').waitFor();
    assert.ok(failures > 3);
    await releaseContext(page);
  });

  it('that windows a long conversation leaves its end visible until then, and scrolls to where the user wanted', async () => {
    const page = await site.open();
    const held: Route[] = [];
    await page.route(/\/virtual-window-/, (route) => {
      held.push(route);
    });
    await page.goto(`${site.origin}/`);
    const rows = page.locator('agent-chat agent-chat-message');
    await page.evaluate(() => {
      document.querySelector('agent-chat')!.messages = Array.from({ length: 300 }, (_, index) => ({
        id: `m${String(index)}`,
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        text: `Message ${String(index)}`,
      }));
    });
    await rows.getByText('Message 299', { exact: true }).waitFor();
    assert.equal(await rows.count(), 20);
    await page.locator('agent-chat-message-list').press('Home');
    // The next frame would scroll there if it could.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    for (const route of held.splice(0)) await route.continue();
    await rows.getByText('Message 0', { exact: true }).waitFor();
    await page.waitForFunction(() => {
      const root = document.querySelector('agent-chat')?.shadowRoot;
      return root?.querySelector('.left-out') && root.querySelector('agent-chat-message-list')?.scrollTop === 0;
    });
    await releaseContext(page);
  });

  it('that fixes the columns of a table leaves the rows readable if it fails to load', async () => {
    const page = await site.open();
    await page.route(/\/block-tools-/, (route) => route.abort());
    await page.goto(`${site.origin}/table`);
    await ask(page);
    await page.locator('agent-chat td').getByText('2.5 kg').waitFor();
    assert.equal(await page.locator('agent-chat').getAttribute('status'), 'streaming');
    goOn();
    await page.locator('agent-chat:not([status="streaming"])').waitFor();
    await releaseContext(page);
  });

  it('that would read an error leaves the meaning of the status', async () => {
    const page = await site.open();
    await page.goto(`${site.origin}/refused`);
    await ask(page);
    await page.locator('agent-chat').getByText('Ask your administrator.').waitFor({ state: 'attached' });
    await page.route(/\/http-error-/, (route) => route.abort());
    await page.reload();
    await ask(page);
    await page.locator('agent-chat').getByText('You don’t have access to this agent.', { exact: true }).waitFor();
    await releaseContext(page);
  });

  it('that searches leaves the key to the browser if it fails to load', async () => {
    const page = await site.open();
    let failures = 0;
    await page.route(/\/find-bar-/, async (route) => {
      failures++;
      await route.abort();
    });
    await page.goto(`${site.origin}/`);
    await page.evaluate(() => {
      document.querySelector('agent-chat')!.messages = Array.from({ length: 300 }, (_, index) => ({
        id: `m${String(index)}`,
        role: 'assistant' as const,
        text: `Message ${String(index)}`,
      }));
      addEventListener('keydown', (event) => {
        if (event.key === 'f') document.title += event.defaultPrevented ? 'own' : 'browser';
      });
    });
    await page.locator('agent-chat .left-out').first().waitFor({ state: 'attached' });
    const press = (): Promise<void> => page.locator('agent-chat-message-list').press('Control+f');
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/find-bar-'));
    await press();
    await failed;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await press();
    assert.match(await page.title(), /ownbrowser$/);
    assert.equal(failures, 1);
    await releaseContext(page);
  });
});
