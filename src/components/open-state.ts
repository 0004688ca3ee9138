import { OWN } from '../runtime/keeping/stored-before.ts';

/**
 * Whether the panel is open, from page to page of this tab. It is read before the first drawing, so that nothing jumps; the launcher
 * script reads it too.
 */
const KEY = `${OWN}open`;

export function readOpen(): boolean | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? undefined : text === 'true';
  } catch {
    // The page may not have it.
    return undefined;
  }
}

export function writeOpen(open: boolean): void {
  try {
    sessionStorage.setItem(KEY, String(open));
  } catch {
    // Full, or not to be had: the panel is as the page says on the next one.
  }
}
