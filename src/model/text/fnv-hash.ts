/** A hash of 32 bits (FNV-1a), in base 36: it distinguishes texts without revealing them. Not for anything that somebody may forge. */
export function fnvHash(text: string, seed = 0x811c9dc5): string {
  let hash = seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
