/** Number of author hues in the theme. */
export const HUES = 4;

/** The hue of a name, from 1 to `HUES`: always the same for one name. */
export const hueOf = (name: string): number =>
  ((Array.from(name).reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) >>> 0) % HUES) + 1;
