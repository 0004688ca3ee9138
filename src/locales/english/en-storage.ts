import type { Catalogue } from '../text.ts';

/** English texts of the errors of the storage, which load with it. */
export const enStorage = {
  'error.storage-full': 'Storage is full. This conversation will be lost when you leave the page.',
  'error.storage-missing': 'This browser stores nothing. This conversation will be lost when you leave the page.',
  'error.storage-newer': 'A newer version of this chat stored these conversations. Reload the page.',
} as const satisfies Catalogue;
