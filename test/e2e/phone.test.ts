/** A panel on a phone: its height, the keyboard, the back button, and leaving the page in mid-answer. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ServerResponse } from 'node:http';
import type { CDPSession, Page } from 'playwright-core';
import { releaseContext, openSite, type Site } from './support/site.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const MAX_WAIT_MS = 5_000;
const WIDGET =
  '<style>body{min-block-size:3000px}</style><a href="/elsewhere">Elsewhere</a>' +
  '<agent-chat endpoint="/agent" protocol="agent-session" mode="floating" heading="Harbor"></agent-chat>';

const contentEvent = (content: string): string => `data: ${JSON.stringify({ type: 'content', data: { content } })}\n\n`;
const END = `data: ${JSON.stringify({ type: 'session_end', data: { status: 'completed' } })}\n\n`;

const box = (page: Page, selector: string): Promise<readonly number[]> =>
  page.locator(selector).evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
  });

/** The panel follows the visual viewport in one of the next frames. */
async function panelReaches(page: Page, expected: readonly number[]): Promise<void> {
  const panel = 'agent-chat [part="panel"]';
  const until = Date.now() + MAX_WAIT_MS;
  let place = await box(page, panel);
  while (String(place) !== String(expected) && Date.now() < until) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    place = await box(page, panel);
  }
  assert.deepEqual(place, expected);
}

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open chat' }).tap();
  await page.locator('agent-chat dialog.sheet[open]').waitFor();
  await page.locator('agent-chat dialog.sheet').evaluate(async (sheet) => {
    await Promise.all(sheet.getAnimations().map(({ finished }) => finished));
  });
}

describe('on a phone', () => {
  let site: Site;
  let replies: ServerResponse[] = [];
  let heard: () => void = () => undefined;
  before(async () => {
    site = await openSite({
      keepsPages: true,
      pages: { '/': WIDGET, '/elsewhere': '<h1>Elsewhere</h1>' },
      agent: async (request, response) => {
        if (!request.url?.startsWith('/agent')) return false;
        for await (const _ of request); // the request is read to its end
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(contentEvent('The first half'));
        replies.push(response);
        heard();
        return true;
      },
    });
  });
  after(async () => {
    for (const reply of replies) reply.destroy();
    replies = [];
    await site.close();
  });

  /** Sends, and resolves with the reply when its first half is visible. */
  async function sendMessage(page: Page): Promise<ServerResponse | undefined> {
    const asked = new Promise<void>((resolve) => (heard = resolve));
    await page.evaluate(() => void document.querySelector('agent-chat')?.send('Hi'));
    await asked;
    await page.locator('agent-chat p[dir]', { hasText: 'The first half' }).waitFor();
    return replies.at(-1);
  }

  it('the panel fills the window without opening the keyboard; the page behind it does not move', async () => {
    const page = await site.visit('/', PHONE);
    await page.evaluate(() => {
      scrollTo(0, 500);
    });
    await open(page);
    await panelReaches(page, [0, 0, 390, 844]);
    const focus = await page.evaluate(() => document.querySelector('agent-chat')?.shadowRoot?.activeElement?.localName);
    assert.equal(focus, 'agent-chat-message-list');
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY), 'hidden');
    await page.getByRole('button', { name: 'Close chat' }).last().tap();
    await page.waitForFunction(() => getComputedStyle(document.documentElement).overflowY !== 'hidden');
    assert.equal(await page.evaluate(() => scrollY), 500);
    await releaseContext(page);
  });

  it('inputs have a font size of at least 16 px: smaller ones make iOS zoom in', async () => {
    const page = await site.visit('/', PHONE);
    await open(page);
    const size = await page.locator('agent-chat [part="input"]').evaluate((input) => getComputedStyle(input).fontSize);
    assert.ok(parseFloat(size) >= 16, size);
    assert.equal(await page.locator('agent-chat [part="input"]').getAttribute('enterkeyhint'), 'enter');
    await releaseContext(page);
  });

  it('the keyboard covers neither the composer nor the header', async () => {
    const page = await site.visit('/', PHONE);
    await open(page);
    // A desktop browser has no such keyboard: the test reports a smaller visual viewport.
    await page.evaluate(() => {
      const view = visualViewport;
      if (!view) throw new Error('This browser has no visual viewport.');
      Object.defineProperties(view, {
        height: { value: 500, configurable: true },
        offsetTop: { value: 40, configurable: true },
      });
      view.dispatchEvent(new Event('resize'));
    });
    await panelReaches(page, [0, 40, 390, 540]);
    const [, , , end = 0] = await box(page, 'agent-chat [part="composer"]');
    assert.ok(end <= 540);
    await page.evaluate(() => {
      const view = visualViewport;
      for (const name of ['height', 'offsetTop']) if (view) Reflect.deleteProperty(view, name);
      view?.dispatchEvent(new Event('resize'));
    });
    await panelReaches(page, [0, 0, 390, 844]);
    await releaseContext(page);
  });

  it('the back button closes the panel, and stays on the page', async () => {
    const page = await site.visit('/', PHONE);
    await open(page);
    // Android's back button sends a modal dialog a close request.
    await page.locator('agent-chat dialog.sheet').evaluate((sheet: HTMLDialogElement) => {
      sheet.requestClose();
    });
    await page.waitForFunction(() => document.querySelector('agent-chat')?.open === false);
    await page.getByRole('button', { name: 'Open chat' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
    await releaseContext(page);
  });

  it('has the menu of the conversation as soon as there is one', async () => {
    const page = await site.visit('/', PHONE);
    await open(page);
    const more = page.locator('agent-chat .header').getByRole('button', { name: 'More' });
    // Without messages, on a screen without keyboard, it would have nothing but a list of keys.
    assert.equal(await more.count(), 0);
    await sendMessage(page);
    await more.tap();
    for (const name of ['Copy conversation', 'Download as Markdown'])
      await page.getByRole('menuitem', { name }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).count(), 0);
    await releaseContext(page);
  });

  it('an answer continues while the user is in another app, and is complete when they return', async () => {
    const page = await site.visit('/', PHONE);
    await open(page);
    const reply = await sendMessage(page);
    const session = await page.context().newCDPSession(page);
    await freeze(session, page, 'frozen');
    reply?.write(contentEvent(' and the second'));
    reply?.end(END);
    await freeze(session, page, 'active');
    await page.locator('agent-chat p[dir]', { hasText: 'The first half and the second' }).waitFor();
    await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
    assert.equal(await page.evaluate(() => document.querySelector('agent-chat')?.messages.at(-1)?.status), 'complete');
    await releaseContext(page);
  });

  it('returning to a page that was left in mid-answer shows the received text, and no spinner', async () => {
    const page = await site.visit('/', PHONE);
    await open(page);
    const reply = await sendMessage(page);
    await page.evaluate(() => {
      document.querySelector('a')?.click();
    });
    await page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
    // The browser may restore the page or load it again: both have the same result.
    await page.evaluate(() => {
      history.back();
    });
    await page.waitForURL('**/', { waitUntil: 'commit' });
    reply?.destroy();
    await page.locator('agent-chat p[dir]', { hasText: 'The first half' }).waitFor();
    await page.waitForFunction(() => {
      const chat = document.querySelector('agent-chat');
      return chat?.open === true && chat.messages.at(-1)?.status === 'interrupted';
    });
    assert.equal(await page.locator('agent-chat dialog.sheet').evaluate((sheet) => sheet.matches(':modal')), true);
    await releaseContext(page);
  });
});

const freeze = async (session: CDPSession, page: Page, state: 'frozen' | 'active'): Promise<void> => {
  await session.send('Page.setWebLifecycleState', { state });
  if (state === 'active') await page.evaluate(() => document.visibilityState);
};
