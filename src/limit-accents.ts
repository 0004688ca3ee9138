/**
 * Limits the characters that are displayed on the letter before them: combining marks, and the skin tones of emoji. The
 * time that browsers need for them grows with the square of their number, also with invisible characters between them.
 */

/** No language uses more than ten marks on a letter. */
const MANY_ACCENTS =
  /((?:[\p{M}\p{Emoji_Modifier}](?:(?!\p{M})\p{DI})*){32})[\p{M}\p{Emoji_Modifier}](?:[\p{M}\p{Emoji_Modifier}]|\p{DI})*/gu;
/** The length of 32 marks. */
const TAIL = 64;

const STEP = 16;
const FIRST_ACCENT = 0x300;

/**
 * Returns a text for display, with at most 32 marks on each letter.
 *
 * @param before - the displayed text before it, if both are displayed as one
 */
export function limitAccents(text: string, before = ''): string {
  const tail = before.slice(-TAIL);
  const whole = tail + text;
  // Latin text needs no search: a long sequence of marks is found by checking every 16th character.
  for (let index = STEP; index < whole.length; index += STEP)
    if (whole.charCodeAt(index) >= FIRST_ACCENT) return whole.replace(MANY_ACCENTS, '$1').slice(tail.length);
  return text;
}

/** Returns a function that does the same for texts that follow each other, such as those of several elements. */
export function createAccentLimiter(): (text: string) => string {
  let before = '';
  return (text) => {
    const shown = limitAccents(text, before);
    before = (before + shown).slice(-TAIL);
    return shown;
  };
}
