import { nothing } from 'lit';
import { isRightToLeft } from '../../locales/direction.ts';
import type { Localize } from '../../locales/localize.ts';

/**
 * The `dir` of the widget: `rtl` if its language is written from right to left and the element has no `dir` of its own. Otherwise
 * it inherits the direction of the page, so that the English fallback fits into a page in another direction.
 */
export const textDirection = ({ locale }: Localize, ownDir: string): 'rtl' | typeof nothing =>
  ownDir === '' && isRightToLeft(locale) ? 'rtl' : nothing;
