/** What the widget has left in this tab begins so. The launcher script knows it too. */
export const OWN = 'agent-chat ';

/** Whether anything of the widget's is in the storage of this tab: only then a page has something to restore. */
export function storedBefore(): boolean {
  try {
    return Object.keys(sessionStorage).some((key) => key.startsWith(OWN));
  } catch {
    // The page may not have it.
    return false;
  }
}
