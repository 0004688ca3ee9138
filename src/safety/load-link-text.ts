/** Loads the check of link texts with the first link: it is large, and many answers have no link. */
import type * as linkText from './link-text.ts';

type LinkText = typeof linkText;

let loading: Promise<void> | undefined;
let check: LinkText | 'failed' | undefined;

/** Number of links and titles that were rendered before their check was loaded. */
export let uncheckedTexts = 0;

/**
 * The check of link texts; `failed` if it can't be loaded, or not in time. Undefined until then: what needs it is rendered again
 * afterwards.
 */
export function linkTextCheck(): LinkText | 'failed' | undefined {
  if (check === undefined) {
    uncheckedTexts++;
    void loadLinkText();
  }
  return check;
}

/** A long text waits for the check (`markdown-directive.ts`), but no longer than this (ms). One that arrives later is still used. */
const LONGEST_MS = 5000;

/** Resolves when the check is loaded, has failed to load, or has taken too long. Never rejects. */
export const loadLinkText = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  const loaded = import('./link-text.ts').then((module) => {
    check = module;
  });
  const late = new Promise((resolve) => setTimeout(resolve, LONGEST_MS));
  await Promise.race([loaded, late]).catch(() => undefined);
  check ??= 'failed';
}
