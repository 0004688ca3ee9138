/** Random words for some hundred ids: to ask for each one's own takes most of the time of opening a long conversation. */
const words = new Uint32Array(3 * 256);
let used = words.length;

/** A fresh id: 96 random bits. (`crypto.randomUUID` exists on secure pages only, and a widget lives on others too.) */
export function newId(): string {
  if (used === words.length) {
    crypto.getRandomValues(words);
    used = 0;
  }
  return word() + word() + word();
}

/** Ids of a history: random as a whole, and counted, since random words for each take most of the time of opening a long one. */
export function newIds(): () => string {
  const start = newId();
  let count = 0;
  return () => `${start}-${String(++count)}`;
}

const word = (): string => (words[used++] ?? 0).toString(36).padStart(7, '0');
