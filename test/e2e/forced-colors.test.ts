/** Forced colours, where backgrounds and shadows are gone: what was told by them is told by a line. All scenes of the gallery. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { scenes } from '../../demo/scenes/scenes.ts';
import { showScene } from '../../demo/scenes/show-scene.ts';
import { openSite, type Site } from './support/site.ts';

/** What stands apart from what is around it; what fills a panel, or another card, has the edges of that. */
const BOXES = [
  '.launcher',
  '.composer',
  '.bubble',
  '.card:not(.side-body *, .card *, .artifact *)',
  '.code-block',
  '.starter',
  '.chip',
  '.send',
  '.button',
];
/** (The line at which a panel is made wider is drawn in the colour of what is chosen, which no style of the element tells.) */
const CONTROLS =
  'button:enabled, input:enabled, textarea:enabled, select:enabled, a[href], summary, [tabindex="0"]:not(.separator)';
const CHOSEN = '[aria-pressed="true"], [aria-selected="true"], [aria-current]:not([aria-current="false"])';

/** Runs in the page. A line for each thing that could not be told from others. */
function problemsIn({ boxes, controls, chosen }: { boxes: readonly string[]; controls: string; chosen: string }) {
  const root = document.querySelector('agent-chat')?.shadowRoot;
  if (!root) return ['There is no widget.'];
  const seen = (selector: string): readonly HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>(selector)].filter((one) =>
      one.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
  const hasOutline = (one: Element, least = 1): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= least;
  };
  const hasBorder = (one: Element, least = 1): boolean => {
    const { borderBlockEndStyle, borderBlockEndWidth, borderInlineStartStyle, borderInlineStartWidth } =
      getComputedStyle(one);
    const sides = [
      [borderBlockEndStyle, borderBlockEndWidth],
      [borderInlineStartStyle, borderInlineStartWidth],
    ] as const;
    return sides.some(([style, width]) => style !== 'none' && parseFloat(width) >= least);
  };
  const nameOf = (one: Element): string =>
    `${one.localName}.${one.className} "${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 30)}"`;
  const around = (one: Element): readonly Element[] => {
    const chain = [one];
    for (let up = one.parentElement; up && chain.length < 4; up = up.parentElement) chain.push(up);
    return chain;
  };

  const problems: string[] = [];
  for (const box of seen(boxes.join()))
    if (!hasBorder(box) && !hasOutline(box)) problems.push(`no edge: ${nameOf(box)}`);
  for (const one of seen(chosen)) {
    const { fontWeight } = getComputedStyle(one);
    const told = hasBorder(one) || hasOutline(one) || Number(fontWeight) >= 600 || one.querySelector('svg') !== null;
    if (!told) problems.push(`not seen to be chosen: ${nameOf(one)}`);
  }
  for (const control of seen(controls)) {
    control.focus({ preventScroll: true });
    if (root.activeElement !== control) continue;
    if (!around(control).some((one) => hasOutline(one, 2) || hasBorder(one, 2)))
      problems.push(`no ring: ${nameOf(control)}`);
  }
  return [...new Set(problems)];
}

describe('forced colours', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<button>Before</button><agent-chat></agent-chat>' } });
  });
  after(() => site.close());

  it('edges, rings and what is chosen are lines', async () => {
    const found: string[] = [];
    const page = await site.open({ reducedMotion: 'reduce', forcedColors: 'active' });
    await page.addInitScript('globalThis.__name = (named) => named');
    for (const scene of scenes) {
      await page.goto(site.origin);
      await page.evaluate(showScene, scene);
      // What is focused by a script looks as by the keyboard once that has been used.
      await page.keyboard.press('Tab');
      const problems = await page.evaluate(problemsIn, { boxes: BOXES, controls: CONTROLS, chosen: CHOSEN });
      found.push(...problems.map((problem) => `${scene.title}: ${problem}`));
    }
    await page.context().close();
    assert.deepEqual(found, []);
  });
});
