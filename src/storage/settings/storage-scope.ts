/** The storage namespace: all stored data belongs to one scope and is invisible to others. */
import { endpointWithoutSecrets } from '../../runtime/endpoint-without-secrets.ts';
import type { StorageSettings } from '../stores/conversation-store.ts';

/**
 * The scope for an endpoint, `key` and `user`. Keys in the URL's query are removed: they are never stored, and they
 * change while the conversations stay.
 */
export function storageScope(endpoint: string | undefined, { key = '', user = '' }: StorageSettings = {}): string {
  return JSON.stringify([endpointWithoutSecrets(endpoint), key, user]);
}
