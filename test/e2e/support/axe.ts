import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Rules of axe that must be switched on, besides the default ones, including best practices. */
const MORE = ['target-size', 'label-content-name-mismatch', 'css-orientation-lock', 'td-has-header'];

/** The violations that axe finds, a line for each element. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: axePath });
  return page.evaluate(async (more) => {
    const { axe } = globalThis as unknown as {
      readonly axe: { run(root: Document, options: RunOptions): Promise<AxeResults> };
    };
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      // Stylesheets and media of other hosts are irrelevant, and requested before every run.
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
