/** The browser's database: its form, how an older one becomes it, and how it is opened. */
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import type { ChatMessage } from '../../model/message.ts';
import type { KeptThread } from './conversation-store.ts';

/** All of a conversation but its messages. */
export interface ThreadRecord extends Omit<KeptThread, 'messages'> {
  readonly scope: string;
  /** Of its messages' JSON, about. */
  readonly bytes: number;
  /** Milliseconds since the epoch; absent where it is kept for good. */
  readonly expires?: number;
}

interface Tables extends DBSchema {
  threads: { key: [scope: string, id: string]; value: ThreadRecord };
  /** A message each, so that a reply that grows writes no other. */
  messages: {
    key: [scope: string, thread: string, id: string];
    value: {
      readonly scope: string;
      readonly thread: string;
      readonly place: number;
      readonly message: ChatMessage;
    } & {
      readonly id: string;
    };
  };
  /** Drafts, approvals and other small things. */
  notes: {
    key: [scope: string, name: string];
    value: { readonly scope: string; readonly name: string; readonly value: unknown };
  };
}

export type Database = IDBPDatabase<Tables>;
type Upgrade = IDBPTransaction<Tables, StoreNames<Tables>[], 'versionchange'>;
export type Migration = (database: Database, transaction: Upgrade) => void;

/**
 * One for each version of the database, oldest first. What is here has run on readers' machines: a new form is a new entry at
 * the end, never a change of an old one.
 */
const migrations: readonly Migration[] = [
  (database) => {
    database.createObjectStore('threads', { keyPath: ['scope', 'id'] });
    database.createObjectStore('messages', { keyPath: ['scope', 'thread', 'id'] });
    database.createObjectStore('notes', { keyPath: ['scope', 'name'] });
  },
];

export interface OpenOptions {
  readonly name?: string;
  readonly migrations?: readonly Migration[];
  /** The connection is gone: another tab needs a newer form, or the browser took it. */
  readonly closed?: () => void;
}

/** Opens the database, after bringing an older one to the form of today. */
export async function openDatabase({
  name = 'agent-chat',
  migrations: steps = migrations,
  closed,
}: OpenOptions = {}): Promise<Database> {
  const database = await openDB<Tables>(name, steps.length, {
    upgrade(opened, before, _after, transaction) {
      for (const step of steps.slice(before)) step(opened, transaction);
    },
    // A newer copy of the widget in another tab waits for this one.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      closed?.();
    },
    terminated() {
      closed?.();
    },
  });
  return database;
}
