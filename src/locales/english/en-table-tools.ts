import type { Catalogue } from '../text.ts';

/** English texts of the tools of a table, which load with them. */
export const enTableTools = {
  'data.copy-csv': 'Copy as CSV',
  'data.copy-markdown': 'Copy as Markdown',
  'data.filter': 'Filter rows',
  'data.rows': { one: '{shown} of {count} row', other: '{shown} of {count} rows' },
  'data.sort': 'Sort by {column}',
} as const satisfies Catalogue;
