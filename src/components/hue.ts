/** The hues of the look. */
export const HUES = 4;

/** One of them, from 1: the same for a name every time. */
export const hueOf = (name: string): number =>
  ((Array.from(name).reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) >>> 0) % HUES) + 1;
