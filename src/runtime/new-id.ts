/** Random 32-bit words for 256 ids. A call for each id would take most of the time of opening a long conversation. */
const words = new Uint32Array(3 * 256);
let used = words.length;

/**
 * Creates an id of 96 random bits. `crypto.randomUUID` exists in secure contexts only, and the widget also runs
 * elsewhere.
 */
export function newId(): string {
  if (used === words.length) {
    crypto.getRandomValues(words);
    used = 0;
  }
  return word() + word() + word();
}

/**
 * Creates numbered ids with one random prefix for a history. Random bits for each would take most of the time of
 * opening a long one.
 */
export function newIds(): () => string {
  const start = newId();
  let count = 0;
  return () => `${start}-${String(++count)}`;
}

const word = (): string => (words[used++] ?? 0).toString(36).padStart(7, '0');
