/**
 * Forced colours remove backgrounds and shadows: what they separate needs a border. The page needs `__name`, which tsx
 * calls in functions that run in the page.
 */
import type { Page } from 'playwright-core';

/**
 * Elements that stand out from their surroundings; an element that fills a panel or another card has the edges of that.
 */
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
/** (The line at which a panel is resized has the colour of selected text, which no style of the element reveals.) */
const CONTROLS =
  'button:enabled, input:enabled, textarea:enabled, select:enabled, a[href], summary, [tabindex="0"]:not(.separator)';
const CHOSEN = '[aria-pressed="true"], [aria-selected="true"], [aria-current]:not([aria-current="false"])';

interface Told {
  readonly boxes: readonly string[];
  readonly controls: string;
  readonly chosen: string;
}

/** A line for each element that has no visible border. */
function problemsIn({ boxes, controls, chosen }: Told): readonly string[] {
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

/** The faults in forced colours, after keyboard use: focus that a script sets looks like keyboard focus then. */
export async function forcedColorsProblems(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.keyboard.press('Tab');
  const problems = await page.evaluate(problemsIn, { boxes: BOXES, controls: CONTROLS, chosen: CHOSEN });
  await page.emulateMedia({ forcedColors: 'none' });
  return problems;
}
