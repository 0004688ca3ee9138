import { nothing } from 'lit';
import { isRightToLeft } from '../locales/direction.ts';
import type { Localize } from '../locales/localize.ts';

/**
 * In which direction the widget is written: from right to left where its language is, whatever the page is in, unless the
 * page has given the element a `dir`. Else it is the page's, so that English in a page without a language of its own fits in.
 */
export const directionOf = ({ locale }: Localize, own: string): 'rtl' | typeof nothing =>
  own === '' && isRightToLeft(locale) ? 'rtl' : nothing;
