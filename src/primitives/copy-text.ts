/** Puts text on the clipboard. Resolves with whether it is there: a page may forbid it, or not be secure enough for it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
