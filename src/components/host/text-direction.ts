import { nothing } from 'lit';
import { isRightToLeft } from '../../locales/direction.ts';
import type { Localize } from '../../locales/localize.ts';

/**
 * Returns `rtl` if the widget's language is written from right to left and the element has no `dir`. Otherwise the widget follows
 * the element, or else the page: English texts, shown if a language is missing, keep the direction of a right-to-left page.
 */
export const textDirection = ({ locale }: Localize, ownDir: string): 'rtl' | typeof nothing =>
  ownDir === '' && isRightToLeft(locale) ? 'rtl' : nothing;
