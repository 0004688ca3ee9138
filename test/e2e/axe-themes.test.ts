/** axe-core over the ready themes: what differs most between them, light and dark, from right to left, small. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { scenes } from '../../demo/scenes/scenes.ts';
import { showScene } from '../../demo/scenes/show-scene.ts';
import { THEMES } from '../../src/theme/themes.ts';
import { problemsOf } from './support/axe.ts';
import { layoutProblems } from './support/layout.ts';
import { openSite, type Site } from './support/site.ts';
import { turnPage } from './support/turn-page.ts';

const SHOWN = ['every-block-open', 'asking', 'writing', 'empty'];
const LOOKS = [
  { scheme: 'light', dir: 'ltr', width: 768 },
  { scheme: 'dark', dir: 'rtl', width: 360 },
] as const;

describe('the ready themes', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<style>body { margin: 0 } h1 { margin: 0; font-size: 1rem; line-height: 2rem } agent-chat { block-size: calc(100dvh - 2rem) }</style><main><h1>A page</h1></main><agent-chat></agent-chat>',
      },
    });
  });
  after(() => site.close());

  for (const theme of THEMES.filter((name) => name !== '')) {
    it(`${theme}: nothing that axe finds, nothing out of place`, async () => {
      const found: string[] = [];
      for (const scene of scenes.filter(({ name }) => SHOWN.includes(name))) {
        const page = await site.visit('/', { reducedMotion: 'reduce' });
        await page.evaluate(showScene, { ...scene, settings: { ...scene.settings, theme } });
        await page.locator('agent-chat:not(:state(undressed))').waitFor();
        for (const { scheme, dir, width } of LOOKS) {
          await page.setViewportSize({ width, height: 900 });
          await turnPage(page, { dir, scheme });
          const problems = [...(await problemsOf(page)), ...(await page.evaluate(layoutProblems))];
          found.push(...problems.map((problem) => `${scene.name} ${scheme} ${dir} ${String(width)}: ${problem}`));
        }
        await page.context().close();
      }
      assert.deepEqual(found, []);
    });
  }
});
