import { en, type Strings } from './en.ts';
import { makeLocalize, type Localize } from './make-localize.ts';

export { isSameDay, type Localize, type TextValues } from './make-localize.ts';

/**
 * The texts of one language: a catalogue over the English one, and the page's own texts over both.
 *
 * @throws RangeError for what is no language tag.
 */
export const createLocalize = (locale: string, catalogue: Strings = en, own: Strings = {}): Localize =>
  makeLocalize(locale, { catalogue, own, english: en });

/** English as it comes: the same for all, so that a widget that begins with it and stays with it is drawn once. */
export const english: Localize = createLocalize('en');
