/** Loads the check of link texts with the first link: it is large, and many answers have no link. */
import type * as linkText from './link-text.ts';

type LinkText = typeof linkText;

let loading: Promise<void> | undefined;
let check: LinkText | 'failed' | undefined;

/** Number of links and titles that were rendered before their check was loaded. */
export let uncheckedTexts = 0;

/** The check of link texts; `failed` if it can't be loaded. Undefined until then: what needs it is rendered again afterwards. */
export function linkTextCheck(): LinkText | 'failed' | undefined {
  if (check === undefined) {
    uncheckedTexts++;
    void loadLinkText();
  }
  return check;
}

/** Loads the check. Never rejects. */
export const loadLinkText = (): Promise<void> =>
  (loading ??= import('./link-text.ts').then(
    (module) => {
      check = module;
    },
    () => {
      check = 'failed';
    },
  ));
