import type { Page } from 'playwright-core';

export interface Look {
  readonly dir: 'ltr' | 'rtl';
  readonly scheme: 'light' | 'dark';
}

/** Turns the page around a widget, and waits until what is drawn by its own size, such as a chart, is drawn too. */
export const turnPage = (page: Page, look: Look): Promise<void> =>
  page.evaluate(async ({ dir, scheme }) => {
    document.documentElement.dir = dir;
    document.documentElement.style.colorScheme = scheme;
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  }, look);
