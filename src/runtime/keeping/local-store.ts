/** Conversations in the browser's database, shared by the tabs of an origin. */
import { ChatError } from '../../errors.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ConversationStore, KeptThread, ThreadSummary } from './conversation-store.ts';
import { openDatabase, type Database, type ThreadRecord } from './database.ts';
import { expiryOf, overflowing } from './retention.ts';

/** All conversations of a scope together, in bytes. Source: `security/README.md`, rule 12. */
const LIMIT = 10 * 1024 * 1024;

export interface LocalStoreOptions {
  readonly scope: string;
  /** Days. */
  readonly retention: number | undefined;
  /** Bytes of all conversations. */
  readonly limit?: number;
  readonly open?: typeof openDatabase;
  readonly now?: () => number;
}

/** What was written of a conversation: only what is another object is written again. */
type Written = ReadonlyMap<string, { readonly message: ChatMessage; readonly place: number; readonly bytes: number }>;

export class LocalStore implements ConversationStore {
  readonly #options: LocalStoreOptions;
  readonly #written = new Map<string, Written>();
  #opening: Promise<Database> | undefined;

  constructor(options: LocalStoreOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly ThreadSummary[]> {
    await this.#sweep();
    const database = await this.#open();
    const records = await database.getAll('threads', under(this.#options.scope));
    return records.map(({ id, title, updated }) => ({ id, title, updated }));
  }

  async load(id: string): Promise<KeptThread | undefined> {
    const database = await this.#open();
    const { scope } = this.#options;
    const transaction = database.transaction(['threads', 'messages']);
    const [record, rows] = await Promise.all([
      transaction.objectStore('threads').get([scope, id]),
      transaction.objectStore('messages').getAll(under(scope, id)),
    ]);
    if (!record || this.#isOver(record)) return undefined;
    const { scope: _scope, bytes: _bytes, expires: _expires, ...thread } = record;
    return { ...thread, messages: rows.sort((left, right) => left.place - right.place).map(({ message }) => message) };
  }

  async save({ messages, ...thread }: KeptThread): Promise<void> {
    const { scope, retention, limit = LIMIT } = this.#options;
    const database = await this.#open();
    const before: Written = this.#written.get(thread.id) ?? new Map();
    const after = new Map(
      messages.map((message, place) => {
        const known = before.get(message.id);
        const bytes = known?.message === message ? known.bytes : JSON.stringify(message).length;
        return [message.id, { message, place, bytes }];
      }),
    );
    let bytes = 0;
    for (const row of after.values()) bytes += row.bytes;
    if (bytes > limit)
      throw new ChatError('storage', 'The conversation has grown too large to be kept.', { reason: 'storage-full' });
    const transaction = database.transaction(['threads', 'messages'], 'readwrite');
    const table = transaction.objectStore('messages');
    const writes: Promise<unknown>[] = [];
    for (const [id, row] of after) {
      const known = before.get(id);
      if (known?.message === row.message && known.place === row.place) continue;
      writes.push(table.put({ scope, thread: thread.id, id, place: row.place, message: row.message }));
    }
    for (const id of before.keys()) if (!after.has(id)) writes.push(table.delete([scope, thread.id, id]));
    const expires = expiryOf(thread.updated, retention);
    const record: ThreadRecord = { ...thread, scope, bytes, ...(expires !== undefined && { expires }) };
    writes.push(transaction.objectStore('threads').put(record));
    // Each write's own failure is the transaction's.
    for (const write of writes) write.catch(() => undefined);
    try {
      await transaction.done;
    } catch (error) {
      this.#written.delete(thread.id);
      throw error;
    }
    this.#written.set(thread.id, after);
    await this.#makeRoom(thread.id);
  }

  async rename(id: string, title: string): Promise<void> {
    const database = await this.#open();
    const transaction = database.transaction('threads', 'readwrite');
    const record = await transaction.store.get([this.#options.scope, id]);
    if (record) await transaction.store.put({ ...record, title });
    await transaction.done;
  }

  async remove(id: string): Promise<void> {
    const { scope } = this.#options;
    this.#written.delete(id);
    await removeThread(await this.#open(), scope, id);
  }

  async note(name: string): Promise<unknown> {
    return (await (await this.#open()).get('notes', [this.#options.scope, name]))?.value;
  }

  /** Writes a note; undefined deletes it. */
  async setNote(name: string, value: unknown): Promise<void> {
    const { scope } = this.#options;
    const database = await this.#open();
    if (value === undefined) await database.delete('notes', [scope, name]);
    else await database.put('notes', { scope, name, value });
  }

  /** Deletes everything of this scope. */
  async clear(): Promise<void> {
    const { scope } = this.#options;
    this.#written.clear();
    const transaction = (await this.#open()).transaction(['threads', 'messages', 'notes'], 'readwrite');
    await Promise.all([
      transaction.objectStore('threads').delete(under(scope)),
      transaction.objectStore('messages').delete(under(scope)),
      transaction.objectStore('notes').delete(under(scope)),
      transaction.done,
    ]);
  }

  /** What another tab has written is not as it was written here. */
  forgetWritten(id: string): void {
    this.#written.delete(id);
  }

  /** A page with an open connection is not kept for the way back. */
  close(): void {
    void this.#opening?.then(
      (database) => {
        database.close();
      },
      () => undefined,
    );
    this.#opening = undefined;
    this.#written.clear();
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

  #isOver({ expires }: ThreadRecord): boolean {
    return expires !== undefined && expires <= this.#now;
  }

  /** Deletes what has expired, also of other users and endpoints: they may never come back. */
  async #sweep(): Promise<void> {
    const database = await this.#open();
    const records = await database.getAll('threads');
    for (const record of records) {
      if (this.#isOver(record)) await removeThread(database, record.scope, record.id);
    }
  }

  async #makeRoom(staying: string): Promise<void> {
    const records = await (await this.#open()).getAll('threads', under(this.#options.scope));
    for (const id of overflowing(records, this.#options.limit ?? LIMIT, staying)) await this.remove(id);
  }
}

async function removeThread(database: Database, scope: string, id: string): Promise<void> {
  const transaction = database.transaction(['threads', 'messages', 'notes'], 'readwrite');
  await Promise.all([
    transaction.objectStore('threads').delete([scope, id]),
    transaction.objectStore('messages').delete(under(scope, id)),
    transaction.objectStore('notes').delete([scope, `draft ${id}`]),
    transaction.done,
  ]);
}

/** All keys that begin so. (A list is greater than every text.) */
const under = (...start: readonly string[]): IDBKeyRange => IDBKeyRange.bound([...start], [...start, []]);
