/** The main flows by touch on a phone, by keyboard only, and on a machine that is four times slower. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { flowAgent, flows, WIDGET, type Hand } from './support/flows.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

interface Way {
  readonly name: string;
  readonly options?: BrowserContextOptions;
  prepare?(page: Page): Promise<void>;
  hand(page: Page): Hand;
}

/** The focused element, in any nested shadow root. */
const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element);

/** Presses Tab until the element has the focus, then Enter: forwards from the current focus, then from the start. */
async function tabAndPress(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await hasFocus(control)) {
      if (!(await control.evaluate((element) => element.matches('textarea')))) await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Shift+Tab');
  }
  throw new Error(`Tab does not reach ${String(control)}.`);
}

const ways: readonly Way[] = [
  {
    name: 'by touch on a phone',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    hand: () => ({ press: (control) => control.tap() }),
  },
  {
    name: 'by keyboard only',
    hand: (page) => ({ press: (control) => tabAndPress(page, control) }),
  },
  {
    name: 'on a machine that is four times slower',
    async prepare(page) {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    },
    hand: () => ({ press: (control) => control.click() }),
  },
];

for (const { name, options, prepare, hand } of ways) {
  describe(name, () => {
    const agent = flowAgent();
    let site: Site;
    before(async () => {
      site = await openSite({ pages: { '/': WIDGET }, agent: agent.handler });
    });
    after(async () => {
      agent.close();
      await site.close();
    });

    for (const flow of flows) {
      it(flow.name, async () => {
        const page = await site.visit('/', options);
        await prepare?.(page);
        const own = hand(page);
        await own.press(page.getByRole('button', { name: 'Open chat' }));
        await page.getByRole('textbox', { name: 'Message' }).waitFor();
        await flow.run(page, own);
        assert.ok(await page.getByRole('textbox', { name: 'Message' }).isVisible());
        await releaseContext(page);
      });
    }
  });
}
