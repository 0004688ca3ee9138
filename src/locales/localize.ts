import { enShell } from './english/en-shell.ts';
import type { Strings } from './en.ts';
import { addEnglish, englishTexts } from './english/loaded-english.ts';
import { makeLocalize, type Localize } from './text-and-date-formats.ts';

export { isSameDay, type Localize, type TextValues } from './text-and-date-formats.ts';

addEnglish(enShell);

/**
 * Creates the localizer of one language. A text comes from the page's own texts, else from the catalogue, else from English.
 *
 * @throws RangeError for an invalid language tag.
 */
export const createLocalize = (locale: string, catalogue: Strings = {}, own: Strings = {}): Localize =>
  makeLocalize(locale, { catalogue, own, english: englishTexts });

/** The default English localizer. It is shared, so that a widget that starts and stays in English renders only once. */
export const english: Localize = createLocalize('en');
