/** Joins chunks that were base64-encoded separately. Returns undefined when there are none or one is not base64. */
export function joinBase64(chunks: readonly string[]): string | undefined {
  try {
    const joined = btoa(chunks.map(atob).join(''));
    return joined === '' ? undefined : joined;
  } catch {
    return undefined;
  }
}
