import { PARTS } from './show-invisible.ts';

/** The flags of England, Scotland and Wales. Other tags after a flag could be words. */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;

const FLAG_OR_PART = new RegExp(`${FLAG.source}|${PARTS.source}`, 'gu');

/**
 * Removes invisible and control characters from text that is copied, quoted or imported: those that `showInvisible` escapes,
 * except the tags of flags. A line end stays one. For displayed names and labels see `withoutInvisible` in `urls.ts`; for the name
 * of a downloaded file see `primitives/code/file-name.ts`.
 */
export const removeInvisible = (text: string): string =>
  text
    .replace(/\r(?!\n)|[\u2028\u2029]/g, '\n')
    .replace(FLAG_OR_PART, (needed: string, invisible?: string) => (invisible === undefined ? needed : ''));
