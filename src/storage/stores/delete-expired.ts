/** Deletes single conversations and expired data from the database. */
import type { Database } from './indexeddb-schema.ts';
import { expiryOf } from './retention.ts';
import { expiring, isExpiring, USER_TEXT_NOTES, type Expiring, type Lifetime } from './draft-record.ts';

/** The range of all keys with this prefix. In IndexedDB an array is greater than any string. */
export const keysWithPrefix = (...start: readonly string[]): IDBKeyRange =>
  IDBKeyRange.bound([...start], [...start, []]);

export interface Note {
  readonly scope: string;
  readonly name: string;
  readonly value: unknown;
}

export const ALL_TABLES = ['threads', 'messages', 'notes'] as const;

/** Deletes a conversation and all its data, and stores `mark` instead. */
export async function eraseThread(
  database: Database,
  { scope, id, mark }: { readonly scope: string; readonly id: string; readonly mark?: Note | undefined },
): Promise<void> {
  const transaction = database.transaction(ALL_TABLES, 'readwrite');
  const notes = transaction.objectStore('notes');
  await Promise.all([
    transaction.objectStore('threads').delete([scope, id]),
    transaction.objectStore('messages').delete(keysWithPrefix(scope, id)),
    // The names of the notes are defined in `threads/drafts.ts`.
    notes.delete([scope, `draft ${id}`]),
    notes.delete([scope, `answers ${id}`]),
    mark && notes.put(mark),
    transaction.done,
  ]);
}

/** Deletes all data of a user and endpoint, and stores `mark` instead. */
export async function eraseScope(database: Database, scope: string, mark?: Note): Promise<void> {
  const transaction = database.transaction(ALL_TABLES, 'readwrite');
  await Promise.all([
    ...ALL_TABLES.map((name) => transaction.objectStore(name).delete(keysWithPrefix(scope))),
    mark && transaction.objectStore('notes').put(mark),
    transaction.done,
  ]);
}

interface Aged {
  readonly updated: number;
  readonly expires?: number;
}

/**
 * Deletes expired data, also of other users and endpoints, who may never return. In the current scope the current
 * retention applies; in others the one stored with the data. Data dated in the future was stored before the clock was
 * set back: its time starts now, like that of damaged data without a time.
 */
export async function deleteExpired(
  database: Database,
  { scope, ...lifetime }: Lifetime & { readonly scope: string },
): Promise<void> {
  const { now } = lifetime;
  const isExpired = (aged: Aged, isOwn: boolean): boolean => {
    const expires = isOwn ? expiryOf(aged.updated, lifetime.retention) : aged.expires;
    return Number.isFinite(expires) && Number(expires) <= now;
  };
  const [threads, notes] = await Promise.all([database.getAll('threads'), database.getAll('notes')]);
  for (const record of threads) {
    if (isExpired(record, record.scope === scope)) await eraseThread(database, record);
    else if (!Number.isFinite(record.updated) || record.updated > now)
      await database.put('threads', fromNow(record, now));
  }
  for (const note of notes) {
    const { value } = note;
    if (isExpiring(value)) {
      if (isExpired(value, note.scope === scope)) await database.delete('notes', [note.scope, note.name]);
      else if (value.updated > now) await database.put('notes', { ...note, value: fromNow<Expiring>(value, now) });
    } else if (USER_TEXT_NOTES.test(note.name))
      await database.put('notes', { ...note, value: expiring(value, lifetime) });
  }
}

const fromNow = <Record extends Aged>(record: Record, now: number): Record => ({
  ...record,
  updated: now,
  ...(Number.isFinite(record.expires) &&
    Number.isFinite(record.updated) && { expires: now + Number(record.expires) - record.updated }),
});
