/** Selects the stores for a scope from the page's settings. */
import type { Awaitable, Persist, StorageSettings } from './conversation-store.ts';
import { IndexedDbStore } from './indexeddb-store.ts';
import { PageStore } from './page-store.ts';
import { DEFAULT_RETENTION_DAYS } from './retention.ts';
import { SessionStore } from './session-store.ts';
import type { ThreadStore } from './select-store.ts';
import { expiring, USER_TEXT_NOTES, unexpiredValue, type Lifetime } from './draft-record.ts';
import { TabNotes } from './web-storage.ts';

/** Small values by name, such as drafts. */
interface Notes {
  get(name: string): Awaitable<unknown>;
  /** Stores a value; undefined deletes it. */
  set(name: string, value: unknown): Awaitable<unknown>;
}

export interface StorageBackend {
  readonly store: ThreadStore;
  readonly notes: Notes;
  /** Data of this tab only. */
  readonly tab: Notes & { names(start: string): readonly string[]; clear(): void };
  /** Written synchronously when the page is left, because a database may take too long. */
  readonly journal?: SessionStore;
  /** Whether other tabs have the same conversations. */
  readonly shared: boolean;
  /** Deletes everything in the scope. */
  deleteAll(): Promise<void>;
  /** Called when the page is left: closes the database when all writes have finished. */
  close(): void;
  reopen(): void;
}

export interface StorageBackendOptions {
  readonly persist: Persist;
  readonly scope: string;
  readonly storage: StorageSettings | undefined;
}

export function createStorageBackend({
  persist,
  scope,
  storage = {},
}: StorageBackendOptions): StorageBackend | undefined {
  if (persist === 'none') return undefined;
  const retention = storage.retention ?? (persist === 'local' ? DEFAULT_RETENTION_DAYS : undefined);
  const tab = tabNotes(new TabNotes(scope), retention);
  const local = new IndexedDbStore({ scope, retention });
  const connection = {
    close: (): void => {
      local.close();
    },
    reopen: (): void => {
      local.reopen();
    },
  };
  const own = storage.store && new PageStore(storage.store, local);
  if (persist === 'session') {
    const store = own ?? new SessionStore({ scope, retention });
    const forget = async (): Promise<void> => {
      tab.clear();
      // Last, because it stores the deletion mark.
      await store.removeAll();
    };
    return { store, notes: tab, tab, shared: own !== undefined, deleteAll: forget, ...connection };
  }
  return {
    store: own ?? local,
    notes: {
      get: (name) => local.note(name),
      set: (name, value) => local.setNote(name, value),
    },
    tab,
    journal: new SessionStore({ scope, kind: 'left', retention }),
    shared: true,
    deleteAll: async () => {
      tab.clear();
      await Promise.all([own?.removeAll(), local.removeAll()]);
    },
    ...connection,
  };
}

function tabNotes(notes: TabNotes, retention: number | undefined): StorageBackend['tab'] {
  const lifetime = (): Lifetime => ({ now: Date.now(), retention });
  return {
    get: (name) => (USER_TEXT_NOTES.test(name) ? unexpiredValue(notes.get(name), lifetime()) : notes.get(name)),
    set: (name, value) => {
      if (value === undefined) notes.remove(name);
      else notes.set(name, USER_TEXT_NOTES.test(name) ? expiring(value, lifetime()) : value);
    },
    names: (start) => notes.names(start),
    clear: () => {
      notes.clear();
    },
  };
}
