/** Faults of the network, the tab, the machine or the page, and the widget's automatic reactions. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { END, FLOOD, HALF } from './support/fault-server.ts';
import {
  chatOf,
  errorBlock,
  lastText,
  openFaultSite,
  openPage,
  retryButton,
  send,
  sendOff,
  status,
  takeErrors,
  transcript,
  type FaultSite,
} from './support/fault-page.ts';
import { releaseContext } from './support/site.ts';

/**
 * Stops the page's process, like a closed laptop: only its clock continues. (`Page.setWebLifecycleState` does nothing
 * to a page that the driver keeps visible.) @returns a function that resumes it
 */
async function fallAsleep(page: Page): Promise<() => void> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  assert.notEqual(pages.length, 0);
  for (const { id } of pages) process.kill(id, 'SIGSTOP');
  return () => {
    for (const { id } of pages) process.kill(id, 'SIGCONT');
  };
}

describe('faults around an agent', () => {
  let at: FaultSite;
  before(async () => {
    at = await openFaultSite();
  });
  after(async () => {
    await at.close();
  });

  async function withPage(path: string, work: (page: Page) => Promise<void>): Promise<void> {
    at.server.fault = 'none';
    const page = await openPage(at, path);
    at.server.takeCount();
    await work(page);
    await releaseContext(page);
  }

  for (const visited of ['used before', 'never used'] as const) {
    it(`offline, in a widget ${visited}: the message waits, and is sent once`, () =>
      withPage('/', async (page) => {
        if (visited === 'used before') await send(page);
        at.server.takeCount();
        await page.context().setOffline(true);
        await sendOff(page);
        await transcript(page)
          .getByText('You are offline. Your message will be sent when you are connected.')
          .waitFor();
        assert.deepEqual([await status(page), at.server.takeCount()], ['reconnecting', 0]);
        await page.context().setOffline(false);
        await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
        await transcript(page).getByText('All is well.').last().waitFor();
        assert.deepEqual([at.server.takeCount(), await takeErrors(page)], [1, []]);
        // No other message is left that could be sent.
        await page.context().setOffline(true);
        await page.context().setOffline(false);
        assert.equal(await send(page), 'complete');
        assert.equal(at.server.takeCount(), 1);
      }));
  }

  it('offline, the user can withdraw the message', () =>
    withPage('/', async (page) => {
      await send(page);
      at.server.takeCount();
      await page.context().setOffline(true);
      await sendOff(page);
      await chatOf(page).getByRole('button', { name: 'Cancel' }).click();
      await page.context().setOffline(false);
      assert.deepEqual([await status(page), at.server.takeCount()], ['idle', 0]);
      assert.equal(await send(page), 'complete');
    }));

  it('a connection that is lost in mid-answer interrupts it, and the received text stays', () =>
    withPage('/', async (page) => {
      at.server.fault = 'stalls';
      await sendOff(page);
      await transcript(page).getByText(HALF).waitFor();
      // The emulation only refuses new connections: the open one is cut here.
      await page.context().setOffline(true);
      at.server.breakOff();
      await errorBlock(page).getByText('The connection to the agent was lost.').waitFor();
      assert.equal(await lastText(page), HALF);
      await page.context().setOffline(false);
      at.server.fault = 'none';
      await retryButton(page).click();
      await transcript(page).getByText('All is well.').waitFor();
    }));

  const nights = [
    { name: 'the answer continued meanwhile, and is complete', rest: 'end', ends: 'complete' },
    { name: 'the connection was cut meanwhile, which is reported', rest: 'drop', ends: 'interrupted' },
    { name: 'the agent sends the rest afterwards', rest: 'later', ends: 'complete' },
  ] as const;
  for (const { name, rest, ends } of nights) {
    it(`a closed laptop: ${name}`, () =>
      withPage('/', async (page) => {
        await page.evaluate(
          (limits) => {
            Object.assign(document.querySelector('agent-chat') ?? {}, { limits });
          },
          { idle: 2000, firstByte: 2000 },
        );
        at.server.fault = 'stalls';
        await sendOff(page);
        await transcript(page).getByText(HALF).waitFor();
        const wake = await fallAsleep(page);
        if (rest === 'end') at.server.goOn(END);
        if (rest === 'drop') at.server.breakOff();
        // Only real time helps: longer than the idle limit, and than a timer may be late.
        await new Promise((resolve) => setTimeout(resolve, 4000));
        wake();
        if (rest === 'later') at.server.goOn(END);
        await page.waitForFunction(() =>
          ['idle', 'error'].includes(document.querySelector('agent-chat')?.status ?? ''),
        );
        const message = await page.evaluate(() => document.querySelector('agent-chat')?.messages.at(-1)?.status);
        assert.deepEqual([message, await lastText(page)], [ends, HALF]);
        if (ends === 'interrupted') await retryButton(page).waitFor();
        else assert.equal(await retryButton(page).count(), 0);
        at.server.fault = 'none';
        assert.equal(await send(page), 'complete');
      }));
  }

  it('a hidden tab: the answer is received, and rendered when the tab is visible again', () =>
    withPage('/', async (page) => {
      await send(page);
      await transcript(page).getByText('All is well.').waitFor();
      // As a browser treats a hidden tab: no frames, once those of the first reply have ended.
      await page.evaluate(async () => {
        for (let frames = 0; frames < 10; frames++) await new Promise(requestAnimationFrame);
        const waiting: FrameRequestCallback[] = [];
        Object.assign(globalThis, { waiting, request: globalThis.requestAnimationFrame });
        Reflect.set(globalThis, 'requestAnimationFrame', (callback: FrameRequestCallback) => waiting.push(callback));
      });
      at.server.fault = 'broken frames';
      assert.equal(await send(page), 'complete');
      assert.equal(await lastText(page), `${HALF} and the rest.`);
      assert.equal(await transcript(page).getByText(HALF).count(), 0);
      await page.evaluate(() => {
        const { waiting, request } = globalThis as unknown as {
          readonly waiting: readonly FrameRequestCallback[];
          readonly request: typeof requestAnimationFrame;
        };
        Object.assign(globalThis, { requestAnimationFrame: request });
        for (const callback of waiting) request(callback);
      });
      await transcript(page).getByText(`${HALF} and the rest.`).waitFor();
    }));

  it('a page that is reloaded in mid-answer aborts it, and the next one works', () =>
    withPage('/', async (page) => {
      at.server.fault = 'stalls';
      await sendOff(page);
      await transcript(page).getByText(HALF).waitFor();
      const left = at.server.leftAlone();
      await page.reload();
      await left;
      assert.equal(at.server.takeCount(), 1, 'nothing is sent by itself');
      at.server.fault = 'none';
      assert.equal(await send(page), 'complete');
    }));

  it('a host that does not allow this page is named', () =>
    withPage('/foreign', async (page) => {
      assert.equal(await send(page), 'error');
      const asked = new URL((await page.locator('agent-chat').getAttribute('endpoint')) ?? '').host;
      await errorBlock(page).getByText(`${asked} can’t be reached, or does not allow this page to use it.`).waitFor();
      assert.deepEqual(await takeErrors(page), [{ kind: 'network', retryable: true }]);
      assert.equal(await retryButton(page).count(), 1);
    }));

  it('a token that was renewed after a 401 is sent once', () =>
    withPage('/', async (page) => {
      await page.evaluate(() => {
        const tokens = ['old', 'new', 'none'];
        const chat = document.querySelector('agent-chat');
        if (chat) chat.headers = () => ({ authorization: `Bearer ${tokens.shift() ?? 'none'}` });
      });
      at.server.fault = '401 until the token is new';
      assert.equal(await send(page), 'complete');
      assert.deepEqual([at.server.takeCount(), await takeErrors(page)], [2, []]);
      assert.equal(await send(page), 'error');
      // It has no other token by then.
      assert.equal(at.server.takeCount(), 1);
    }));

  it('a 429 with Retry-After shows a countdown, and the user can retry earlier', () =>
    withPage('/', async (page) => {
      at.server.fault = '429 for half a minute';
      await sendOff(page);
      const chat = chatOf(page);
      await chat.getByText('Too many requests. Wait a moment.').waitFor();
      assert.equal(await status(page), 'reconnecting');
      assert.match(await chat.locator('agent-chat-elapsed').innerText(), /\b(?:30|29|28)\b/);
      at.server.fault = 'none';
      await chat.getByRole('button', { name: 'Try now' }).click();
      await transcript(page).getByText('All is well.').waitFor();
      assert.deepEqual([at.server.takeCount(), await takeErrors(page)], [2, []]);
    }));

  it('the server’s error message is shown, as text', () =>
    withPage('/', async (page) => {
      at.server.fault = '500';
      await send(page);
      await errorBlock(page).getByText('The <b>queue</b> is full.').waitFor();
    }));

  it('a flood is received to its last word', () =>
    withPage('/', async (page) => {
      at.server.fault = 'flood';
      assert.equal(await send(page), 'complete');
      const expected = Array.from({ length: FLOOD }, (_, index) => `${String(index)} `).join('');
      assert.equal(await lastText(page), expected);
      await transcript(page)
        .getByText(String(FLOOD - 1))
        .first()
        .waitFor();
    }));
});
