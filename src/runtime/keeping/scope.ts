/** Whose data it is: everything kept stands under one of these, and is found under no other. */
import { maskSecrets } from '../../safety/secrets.ts';
import type { StorageSettings } from './conversation-store.ts';

/**
 * The name of what belongs together: one endpoint, one `key`, one `user`. An address may carry a key in its query, which is
 * stored nowhere and which changes while the conversations stay.
 */
export function scopeOf(endpoint: string | undefined, { key = '', user = '' }: StorageSettings = {}): string {
  return JSON.stringify([placeOf(endpoint), key, user]);
}

const SECRET_NAMES = /key|token|secret|auth|sig|pass|session|code/i;

/** An address without what may be a key. */
export function placeOf(endpoint: string | undefined): string {
  if (endpoint === undefined || endpoint === '') return '';
  const url = URL.parse(endpoint, location.href);
  if (!url) return '';
  for (const name of new Set(url.searchParams.keys())) {
    if (SECRET_NAMES.test(name)) url.searchParams.delete(name);
  }
  url.searchParams.sort();
  return maskSecrets(`${url.origin}${url.pathname}${url.search}`);
}
