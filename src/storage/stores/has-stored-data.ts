/** Prefix of the widget's keys in `sessionStorage` and `localStorage`. The launcher script contains it too. */
export const STORAGE_PREFIX = 'agent-chat ';

/** Whether this tab's storage has data of the widget, so that there may be something to restore. */
export function hasStoredData(): boolean {
  try {
    return Object.keys(sessionStorage).some((key) => key.startsWith(STORAGE_PREFIX));
  } catch {
    // The page may have no access to the storage.
    return false;
  }
}
