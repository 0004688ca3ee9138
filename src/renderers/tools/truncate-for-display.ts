/** The length of arguments, results and output that is displayed. */
import { maskDisplayedText } from '../../safety/sent-secrets.ts';

/** Maximum length of arguments or a result that is rendered (characters): the browser lays out all of it at once. */
const SHOWN_LENGTH = 65_536;
/** The text with secrets masked, truncated to the rendered length. `escape` makes invisible characters visible. */
export function truncateForDisplay(text: string, escape: (text: string) => string = String): string {
  const shown = escape(maskDisplayedText(text, SHOWN_LENGTH));
  return text.length > SHOWN_LENGTH || shown.length > SHOWN_LENGTH ? `${shown.slice(0, SHOWN_LENGTH)}\n…` : shown;
}

/** The number of characters, and of characters of escapes, that `truncateForDisplay` removes. */
export const hiddenLength = (text: string, escape: (text: string) => string = String): number =>
  Math.max(0, text.length - SHOWN_LENGTH) + Math.max(0, escape(text.slice(0, SHOWN_LENGTH)).length - SHOWN_LENGTH);

/**
 * The number of characters of the visible text that the mask hides. The user allows them too, and a text may be written
 * so that it looks like a secret.
 */
export function maskedLength(text: string): number {
  const beginning = text.slice(0, SHOWN_LENGTH);
  const masked = maskDisplayedText(beginning);
  return beginning.length - masked.length + MASK.length * (countMasks(masked) - countMasks(beginning));
}

const MASK = '***';
const countMasks = (text: string): number => text.split(MASK).length - 1;
