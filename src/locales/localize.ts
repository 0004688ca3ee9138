import { enShell } from './en-shell.ts';
import type { Strings } from './en.ts';
import { makeLocalize, type Localize } from './make-localize.ts';
import type { Text } from './text.ts';

export { isSameDay, type Localize, type TextValues } from './make-localize.ts';

/**
 * The loaded English texts: first those of the shell, later all of them (`all-english.ts`). All widgets share this
 * object, so texts that load later also reach existing widgets.
 */
const loaded: Record<string, Text> = { ...enShell };
export const englishTexts: Strings = loaded;

/** Adds texts for all widgets of the page. */
export function addEnglish(texts: Strings): void {
  Object.assign(loaded, texts);
}

/**
 * Creates the localizer of one language: the page's own texts, then the catalogue, then English.
 *
 * @throws RangeError for an invalid language tag.
 */
export const createLocalize = (locale: string, catalogue: Strings = {}, own: Strings = {}): Localize =>
  makeLocalize(locale, { catalogue, own, english: englishTexts });

/** The default English localizer. It is shared, so that a widget that starts and stays in English renders only once. */
export const english: Localize = createLocalize('en');
