/** The IndexedDB database: its schema, migrations, and how it is opened. */
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import type { ChatMessage } from '../../model/message.ts';
import type { StoredThread } from './conversation-store.ts';

/** A conversation without its messages. */
export interface ThreadRecord extends Omit<StoredThread, 'messages'> {
  readonly scope: string;
  /** Approximate size of its messages and state: UTF-16 code units of their JSON. */
  readonly bytes: number;
  /** Expiry time in milliseconds since the epoch. Absent: stored permanently. */
  readonly expires?: number;
  /** A new id with each save. If it is not the one that this tab wrote last, another tab has saved. */
  readonly revision?: string;
}

interface Tables extends DBSchema {
  threads: { key: [scope: string, id: string]; value: ThreadRecord };
  /** One record for each message, so that saving a streaming reply does not rewrite the other messages. */
  messages: {
    key: [scope: string, thread: string, id: string];
    value: {
      readonly scope: string;
      readonly thread: string;
      readonly id: string;
      /** Index in the conversation. */
      readonly place: number;
      readonly message: ChatMessage;
    };
  };
  /** Drafts, approvals, marks of deleted conversations and other small values. */
  notes: {
    key: [scope: string, name: string];
    value: { readonly scope: string; readonly name: string; readonly value: unknown };
  };
}

export type Database = IDBPDatabase<Tables>;
type Upgrade = IDBPTransaction<Tables, StoreNames<Tables>[], 'versionchange'>;
export type Migration = (database: Database, transaction: Upgrade) => void;

/**
 * One migration for each version of the database, the oldest first. These have run on users' devices: add a new entry
 * for a new schema, and never change an existing one.
 */
const MIGRATIONS: readonly Migration[] = [
  (database) => {
    database.createObjectStore('threads', { keyPath: ['scope', 'id'] });
    database.createObjectStore('messages', { keyPath: ['scope', 'thread', 'id'] });
    database.createObjectStore('notes', { keyPath: ['scope', 'name'] });
  },
];

export interface OpenOptions {
  readonly name?: string;
  readonly migrations?: readonly Migration[];
  /** Called when the connection was closed: another tab needs a newer version, or the browser closed it. */
  readonly closed?: () => void;
}

/** Opens the database and migrates an older version. */
export async function openDatabase({
  name = 'agent-chat',
  migrations = MIGRATIONS,
  closed,
}: OpenOptions = {}): Promise<Database> {
  const database = await openDB<Tables>(name, migrations.length, {
    upgrade(opened, oldVersion, _newVersion, transaction) {
      for (const migrate of migrations.slice(oldVersion)) migrate(opened, transaction);
    },
    // A newer version of the widget in another tab waits until this connection is closed.
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
