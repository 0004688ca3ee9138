/** What has to be known of how conversations are kept, and what follows from it. */
import type { Persist, Redact, StorageSettings } from './conversation-store.ts';
import { scopeOf } from './scope.ts';

export interface KeepSettings {
  readonly persist: Persist;
  readonly endpoint: string | undefined;
  readonly storage: StorageSettings | undefined;
  readonly threadId: string | undefined;
  readonly redact: Redact | undefined;
}

export interface Whereabouts {
  readonly scope: string;
  /** Whose the conversations are: another one sees nothing of them. */
  readonly owner: string;
  /** Which place they are kept in. */
  readonly where: string;
}

export function whereabouts({ persist, endpoint, storage }: KeepSettings): Whereabouts {
  const scope = scopeOf(endpoint, storage);
  // Without a place a conversation goes on with another endpoint, but never with another user.
  const owner = persist === 'none' ? scopeOf(undefined, storage) : scope;
  const retention = storage?.retention === undefined ? '' : String(storage.retention);
  const where = persist === 'none' ? `none ${owner}` : `${persist} ${storeId(storage?.store)} ${retention} ${scope}`;
  return { scope, owner, where };
}

let stores = 0;
const ids = new WeakMap<object, string>();

/** Another store of the page's is another place. */
function storeId(store: object | undefined): string {
  if (!store) return '';
  const id = ids.get(store) ?? String(++stores);
  ids.set(store, id);
  return id;
}
