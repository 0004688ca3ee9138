/** Ordinary text that needs invisible characters: emoji, variants of Chinese characters, words in Arabic and Indic scripts. */
const NEEDED = [
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*/u,
  /[\d#*]\ufe0f\u20e3/u,
  /\p{Script=Han}[\u{e0100}-\u{e01ef}]/u,
  /[\u0600-\u1cff][\u200c\u200d](?=[\u0600-\u1cff])/u,
];
/**
 * Characters without a width: a user who allows a text with them would allow more than is visible. Without lookbehinds,
 * which fail in WebKit before a character outside of the Basic Multilingual Plane.
 */
const INVISIBLE =
  /(?![\t\n]|\r\n)([\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\ufff9-\ufffc\u2800\u{10a50}\u{1d159}])/u;

/** Parts of a text: needed characters that have no width of their own, or a character that nobody sees as the first group. */
export const PARTS = new RegExp([...NEEDED, INVISIBLE].map(({ source }) => source).join('|'), 'gu');

/** More marks or skin tones on one letter than any script has: they would cover the lines above and below, or freeze the page. */
const MARKS = /([\p{M}\p{Emoji_Modifier}]{8})([\p{M}\p{Emoji_Modifier}]+)/gu;

/** Replaces characters that are invisible, reorder others or cover other lines with their escapes: `\u200b`. */
export const showInvisible = (text: string): string =>
  limitMarks(
    text.replace(PARTS, (needed: string, invisible?: string) =>
      invisible === undefined ? needed : escapeCharacter(invisible),
    ),
  );

/** The same as `showInvisible`, also for spaces that a line of HTML does not show: for a text that is sent as it is shown. */
export const showExactly = (text: string): string =>
  showInvisible(text).replace(/^ | $| (?= )|[^\S ]/g, (space) => escapeCharacter(space));

/** The same as `showInvisible` for a JSON text, with the escapes of JSON. */
export const escapeInvisible = (json: string): string =>
  json.replace(PARTS, (needed: string, invisible?: string) =>
    invisible === undefined
      ? needed
      : [...invisible.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );

/** Replaces the marks after the eighth on a letter with their escapes. */
export const limitMarks = (text: string): string =>
  text.replace(
    MARKS,
    (_marks, first: string, more: string) => first + more.replace(/./gsu, (mark) => escapeCharacter(mark)),
  );

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
