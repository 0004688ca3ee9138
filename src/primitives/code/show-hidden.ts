/**
 * Characters that nobody sees, or that display the following ones in another order: one command would be read and another
 * one copied. Words and emoji need the joiners and U+FE0F.
 */
const HIDDEN = /(?![\u200c\u200d]|\ufe0f)\p{DI}/gu;

/** More marks or skin tones on one letter than any script has: browsers take quadratic time for them. */
const MARKS =
  /((?:[\p{M}\p{Emoji_Modifier}][\u200c\u200d]*){8})([\p{M}\p{Emoji_Modifier}][\p{M}\p{Emoji_Modifier}\u200c\u200d]*)/gu;

/** The length of a displayed text in which the letter and its marks are, without joiners. */
const TAIL = 17;

/**
 * Replaces hidden characters by their escapes: `\u202e`, `\u{e0041}`. Also those marks on a letter that are more than
 * eight.
 *
 * @param before - the displayed text before it
 */
export function showHidden(code: string, before = ''): string {
  const tail = before.slice(-TAIL);
  const whole = tail + code.replace(HIDDEN, escapeCharacter);
  return whole
    .replace(MARKS, (_, first: string, more: string) => first + more.replace(/./gsu, escapeCharacter))
    .slice(tail.length);
}

function escapeCharacter(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}
