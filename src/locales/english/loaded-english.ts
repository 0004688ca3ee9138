import type { Strings } from '../en.ts';
import type { Text } from '../text.ts';

/**
 * The loaded English texts: first those of the shell, later those of each lazy part. All widgets share this object, so texts that
 * load later also reach existing widgets.
 */
const loaded: Record<string, Text> = {};
export const englishTexts: Strings = loaded;

/** Adds texts for all widgets of the page. */
export function addEnglish(texts: Strings): void {
  Object.assign(loaded, texts);
}
