/**
 * Characters that nobody sees, or that display the following ones in another order: one command would be read and another
 * one copied. Words and emoji need the joiners and U+FE0F.
 */
const HIDDEN = /(?![\u200c\u200d]|\ufe0f)\p{DI}/gu;

/** Replaces hidden characters by their escapes: `\u202e`, `\u{e0041}`. */
export const showHidden = (code: string): string =>
  code.replace(HIDDEN, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
  });
