import { LATIN_LOOKALIKES, lookalikes } from '../lookalikes.ts';

/** Capitals whose lowercase letters look different. */
const CAPITALS = lookalikes('hΗ nΝ sՏ yΥҮ');

/** Letters in lower case, without spaces, marks, punctuation and invisible characters. */
const skeleton = (letters: readonly string[], capitals?: ReadonlyMap<string, string>): string =>
  letters
    .map((letter) => capitals?.get(letter) ?? letter.toLowerCase())
    .map((letter) => LATIN_LOOKALIKES.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** What a name may be read as: a “Ν” as itself or as a Latin “N”, a “|” as punctuation or as an “l”. */
function skeletons(name: string): readonly string[] {
  // NFKD makes marks characters of their own, which are removed at the end, and a lunate sigma, a “C”, another sigma.
  const letters = Array.from(name.replace(/[ϲϹ]/g, 'c').normalize('NFKD'));
  const strokes = letters.includes('|')
    ? [letters, letters.map((letter) => (letter === '|' ? 'l' : letter))]
    : [letters];
  return strokes.flatMap((read) => [skeleton(read), skeleton(read, CAPITALS)]);
}

/** Names reserved for the user and the widget, in English. */
const ENGLISH = ['You', 'User', 'System', 'System message', 'This page'];

/** Whether a name from the server looks like the user’s or the widget’s, also with a remark, or is visually empty. */
export const isReservedName = (name: string, others: readonly string[] = []): boolean => reservedNames(others)(name);

/** Returns the same check for many names: the others are read once. */
export function reservedNames(others: readonly string[]): (name: string) => boolean {
  const reserved = new Set(['', ...[...ENGLISH, ...others].flatMap(skeletons)]);
  const isReserved = (name: string): boolean => skeletons(name).some((read) => reserved.has(read));
  return (name) => {
    const [first = '', ...remarks] = name.split(/[([{（【]/);
    const words = name.match(/[\p{L}\p{M}\p{N}\p{Cf}]+/gu) ?? [];
    return (
      isReserved(name) ||
      // “You (verified)”, but not “(bot)”
      (remarks.length > 0 && skeletons(first)[0] !== '' && isReserved(first)) ||
      // “You, you”
      (words.length > 1 && words.every(isReserved))
    );
  };
}
