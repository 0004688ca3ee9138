/** Where a scope's data is, by the page's settings. */
import type { Awaitable, ConversationStore, Persist, StorageSettings } from './conversation-store.ts';
import { LocalStore } from './local-store.ts';
import { DEFAULT_DAYS } from './retention.ts';
import { TabNotes, TabStore } from './web-storage.ts';

/** Small things by name, such as drafts. */
interface Notes {
  get(name: string): Awaitable<unknown>;
  /** Undefined deletes it. */
  set(name: string, value: unknown): Awaitable<unknown>;
  clear(): Awaitable<unknown>;
}

export interface Place {
  readonly store: ConversationStore;
  readonly notes: Notes;
  /** What this tab alone is to know. */
  readonly tab: Notes;
  /** Written at once when the page is left: a database may take longer than the page has. */
  readonly journal?: ConversationStore;
  /** Other tabs have the same conversations. */
  readonly shared: boolean;
  /** What another tab has written of a conversation is newer than what was written here. */
  changedElsewhere(id: string): void;
  /** Lets go of the database until it is used again. */
  close(): void;
}

export interface PlaceOptions {
  readonly persist: Persist;
  readonly scope: string;
  readonly storage: StorageSettings | undefined;
}

export function placeFor({ persist, scope, storage = {} }: PlaceOptions): Place | undefined {
  if (persist === 'none') return undefined;
  const tab = tabNotes(new TabNotes(scope));
  const { store, retention } = storage;
  if (persist === 'session') {
    return { store: store ?? new TabStore(scope), notes: tab, tab, shared: store !== undefined, ...nothingToClose };
  }
  const local = new LocalStore({ scope, retention: retention ?? DEFAULT_DAYS });
  return {
    store: store ?? local,
    notes: {
      get: (name) => local.note(name),
      set: (name, value) => local.setNote(name, value),
      clear: () => local.clear(),
    },
    tab,
    journal: new TabStore(scope, 'left'),
    shared: true,
    changedElsewhere: (id) => {
      local.forgetWritten(id);
    },
    close: () => {
      local.close();
    },
  };
}

const nothingToClose = { changedElsewhere: () => undefined, close: () => undefined };

const tabNotes = (notes: TabNotes): Notes => ({
  get: (name) => notes.get(name),
  set: (name, value) => {
    if (value === undefined) notes.remove(name);
    else notes.set(name, value);
  },
  clear: () => {
    notes.clear();
  },
});
