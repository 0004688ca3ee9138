import type { Page } from 'playwright-core';

export interface Look {
  readonly dir: 'ltr' | 'rtl';
  readonly scheme: 'light' | 'dark';
}

/**
 * Changes the page around a widget, and waits until parts that render by their own size, such as a chart, are rendered
 * too, and until the transcript has followed its end.
 */
export const changePage = (page: Page, appearance: Look): Promise<void> =>
  page.evaluate(async ({ dir, scheme }) => {
    document.documentElement.dir = dir;
    document.documentElement.style.colorScheme = scheme;
    await new Promise(requestAnimationFrame);
    const transcript = document.querySelector('agent-chat')?.shadowRoot?.querySelector('[part="transcript"]');
    let before = '';
    // At most a second: then the test says what is wrong.
    for (let frame = 0; frame < 60; frame++) {
      await new Promise(requestAnimationFrame);
      const now = [transcript?.scrollTop, transcript?.scrollHeight, transcript?.clientHeight].join();
      if (now === before) return;
      before = now;
    }
  }, appearance);
