/**
 * axe-core and the layout over all scenes of the gallery, each in every theme. Languages, modes, schemes and widths go round with
 * them, so that each language and each mode meets each theme, and nothing is shown twice.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { scenes } from '../../demo/scenes/scenes.ts';
import { showScene } from '../../demo/scenes/show-scene.ts';
import { locales } from '../../src/locales/registry.ts';
import { THEMES } from '../../src/theme/themes.ts';
import { problemsOf } from './support/axe.ts';
import { layoutProblems } from './support/layout.ts';
import { openSite, type Site } from './support/site.ts';
import { turnPage } from './support/turn-page.ts';

const LOCALES = ['en', ...locales.list().filter((name) => name !== 'en')];
const MODES = ['inline', 'floating', 'sidebar', 'fullscreen'];
const WIDTHS = [1280, 360, 768];

describe('all looks', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<style>body { margin: 0 } h1 { margin: 0; font-size: 1rem; line-height: 2rem } agent-chat { block-size: calc(100dvh - 2rem) }</style><main><h1>A page</h1><agent-chat></agent-chat></main>',
      },
    });
  });
  after(() => site.close());

  it('are in twelve languages', () => {
    assert.equal(LOCALES.length, 12);
  });

  for (const [index, scene] of scenes.entries()) {
    it(`${scene.title}: nothing that axe finds, nothing out of place`, async () => {
      const found: string[] = [];
      const page = await site.visit('/', { reducedMotion: 'reduce' });
      // A scene that has no mode of its own is shown in one of them.
      const place = scene.settings?.['mode'] ? {} : { mode: MODES[index % MODES.length], open: true };
      await page.evaluate(showScene, { ...scene, settings: { ...place, ...scene.settings } });
      for (const [turn, theme] of THEMES.entries()) {
        const locale = LOCALES[(index * THEMES.length + turn) % LOCALES.length] ?? 'en';
        const width = WIDTHS[(index + turn) % WIDTHS.length] ?? 1280;
        const scheme = (index + turn) % 2 === 0 ? 'light' : 'dark';
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(
          async (look) => {
            const chat = document.querySelector('agent-chat');
            Object.assign(chat ?? {}, look);
            const spoken = chat?.shadowRoot?.querySelector('.chat');
            // Both are fetched.
            while (spoken?.getAttribute('lang') !== look.locale) await new Promise(requestAnimationFrame);
          },
          { theme, locale },
        );
        await page.locator('agent-chat:not(:state(undressed))').waitFor({ state: 'attached' });
        await turnPage(page, { dir: locale === 'ar' ? 'rtl' : 'ltr', scheme });
        const layout = await page.evaluate(layoutProblems);
        const problems = [...(await problemsOf(page)), ...layout];
        found.push(
          ...problems.map((problem) => `${theme || 'house'} ${locale} ${scheme} ${String(width)}: ${problem}`),
        );
      }
      await page.context().close();
      assert.deepEqual(found, []);
    });
  }
});
