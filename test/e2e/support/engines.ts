/** The engines besides Chromium, for tests that run in the page itself. */
import { firefox } from 'playwright-core';
import { findBrowser, type Engine } from '../../../scripts/find-browser.ts';
import { openWebkit } from '../../../scripts/webkit.ts';

/** Runs the body of a function in a page, in a browser with an empty profile. */
export type Run = (url: string, body: string) => Promise<unknown>;

export const engines: Readonly<
  Record<Exclude<Engine, 'chromium'>, () => Promise<{ run: Run; close(): Promise<void> }>>
> = {
  async firefox() {
    const browser = await firefox.launch({ executablePath: findBrowser('firefox'), channel: 'moz-firefox' });
    return {
      async run(url, body) {
        const page = await browser.newPage();
        await page.goto(url);
        const seen = await page.evaluate(`(() => { ${body} })()`);
        await page.context().close();
        return seen;
      },
      close: () => browser.close(),
    };
  },
  async webkit() {
    const browser = await openWebkit(findBrowser('webkit'));
    return {
      async run(url, body) {
        await browser.go(url);
        await browser.loaded(url);
        return browser.run(body);
      },
      close: () => browser.close(),
    };
  },
};
