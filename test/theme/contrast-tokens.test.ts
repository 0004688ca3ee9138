import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { THEMES } from '../../src/theme/themes.ts';
import { dress } from '../components/support/dress.ts';
import { mount } from '../components/support/mount.ts';

const ACCENTS = fc
  .sample(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)), { numRuns: 200, seed: 20_261_122 })
  .map((rgb) => `rgb(${rgb.join(' ')})`);

/** Colour pairs that must be distinguishable: foreground, background, minimum contrast. WCAG 2.2, 1.4.3 and 1.4.11. */
const PAIRS: readonly (readonly [foreground: string, background: string, minimum: number])[] = [
  ...['--_accent', '--_accent-hover', '--_accent-press'].map(
    (background) => ['--_on-accent', background, 4.5] as const,
  ),
  ...['--_background', '--_surface', '--_raised', '--_accent-soft', '--_ground'].flatMap((background) =>
    ['--_accent-ink', '--_foreground', '--_muted'].map((foreground) => [foreground, background, 4.5] as const),
  ),
  ...['--_background', '--_surface', '--_raised'].flatMap((background) =>
    ['--_hue-1', '--_hue-2', '--_hue-3', '--_hue-4', '--_danger', '--_success'].map(
      (foreground) => [foreground, background, 4.5] as const,
    ),
  ),
  ['--_danger', '--_danger-soft', 4.5],
  ['--_outline', '--_background', 3],
];
const TOKENS = [...new Set(PAIRS.flatMap(([foreground, background]) => [foreground, background]))];

describe('the contrast of an accent that the page has chosen', () => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminances = new Map<string, number>();

  /** WCAG's relative luminance of a colour as a screen shows it. */
  function luminance(color: string): number {
    const known = luminances.get(color);
    if (known !== undefined) return known;
    if (!canvas) throw new Error('There is no canvas.');
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const result = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    luminances.set(color, result);
    return result;
  }
  const contrast = (one: string, other: string): number => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };

  for (const theme of THEMES) {
    it(`reaches the minimum for 200 accents, light and dark, in ${theme || 'the default theme'}`, async () => {
      const { chat } = await mount();
      await dress(chat, theme);
      const probes = TOKENS.map((token) => {
        const probe = document.createElement('i');
        probe.style.color = `var(${token}, var(--_background))`;
        chat.renderRoot.append(probe);
        return { token, style: getComputedStyle(probe) };
      });
      const found = new Set<string>();
      for (const colorScheme of ['light', 'dark'] as const) {
        chat.setAttribute('color-scheme', colorScheme);
        await chat.updateComplete;
        for (const accent of ACCENTS) {
          chat.style.setProperty('--agent-chat-accent', accent);
          const colors = new Map(probes.map(({ token, style }) => [token, style.color]));
          for (const [foreground, background, minimum] of PAIRS) {
            const has = contrast(colors.get(foreground) ?? '', colors.get(background) ?? '');
            if (has < minimum)
              found.add(`${foreground} on ${background}: ${has.toFixed(2)} for ${accent}, ${colorScheme}`);
          }
        }
      }
      expect([...found]).to.deep.equal([]);
    });
  }
});
