/** The storage settings, and the owner and location derived from them. */
import type { AgentDescriptor, BaseAgent } from '../../model/agent.ts';
import type { Redact } from '../../runtime/masking/redact-for-sending.ts';
import type { Persist, StorageSettings } from '../stores/conversation-store.ts';
import { storageScope } from './storage-scope.ts';

export interface PersistenceSettings {
  readonly persist: Persist;
  readonly endpoint: string | undefined;
  /** The agents that the page lists, and those that it has discovered. */
  readonly agents?: readonly (BaseAgent | AgentDescriptor)[] | undefined;
  readonly storage: StorageSettings | undefined;
  readonly threadId: string | undefined;
  readonly redact: Redact | undefined;
}

export interface StorageLocation {
  readonly scope: string;
  /** The owner of the conversations. Another owner sees none of them. */
  readonly owner: Owner;
  /** Identifies the store. */
  readonly storeKey: string;
}

export interface Owner {
  /** The `key` and `user` of the settings. */
  readonly user: string;
  /**
   * Undefined if nothing is stored: a conversation then continues with another endpoint, but never with another user.
   */
  readonly scope: string | undefined;
}

/** Whether the owner changed. A change of `persist` alone does not change it. */
export const isAnotherOwner = (before: Owner, now: Owner): boolean =>
  now.user !== before.user || (now.scope !== undefined && before.scope !== undefined && now.scope !== before.scope);

export function storageLocation({ persist, endpoint, storage }: PersistenceSettings): StorageLocation {
  const scope = storageScope(endpoint, storage);
  const user = storageScope(undefined, storage);
  const owner = { user, scope: persist === 'none' ? undefined : scope };
  const retention = storage?.retention === undefined ? '' : String(storage.retention);
  const storeKey = persist === 'none' ? `none ${user}` : `${persist} ${storeId(storage?.store)} ${retention} ${scope}`;
  return { scope, owner, storeKey };
}

let stores = 0;
const ids = new WeakMap<object, string>();

/** Identifies a store object of the page. */
function storeId(store: object | undefined): string {
  if (!store) return '';
  const id = ids.get(store) ?? String(++stores);
  ids.set(store, id);
  return id;
}
