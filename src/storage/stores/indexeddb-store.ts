/** Stores conversations in IndexedDB, shared by the tabs of an origin. */
import { newId } from '../../runtime/new-id.ts';
import { changedMessages, conversationSize, inOrder, type KnownRecords } from './changed-messages.ts';
import type { StoredThread, ThreadSummary } from './conversation-store.ts';
import { openDatabase, type Database, type ThreadRecord } from './indexeddb-schema.ts';
import {
  deletionsOf,
  isDeleted,
  MARK_DAYS,
  markName,
  DELETION_SCOPE,
  newMark,
  type Deletions,
} from './deletion-marks.ts';
import { readConversation, readSummaries } from './validate-stored.ts';
import { expiryOf, threadsBeyondLimit } from './retention.ts';
import { ALL_TABLES, eraseScope, eraseThread, deleteExpired, keysWithPrefix, type Note } from './delete-expired.ts';
import type { ThreadStore } from './select-store.ts';
import { expiring, USER_TEXT_NOTES, unexpiredValue, type Lifetime } from './draft-record.ts';

/** Maximum size of all conversations in a scope, in UTF-16 code units of their JSON. See `docs/security.md`. */
const MAX_CHARACTERS = 10 * 1024 * 1024;

export interface IndexedDbStoreOptions {
  readonly scope: string;
  /** Days. */
  readonly retention: number | undefined;
  /** Maximum size of all conversations, in UTF-16 code units of their JSON. */
  readonly limit?: number;
  readonly open?: typeof openDatabase;
  readonly now?: () => number;
}

interface Notes {
  get(key: [scope: string, name: string]): Promise<Note | undefined>;
}

export class IndexedDbStore implements ThreadStore {
  readonly #options: IndexedDbStoreOptions;
  readonly #written = new Map<string, KnownRecords>();
  #opening: Promise<Database> | undefined;
  #closed = false;

  constructor(options: IndexedDbStoreOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly ThreadSummary[]> {
    await this.deleteExpired();
    const records = await this.#use((database) => database.getAll('threads', keysWithPrefix(this.#options.scope)));
    return readSummaries(records);
  }

  async load(id: string): Promise<StoredThread | undefined> {
    const { scope } = this.#options;
    return this.#use(async (database) => {
      const transaction = database.transaction(['threads', 'messages']);
      const [record, rows] = await Promise.all([
        transaction.objectStore('threads').get([scope, id]),
        transaction.objectStore('messages').getAll(keysWithPrefix(scope, id)),
      ]);
      if (!record || this.#isExpired(record)) {
        if (record) await eraseThread(database, { scope, id });
        return undefined;
      }
      const { scope: _scope, bytes: _bytes, expires: _expires, revision: _revision, ...thread } = record;
      this.#written.delete(id);
      this.addSeenMessages(
        id,
        rows.map((row) => row.id),
      );
      return readConversation(id, { ...thread, messages: inOrder(rows) });
    });
  }

  async save(thread: StoredThread, known?: Deletions): Promise<boolean> {
    const saved = await this.#use((database) => this.#put(database, thread, known));
    if (saved) await this.#makeRoom(thread.id);
    return saved;
  }

  async #put(
    database: Database,
    { messages, ...thread }: StoredThread,
    known: Deletions | undefined,
  ): Promise<boolean> {
    const { scope, retention, limit = MAX_CHARACTERS } = this.#options;
    const { id } = thread;
    const transaction = database.transaction(ALL_TABLES, 'readwrite');
    // The error of a single write is reported by the transaction.
    transaction.done.catch(() => undefined);
    const table = transaction.objectStore('messages');
    const [record, deletions] = await Promise.all([
      transaction.objectStore('threads').get([scope, id]),
      this.#deletionsIn(transaction.objectStore('notes'), id),
    ]);
    if (known && isDeleted(known, deletions)) {
      this.#written.delete(id);
      return false;
    }
    const written = this.#written.get(id);
    const isOurs = record?.revision !== undefined && record.revision === written?.revision;
    const stored = isOurs
      ? written.rows
      : new Map((await table.getAll(keysWithPrefix(scope, id))).map((row) => [row.id, row] as const));
    const changes = changedMessages(
      stored,
      messages,
      record && !this.#isExpired(record) ? (written?.seen ?? new Set()) : undefined,
    );
    const { put, remove, rows } = changes;
    const bytes = conversationSize(changes, thread.state, limit);
    const revision = newId();
    const expires = expiryOf(thread.updated, retention);
    const next: ThreadRecord = { ...thread, scope, bytes, revision, ...(expires !== undefined && { expires }) };
    const writes: Promise<unknown>[] = [
      ...put.map(({ place, message }) => table.put({ scope, thread: id, id: message.id, place, message })),
      ...remove.map((message) => table.delete([scope, id, message])),
      transaction.objectStore('threads').put(next),
    ];
    for (const write of writes) write.catch(() => undefined);
    try {
      await transaction.done;
    } catch (error) {
      this.#written.delete(id);
      throw error;
    }
    this.#written.set(id, { revision, rows, seen: new Set([...(written?.seen ?? []), ...rows.keys()]) });
    return true;
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#use(async (database) => {
      const transaction = database.transaction('threads', 'readwrite');
      const record = await transaction.store.get([this.#options.scope, id]);
      if (record) await transaction.store.put({ ...record, title });
      await transaction.done;
    });
  }

  async remove(id: string): Promise<void> {
    const { scope } = this.#options;
    this.#written.delete(id);
    const erase = (mark?: Note): Promise<void> => this.#use((database) => eraseThread(database, { scope, id, mark }));
    await this.#eraseWithMark(erase, this.#mark(id));
  }

  async removeAll(): Promise<void> {
    const { scope } = this.#options;
    this.#written.clear();
    const erase = (mark?: Note): Promise<void> => this.#use((database) => eraseScope(database, scope, mark));
    await this.#eraseWithMark(erase, this.#mark());
  }

  /** In a full storage, deletes without the mark, which needs space: users delete conversations to free some. */
  async #eraseWithMark(erase: (mark?: Note) => Promise<void>, mark: Note): Promise<void> {
    try {
      await erase(mark);
    } catch {
      await erase();
      // Other tabs receive a message too. If there is still no space, only a suspended tab misses the deletion.
      await this.#use((database) => database.put('notes', mark)).catch(() => undefined);
    }
  }

  async putBack(thread: StoredThread): Promise<void> {
    await this.unmark(thread.id);
    await this.save(thread);
  }

  deletions(id: string): Promise<Deletions> {
    return this.#use((database) => this.#deletionsIn(database.transaction('notes').store, id));
  }

  /** Marks a conversation, or all, as deleted. Used if conversations are in the page's own store. */
  async mark(id?: string): Promise<void> {
    await this.#use((database) => database.put('notes', this.#mark(id)));
  }

  async unmark(id: string): Promise<void> {
    await this.#use((database) => database.delete('notes', [DELETION_SCOPE, markName(this.#options.scope, id)]));
  }

  async note(name: string): Promise<unknown> {
    const stored = await this.#use((database) => database.get('notes', [this.#options.scope, name]));
    return unexpiredValue(stored?.value, this.#lifetime);
  }

  /** Writes a note; undefined deletes it. */
  async setNote(name: string, value: unknown): Promise<void> {
    const { scope } = this.#options;
    const stored = USER_TEXT_NOTES.test(name) ? expiring(value, this.#lifetime) : value;
    await this.#use(async (database) => {
      if (value === undefined) {
        await database.delete('notes', [scope, name]);
        return;
      }
      try {
        await database.put('notes', { scope, name, value: stored });
      } catch (error) {
        // Of permissions, the old value may have one that the user has revoked.
        if (name === 'approvals') await database.delete('notes', [scope, name]);
        throw error;
      }
    });
  }

  /** No action needed: each save checks the deletion marks. */
  expectMissedDeletion(): void {
    return undefined;
  }

  addSeenMessages(id: string, messages: Iterable<string>): void {
    const written = this.#written.get(id);
    this.#written.set(id, {
      revision: written?.revision,
      rows: written?.rows ?? new Map(),
      seen: new Set([...(written?.seen ?? []), ...messages]),
    });
  }

  async deleteExpired(): Promise<void> {
    const { scope } = this.#options;
    await this.#use((database) => deleteExpired(database, { scope, ...this.#lifetime }));
  }

  /**
   * Closes the connection, because a page with an open one can't enter the back/forward cache. Later writes open their
   * own.
   */
  close(): void {
    this.#closed = true;
    this.#disconnect();
  }

  reopen(): void {
    this.#closed = false;
  }

  #disconnect(): void {
    void this.#opening?.then(
      (database) => {
        database.close();
      },
      () => undefined,
    );
    this.#opening = undefined;
  }

  /**
   * Runs an operation on the database. If the connection was closed meanwhile, for example by deleting the site's data,
   * it is opened again.
   */
  async #use<Result>(act: (database: Database) => Promise<Result>): Promise<Result> {
    const opening = this.#open();
    try {
      return await act(await opening);
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
      if (this.#opening === opening) this.#opening = undefined;
      return await act(await this.#open());
    } finally {
      if (this.#closed) this.#disconnect();
    }
  }

  #open(): Promise<Database> {
    const { open = openDatabase } = this.#options;
    this.#opening ??= open({
      closed: () => {
        this.#opening = undefined;
      },
    }).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  get #lifetime(): Lifetime {
    return { now: this.#now, retention: this.#options.retention };
  }

  #mark(id?: string): Note {
    const name = markName(this.#options.scope, id);
    return { scope: DELETION_SCOPE, name, value: expiring(newMark(), { now: this.#now, retention: MARK_DAYS }) };
  }

  async #deletionsIn(notes: Notes, id: string): Promise<Deletions> {
    const { scope } = this.#options;
    const [all, own] = await Promise.all([
      notes.get([DELETION_SCOPE, markName(scope)]),
      notes.get([DELETION_SCOPE, markName(scope, id)]),
    ]);
    return deletionsOf(all?.value, own?.value);
  }

  /** The current retention applies, even if another one was stored. */
  #isExpired({ updated }: ThreadRecord): boolean {
    const expires = expiryOf(updated, this.#options.retention);
    return expires !== undefined && expires <= this.#now;
  }

  async #makeRoom(staying: string): Promise<void> {
    const { scope, limit = MAX_CHARACTERS } = this.#options;
    const records = await this.#use((database) => database.getAll('threads', keysWithPrefix(scope)));
    for (const id of threadsBeyondLimit(records, limit, staying)) {
      this.#written.delete(id);
      await this.#use((database) => eraseThread(database, { scope, id }));
    }
  }
}
