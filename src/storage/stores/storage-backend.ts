/** Creates the stores of a scope, as the page's settings `persist` and `storage` require. */
import type { Awaitable, Persist, StorageSettings } from './conversation-store.ts';
import { IndexedDbStore } from './indexeddb-store.ts';
import { PageStore } from './page-store.ts';
import { DEFAULT_RETENTION_DAYS } from './retention.ts';
import { SessionStore } from './session-store.ts';
import type { ThreadStore } from './select-store.ts';
import { expiring, USER_TEXT_NOTES, unexpiredValue, type Lifetime } from './draft-record.ts';
import { TabNotes } from './web-storage.ts';

/** A key-value store for small values outside the conversations, such as drafts and tool approvals. */
interface Notes {
  get(name: string): Awaitable<unknown>;
  /** Stores a value; undefined deletes it. */
  set(name: string, value: unknown): Awaitable<unknown>;
}

export interface StorageBackend {
  readonly store: ThreadStore;
  readonly notes: Notes;
  /** Values of this tab only, such as the id of its current conversation. */
  readonly tab: Notes & { names(prefix: string): readonly string[]; clear(): void };
  /** Copies of the conversations, written synchronously when the page is left, because a database may not finish in time. */
  readonly journal?: SessionStore;
  /** Whether other tabs use the same stored conversations. */
  readonly shared: boolean;
  /** Deletes everything in the scope. */
  deleteAll(): Promise<void>;
  /** Closes the database as soon as all writes have finished. Called when the page is left. */
  close(): void;
  /** Opens the database again, when the page returns from the back/forward cache or the removed element is inserted again. */
  reopen(): void;
}

export interface StorageBackendOptions {
  readonly persist: Persist;
  readonly scope: string;
  readonly storage: StorageSettings | undefined;
}

/** Returns undefined if nothing is stored (`persist="none"`). */
export function createStorageBackend({
  persist,
  scope,
  storage = {},
}: StorageBackendOptions): StorageBackend | undefined {
  if (persist === 'none') return undefined;
  const retention = storage.retention ?? (persist === 'local' ? DEFAULT_RETENTION_DAYS : undefined);
  const tab = tabNotes(new TabNotes(scope), retention);
  const local = new IndexedDbStore({ scope, retention });
  // With `storage.store`, the database still holds the deletion marks.
  const connection = {
    close: (): void => {
      local.close();
    },
    reopen: (): void => {
      local.reopen();
    },
  };
  const pageStore = storage.store && new PageStore(storage.store, local);
  if (persist === 'session') {
    const store = pageStore ?? new SessionStore({ scope, retention });
    const deleteAll = async (): Promise<void> => {
      tab.clear();
      // Last: it writes a deletion mark, which `tab.clear()` would delete.
      await store.removeAll();
    };
    return { store, notes: tab, tab, shared: pageStore !== undefined, deleteAll, ...connection };
  }
  return {
    store: pageStore ?? local,
    notes: {
      get: (name) => local.note(name),
      set: (name, value) => local.setNote(name, value),
    },
    tab,
    journal: new SessionStore({ scope, kind: 'left', retention }),
    shared: true,
    deleteAll: async () => {
      tab.clear();
      await Promise.all([pageStore?.removeAll(), local.removeAll()]);
    },
    ...connection,
  };
}

/** The values of this tab. Those with text of the user expire like conversations. */
function tabNotes(notes: TabNotes, retention: number | undefined): StorageBackend['tab'] {
  const lifetime = (): Lifetime => ({ now: Date.now(), retention });
  return {
    get: (name) => (USER_TEXT_NOTES.test(name) ? unexpiredValue(notes.get(name), lifetime()) : notes.get(name)),
    set: (name, value) => {
      if (value === undefined) notes.remove(name);
      else notes.set(name, USER_TEXT_NOTES.test(name) ? expiring(value, lifetime()) : value);
    },
    names: (prefix) => notes.names(prefix),
    clear: () => {
      notes.clear();
    },
  };
}
