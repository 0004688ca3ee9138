import { limitAccents } from '../limit-accents.ts';

/** The length of 32 marks. */
const TAIL = 64;

/**
 * Returns a function that limits the marks on each letter in texts that follow each other, such as those of several
 * elements.
 */
export function createAccentLimiter(): (text: string) => string {
  let tail = '';
  return (text) => {
    const shown = limitAccents(tail + text);
    const own = shown.slice(tail.length);
    tail = shown.slice(-TAIL);
    return own;
  };
}
