import type { Catalogue } from '../text.ts';

/** English texts of the versions of a message, which load with their controls. */
export const enVersions = {
  'message.previous': 'Previous version',
  'message.next': 'Next version',
  'message.branch': '{index}/{count}',
} as const satisfies Catalogue;
