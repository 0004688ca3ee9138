/**
 * Characters that occupy no space: a user who allows a text with them would allow more than is visible. Some belong to
 * ordinary text: variants and joiners of emoji and of Chinese characters, joiners inside words of Arabic and Indic scripts.
 */
const INVISIBLE =
  /(?![\t\n\r])(?:(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|\ufe0f\u20e3|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d\p{Extended_Pictographic}|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<=[\u0600-\u1cff])[\u200c\u200d][\u0600-\u1cff])[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb\u2800])/gu;

/** Replaces characters that cannot be seen, or that reorder others, by their escapes: `\u200b`. */
export const showInvisible = (text: string): string =>
  text.replace(INVISIBLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
