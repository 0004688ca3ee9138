import { limitAccents } from '../../limit-accents.ts';
import { withoutInvisible } from '../../safety/urls.ts';

/** Longest name, title or other text of one line that is shown (characters): browsers lay out all of it, also what is clipped. */
const MAX_LENGTH = 2000;

/** A text of one line, without characters that nobody sees. A longer one is cut; the message keeps all of it. */
export const shortText = (text: string): string =>
  limitAccents(withoutInvisible(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text));
