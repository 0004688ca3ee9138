import type { Page } from 'playwright-core';

export interface Look {
  readonly dir: 'ltr' | 'rtl';
  readonly scheme: 'light' | 'dark';
}

/**
 * Changes the page around a widget, and waits until parts that render by their own size, such as a chart, are rendered
 * too.
 */
export const changePage = (page: Page, appearance: Look): Promise<void> =>
  page.evaluate(async ({ dir, scheme }) => {
    document.documentElement.dir = dir;
    document.documentElement.style.colorScheme = scheme;
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  }, appearance);
