/** The scenes of the gallery, small and large, light and dark, in both directions: what a reader would call broken. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { scenes } from '../../demo/scenes/scenes.ts';
import { showScene } from '../../demo/scenes/show-scene.ts';
import { layoutProblems } from './support/layout.ts';
import { openSite, type Site } from './support/site.ts';
import { turnPage } from './support/turn-page.ts';

const WIDTHS = [1280, 768, 360] as const;
/** A window of 1,280 px at 400 %. WCAG 2.2, 1.4.10: reflow. */
const ZOOMED = 320;
/** What a reader may set for all text. WCAG 2.2, 1.4.12: text spacing. */
const SPACED =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }';
const SCHEMES = ['light', 'dark'] as const;
const DIRECTIONS = ['ltr', 'rtl'] as const;
const HEIGHT = 800;

describe('the layout', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<style>body { margin: 0 } agent-chat { block-size: 100dvh }</style><agent-chat></agent-chat>',
      },
    });
  });
  after(() => site.close());

  for (const scene of scenes) {
    it(scene.title, async () => {
      const page = await site.visit('/', { viewport: { width: WIDTHS[0], height: HEIGHT }, reducedMotion: 'reduce' });
      await page.evaluate(showScene, scene);
      const found: string[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        for (const dir of DIRECTIONS) {
          for (const scheme of SCHEMES) {
            await turnPage(page, { dir, scheme });
            const problems = await page.evaluate(layoutProblems);
            found.push(...problems.map((problem) => `${String(width)} ${dir} ${scheme}: ${problem}`));
          }
        }
      }
      await page.setViewportSize({ width: ZOOMED, height: HEIGHT });
      await turnPage(page, { dir: 'ltr', scheme: 'light' });
      found.push(...(await page.evaluate(layoutProblems)).map((problem) => `zoomed: ${problem}`));
      await page.setViewportSize({ width: WIDTHS[1], height: HEIGHT });
      await turnPage(page, { dir: 'ltr', scheme: 'light' });
      await page.evaluate((rules) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(rules);
        document.querySelector('agent-chat')?.shadowRoot?.adoptedStyleSheets.push(sheet);
      }, SPACED);
      found.push(...(await page.evaluate(layoutProblems)).map((problem) => `spaced: ${problem}`));
      assert.deepEqual(found, []);
      await page.context().close();
    });
  }
});
