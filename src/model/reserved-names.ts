/** Characters of other scripts that look like the Latin letters in names such as “You” or “System”. */
const LOOKALIKES = new Map<string, string>(
  // Cyrillic, Greek, Armenian, small capitals, Cherokee, Lisu.
  ['аaеeоoрpсcуyхxѕsіiјjмmтt', 'αaεeιiμmνvοoσsςsτtυuүy', 'սuօo', 'ʏyᴏoᴜuꜱsᴛtᴇeᴍm', 'ꮍyꭲiꮯc', 'ꓬyꓳoꓴuꓢsꓔtꓰeꓟm'].flatMap(
    (pairs) => (pairs.match(/../gu) ?? []).map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const),
  ),
);
/** Capital letters whose lowercase forms look different: a capital upsilon looks like a “Y”. */
const CAPITALS = new Map([
  ['Υ', 'y'],
  ['Ү', 'y'],
]);

/** Reduces a name to its visual skeleton: without case, spaces, marks, punctuation and invisible characters. */
const skeleton = (name: string): string =>
  // Marks become characters of their own, which are removed at the end.
  Array.from(name.normalize('NFKD'))
    .map((letter) => CAPITALS.get(letter) ?? letter.toLowerCase())
    .map((letter) => LOOKALIKES.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Names reserved for the user and the widget, in English. */
const ENGLISH = ['You', 'User', 'System', 'System message', 'This page'];

/** Whether a name from the server looks like the user’s or the widget’s, also with a remark, or is visually empty. */
export const isReservedName = (name: string, others: readonly string[] = []): boolean => reservedNames(others)(name);

/** Returns the same check for many names: the others are read once. */
export function reservedNames(others: readonly string[]): (name: string) => boolean {
  const reserved = new Set(['', ...[...ENGLISH, ...others].map(skeleton)]);
  const isReserved = (name: string): boolean => reserved.has(skeleton(name));
  return (name) => {
    const [first = '', ...remarks] = name.split(/[([{（【]/);
    const words = name.match(/[\p{L}\p{M}\p{N}\p{Cf}]+/gu) ?? [];
    return (
      isReserved(name) ||
      // “You (verified)”, but not “(bot)”
      (remarks.length > 0 && skeleton(first) !== '' && isReserved(first)) ||
      // “You, you”
      (words.length > 1 && words.every(isReserved))
    );
  };
}
