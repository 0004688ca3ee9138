const LETTER = /\p{L}/u;
/**
 * Hebrew to the extended Arabic letters, their presentation forms, and the blocks that Unicode reserves for
 * right-to-left scripts.
 */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of a text by its first letter, as with `dir="auto"`; undefined if it has no letter. */
export function directionOfWords(words: string): 'ltr' | 'rtl' | undefined {
  const first = LETTER.exec(words)?.[0];
  return first === undefined ? undefined : FROM_THE_RIGHT.test(first) ? 'rtl' : 'ltr';
}
