/** The text of a line as it is displayed, and what is displayed before and after its parts: what the check of links reads. */

/**
 * Represents content that may show any letters: an image, a formula, an icon of the agent. A link that contains it always shows its
 * target.
 */
export const UNREADABLE_CONTENT = '\ufffc';

/** Marks text that may be read without a part of it: struck, or folded. Around a link it is ignored. */
export const SKIPPED_PART = '\u0336';

/** The marks, by the name of an element or by its direction. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['s', SKIPPED_PART],
  ['del', SKIPPED_PART],
  ['bdo', '\u202e'],
  ['bdi', '\u2068'],
  // The stylesheet isolates it.
  ['code', '\u2068'],
  // Ruby text is displayed above the line, or hidden.
  ['rt', UNREADABLE_CONTENT],
  ['rp', UNREADABLE_CONTENT],
  ['rtl', '\u2067'],
  ['ltr', '\u2066'],
  ['auto', '\u2068'],
]);

/** Returns the mark for an element that displays its content in another order or position, or in a way that hides a part. */
export const markOfElement = (name: string, dir = ''): string =>
  [name, dir.toLowerCase()].map((word) => MARKS.get(word) ?? '').join('');

/** Invisible characters, controls other than whitespace, and combining marks. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]|(?!\s)\p{Cc}/gu;

/** The text before and after a link, which may belong to the same word. */
export type TextAround = readonly [before: string, after: string];

/** Longer parts of a word are not read. */
export const MAX_PART = 256;
/** Invisible characters that do not change the order of a text. */
const PADDING = new RegExp(String.raw`(?![\u061c\u200f\u202a-\u202e\u2066-\u2068])(?:${INVISIBLE.source})`, 'gu');

/** Browsers display consecutive spaces as one. */
const withoutSpaces = (text: string): string => text.replace(/\s{2,}/g, ' ');

/**
 * Whether a text has only characters that need no check: none is invisible, ambiguous or reorders others. Most text is so, and the
 * checks take long in a paragraph of nothing but links.
 */
export const isPlain = (text: string): boolean => /^[\t\n\r -~]*$/.test(text);

export const withoutPadding = (text: string): string => withoutSpaces(isPlain(text) ? text : text.replace(PADDING, ''));

/** Appends a text to another one, of which neither has consecutive spaces. */
const join = (before: string, after: string): string =>
  after[0]?.trim() === '' ? `${before.trimEnd()} ${after.trimStart()}` : before + after;

/** Returns what is before and after each of some texts in a line. */
export function textsAround(texts: readonly string[], [start, end]: TextAround = ['', '']): readonly TextAround[] {
  const visible = texts.map(withoutPadding);
  const starts = textsBefore(visible, start, (before, text) => join(before, text).slice(-MAX_PART));
  const ends = textsBefore(visible.toReversed(), end, (after, text) => join(text, after).slice(0, MAX_PART));
  return starts.map((before, index) => [before, ends.at(-1 - index) ?? '']);
}

function textsBefore(
  texts: readonly string[],
  first: string,
  add: (all: string, text: string) => string,
): readonly string[] {
  let all = first;
  return texts.map((text) => {
    const before = all;
    all = add(all, text);
    return before;
  });
}
