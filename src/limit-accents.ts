/**
 * Limits the characters that are displayed on the letter before them: combining marks, and the skin tones of emoji. The
 * time that browsers need for them grows with the square of their number, also with invisible characters between them.
 */

/** No language uses more than ten marks on a letter. */
const MANY_ACCENTS = /((?:[\p{M}🏻-🏿]\p{Cf}*){32})(?:[\p{M}🏻-🏿]\p{Cf}*)+/gu;

/** The combining marks begin there: Latin text needs no search. */
const NOT_LATIN = /[\u0300-\uffff]/;

/** Returns a text for display, with at most 32 marks on each letter. */
export const limitAccents = (text: string): string => (NOT_LATIN.test(text) ? text.replace(MANY_ACCENTS, '$1') : text);
