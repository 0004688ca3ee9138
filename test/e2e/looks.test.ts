/**
 * The scenes of the gallery in every look: visible faults, and what axe-core finds.
 *
 * - The layout in three widths, both directions and both schemes, at 400 %, and with a user's own spacing.
 * - Forced colours.
 * - axe-core and the layout in every theme. Languages, modes, schemes and widths go round with them, so that each language and each
 *   mode meets each theme, and nothing is shown twice.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { Scene } from '../../demo/scenes/scene.ts';
import { scenes } from '../../demo/scenes/scenes.ts';
import { showScene } from '../../demo/scenes/show-scene.ts';
import { locales } from '../../src/locales/registry.ts';
import { THEMES } from '../../src/theme/themes.ts';
import { problemsOf } from './support/axe.ts';
import { forcedColorsProblems } from './support/forced-colors.ts';
import { layoutProblems } from './support/layout.ts';
import { openSite, type Site } from './support/site.ts';
import { changePage } from './support/turn-page.ts';

const HEIGHT = 800;
const WIDTHS = [1280, 768, 360] as const;
/** A window of 1,280 px at 400 %. WCAG 2.2, 1.4.10: reflow. */
const ZOOMED = 320;
/** Text spacing that a user may set. WCAG 2.2, 1.4.12: text spacing. */
const SPACED =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }';
const SCHEMES = ['light', 'dark'] as const;
const DIRECTIONS = ['ltr', 'rtl'] as const;
const LOCALES = ['en', ...locales.list().filter((name) => name !== 'en')];
const MODES = ['inline', 'floating', 'sidebar', 'fullscreen'];
/** The default theme is tested twice: light and dark. */
const LOOKS = [...THEMES, ''] as const;

describe('all themes and languages', () => {
  let site: Site;
  let page: Page;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<style>body { margin: 0 } h1 { margin: 0; font-size: 1rem; line-height: 2rem } agent-chat { block-size: calc(100dvh - 2rem) }</style><main><h1>A page</h1><agent-chat></agent-chat></main>',
      },
    });
    // One page for all: opening it takes longer than most tests.
    page = await site.open({ reducedMotion: 'reduce' });
    // A reply that a scene leaves open would be restored in the next one.
    await page.addInitScript('globalThis.__name = (named) => named; sessionStorage.clear();');
  });
  after(() => site.close());

  async function show(scene: Scene): Promise<void> {
    await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
    await page.goto(site.origin);
    await page.evaluate(showScene, scene);
  }
  const laidOut = (): Promise<readonly string[]> => page.evaluate(layoutProblems);

  it('are in twelve languages', () => {
    assert.equal(LOCALES.length, 12);
  });

  for (const [index, scene] of scenes.entries()) {
    it(`${scene.title}: no layout fault, a border in forced colours, and nothing that axe finds`, async () => {
      await show(scene);
      const found: string[] = [];
      const add = (prefix: string, problems: readonly string[]) =>
        found.push(...problems.map((problem) => `${prefix}: ${problem}`));
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        for (const dir of DIRECTIONS) {
          for (const scheme of SCHEMES) {
            await changePage(page, { dir, scheme });
            add(`${String(width)} ${dir} ${scheme}`, await laidOut());
          }
        }
      }
      await page.setViewportSize({ width: ZOOMED, height: HEIGHT });
      await changePage(page, { dir: 'ltr', scheme: 'light' });
      add('zoomed', await laidOut());
      await page.setViewportSize({ width: WIDTHS[1], height: HEIGHT });
      await changePage(page, { dir: 'ltr', scheme: 'light' });
      add('forced colours', await forcedColorsProblems(page));
      await page.evaluate(addRules, SPACED);
      // The transcript follows its end in the next frame.
      await changePage(page, { dir: 'ltr', scheme: 'light' });
      add('spaced', await laidOut());
      await page.evaluate(takeRulesAway);

      // A scene without a mode of its own is shown in one of them.
      const panel = scene.settings?.['mode'] ? {} : { mode: MODES[index % MODES.length], open: true };
      for (const [turn, theme] of LOOKS.entries()) {
        const locale = LOCALES[(index * THEMES.length + turn) % LOCALES.length] ?? 'en';
        const width = WIDTHS[(index + turn) % WIDTHS.length] ?? WIDTHS[0];
        const scheme = (index + turn) % 2 === 0 ? 'light' : 'dark';
        await page.setViewportSize({ width, height: HEIGHT });
        await page.evaluate(setLook, { ...panel, theme, locale });
        await page.locator('agent-chat:not(:state(undressed))').waitFor({ state: 'attached' });
        await changePage(page, { dir: locale === 'ar' ? 'rtl' : 'ltr', scheme });
        const look = `${theme || 'house'} ${locale} ${scheme} ${String(width)}`;
        add(look, await problemsOf(page));
        add(look, await laidOut());
      }
      assert.deepEqual(found, []);
    });
  }
});

/** Adds a user's stylesheet, after all others. */
function addRules(rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.querySelector('agent-chat')?.shadowRoot?.adoptedStyleSheets.push(sheet);
}

/** Removes it again, and scrolls to the end, from where such rules have moved the transcript. */
function takeRulesAway(): void {
  const root = document.querySelector('agent-chat')?.shadowRoot;
  root?.adoptedStyleSheets.pop();
  const transcript = root?.querySelector('[part="transcript"]');
  if (transcript) transcript.scrollTop = transcript.scrollHeight;
}

/** Resolves when the settings are visible: themes and languages are fetched. */
async function setLook(look: Readonly<Record<string, unknown>>): Promise<void> {
  const chat = document.querySelector('agent-chat');
  Object.assign(chat ?? {}, look);
  const spoken = chat?.shadowRoot?.querySelector('.chat');
  while (spoken?.getAttribute('lang') !== look['locale']) await new Promise(requestAnimationFrame);
}
