import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Rules that axe leaves to be asked for, besides all that it has by itself, good practice included. */
const MORE = ['target-size', 'label-content-name-mismatch', 'css-orientation-lock', 'td-has-header'];

/** What axe finds, a line for each place. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: axePath });
  return page.evaluate(async (more) => {
    const { axe } = globalThis as unknown as {
      readonly axe: { run(root: Document, options: RunOptions): Promise<AxeResults> };
    };
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      // Sheets and media of other hosts are none of ours, and asked for before every run.
      preload: false,
      rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any, all, none }) => {
        const why = [...any, ...all, ...none].map(({ message }) => message).join(' ');
        return `${id} ${JSON.stringify(target)} ${why}`;
      }),
    );
  }, MORE);
}
