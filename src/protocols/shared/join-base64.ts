/** Pieces that were each encoded by themselves as one; undefined when there are none, or when one is not base64. */
export function joinBase64(pieces: readonly string[]): string | undefined {
  try {
    const joined = btoa(pieces.map(atob).join(''));
    return joined === '' ? undefined : joined;
  } catch {
    return undefined;
  }
}
