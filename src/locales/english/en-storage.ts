import type { Catalogue } from '../text.ts';

/** English texts about stored conversations. */
export const enStorage = {
  'error.storage-full': 'Storage is full. This conversation will be lost when you leave the page.',
  'error.storage-missing': 'This browser stores nothing. This conversation will be lost when you leave the page.',
  'error.storage-newer': 'A newer version of this chat stored these conversations. Reload the page.',
  'error.storage-failed': 'Conversations can’t be loaded or saved. You can continue this one.',
} as const satisfies Catalogue;
