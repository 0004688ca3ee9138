/**
 * Characters that nobody sees, that display the following ones in another order, or that end a line without a new one being
 * displayed: one command would be read and another one copied. Words and emoji need the joiners and U+FE0F.
 */
const HIDDEN = /(?![\u200c\u200d]|\ufe0f)[\p{DI}\u2028\u2029\ufff9-\ufffb]/gu;

/** More marks or skin tones on one letter than any script has: browsers take quadratic time for them. */
const MARKS = /((?:[\p{M}🏻-🏿]\p{Cf}*){8})((?:[\p{M}🏻-🏿]\p{Cf}*)+)/gu;

/**
 * Replaces hidden characters by their escapes: `\u202e`, `\u{e0041}`. Also those marks on a letter that are more than
 * eight.
 *
 * @param before - the displayed text before it
 */
export function showHidden(code: string, before = ''): string {
  // The length of eight marks.
  const tail = before.slice(-16);
  return (tail + code.replace(HIDDEN, escapeCharacter))
    .replace(MARKS, (_, first: string, more: string) => first + more.replace(/./gu, escapeCharacter))
    .slice(tail.length);
}

/** The other controls, such as a carriage return: a terminal would read it as Enter. Not in output, where they have a meaning. */
const CONTROLS = /(?![\t\n]|\r\n)\p{Cc}/gu;

/** The same as `showHidden` for code that may be pasted into a terminal: also replaces controls. */
export const showHiddenInCode = (code: string, before?: string): string =>
  showHidden(code.replace(CONTROLS, escapeCharacter), before);

function escapeCharacter(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}
