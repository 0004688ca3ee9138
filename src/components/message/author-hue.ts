/** Number of author hues. `styles/avatar.css` has a rule for each. */
export const HUES = 4;

/**
 * Returns the hue of a name, from 1 to `HUES`: always the same for one name. The first names get different hues, so that
 * few agents in one conversation can be told apart; the hue of any other name follows from its letters.
 */
export function makeHueOf(): (name: string) => number {
  const hues = new Map<string, number>();
  return (name) => {
    let hue = hashOf(name);
    if (hues.size < HUES && !hues.has(name)) {
      while ([...hues.values()].includes(hue)) hue = (hue % HUES) + 1;
      hues.set(name, hue);
    }
    return hues.get(name) ?? hue;
  };
}

const hashOf = (name: string): number =>
  ((Array.from(name).reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) >>> 0) % HUES) + 1;

export const hueOf = makeHueOf();
