import type { Catalogue } from '../text.ts';

/** English texts of the tools of a code block other than its copy button, which load with them. */
export const enCodeTools = {
  'code.wrap': 'Wrap lines',
  'code.numbers': 'Line numbers',
  'code.download': 'Download',
  'diagram.show': 'Preview',
  'diagram.source': 'Source',
} as const satisfies Catalogue;
