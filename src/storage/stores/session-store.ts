/**
 * Stores the conversations of one tab in `sessionStorage`. Each message is a record, so that a streaming reply rewrites
 * no other.
 */
import { isRecord } from '../../model/json.ts';
import { newId } from '../../runtime/new-id.ts';
import {
  changedMessages,
  conversationSize,
  inOrder,
  type Changes,
  type MessageRow,
  type KnownRecords,
} from './changed-messages.ts';
import type { StoredThread, ThreadSummary } from './conversation-store.ts';
import { deletionsOf, isDeleted, MARK_DAYS, newMark, type Deletions } from './deletion-marks.ts';
import { expiryOf, threadsBeyondLimit } from './retention.ts';
import { readConversation, readSummaries } from './validate-stored.ts';
import type { ThreadStore } from './select-store.ts';
import { expiring, isExpiring, USER_TEXT_NOTES, unexpiredValue } from './draft-record.ts';
import { TabNotes } from './web-storage.ts';

/** Maximum size in UTF-16 code units. Browsers allow an origin about 5 Mi, and the page may need some of it. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export interface SessionStoreOptions {
  readonly scope: string;
  /** Prefix of the record names. Default: `thread`. */
  readonly kind?: string;
  /** Days. Undefined: as long as the tab. */
  readonly retention?: number | undefined;
  readonly now?: () => number;
}

/** A conversation without its messages. */
type Head = Omit<StoredThread, 'messages'> & {
  readonly revision?: string;
  /** The deletion marks when it was stored, because a copy may outlive a deletion. */
  readonly known?: Deletions;
  /** It is not the whole conversation: the stored copy could not be read before. */
  readonly isPart?: boolean;
  /** Older versions stored all messages here instead of in records. */
  readonly messages?: StoredThread['messages'];
};

export class SessionStore implements ThreadStore {
  readonly #notes: TabNotes;
  readonly #options: SessionStoreOptions;
  readonly #kind: string;
  readonly #written = new Map<string, KnownRecords>();

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#kind = options.kind ?? 'thread';
    this.#notes = new TabNotes(options.scope);
  }

  list(): readonly ThreadSummary[] {
    this.deleteExpired();
    return readSummaries(this.#heads());
  }

  load(id: string): StoredThread | undefined {
    const head = this.#head(id);
    if (!head) return undefined;
    if (this.#isExpired(head)) {
      this.#erase(id);
      return undefined;
    }
    const { revision: _revision, known: _known, isPart: _isPart, ...thread } = head;
    const rows = this.#rows(id, head);
    this.#written.delete(id);
    this.addSeenMessages(id, rows.keys());
    return readConversation(id, { ...thread, messages: inOrder([...rows.values()]) });
  }

  /** Deletes a copy that has been read. This does not delete the conversation. */
  discard(id: string): void {
    this.#erase(id);
  }

  /** The deletion marks when it was stored. */
  deletionsWhenStored(id: string): Deletions {
    return this.#head(id)?.known ?? {};
  }

  /** Whether it has to be combined with the copy in the store, which could not be read before. */
  isPart(id: string): boolean {
    return this.#head(id)?.isPart === true;
  }

  save({ messages, ...thread }: StoredThread, known?: Deletions, isPart = false): boolean {
    const { id } = thread;
    if (known && isDeleted(known, this.deletions(id))) return false;
    const head = this.#head(id);
    const written = this.#written.get(id);
    const isOurs = head?.revision !== undefined && head.revision === written?.revision;
    // If all messages were in the head, each is written again as a record.
    const stored = isOurs ? written.rows : this.#rows(id, head?.messages ? undefined : head);
    const seen = head && !this.#isExpired(head) ? (written?.seen ?? new Set<string>()) : undefined;
    const changes = changedMessages(stored, messages, seen);
    const revision = newId();
    const next: Head = { ...thread, revision, ...(known && { known }), ...(isPart && { isPart }) };
    this.#write(next, changes, stored);
    this.#written.set(id, {
      revision,
      rows: changes.rows,
      seen: new Set([...(written?.seen ?? []), ...changes.rows.keys()]),
    });
    return true;
  }

  rename(id: string, title: string): void {
    const head = this.#head(id);
    if (head) this.#notes.set(this.#headName(id), { ...head, title });
  }

  remove(id: string): void {
    this.#erase(id);
    this.#notes.set(this.#markName(id), this.#mark());
  }

  removeAll(): void {
    this.#written.clear();
    this.#notes.clear();
    this.#notes.set(this.#markName(), this.#mark());
  }

  putBack(thread: StoredThread): void {
    this.#notes.remove(this.#markName(thread.id));
    this.save(thread);
  }

  deletions(id: string): Deletions {
    return deletionsOf(this.#notes.get(this.#markName()), this.#notes.get(this.#markName(id)));
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

  deleteExpired(): void {
    for (const head of this.#heads()) if (this.#isExpired(head)) this.#erase(head.id);
    for (const name of this.#notes.names()) if (USER_TEXT_NOTES.test(name)) this.#sweepNote(name);
  }

  /** Deletes an expired note. One that was stored without a time gets the current one. */
  #sweepNote(name: string): void {
    const lifetime = { now: this.#now, retention: this.#options.retention };
    const stored = this.#notes.get(name);
    if (unexpiredValue(stored, lifetime) === undefined) this.#notes.remove(name);
    else if (!isExpiring(stored)) this.#notes.set(name, expiring(stored, lifetime));
  }

  /** Writes the messages before the head: until then new messages belong to no branch. */
  #write(head: Head, changes: Changes, before: ReadonlyMap<string, MessageRow>): void {
    const { put, remove } = changes;
    const bytes = conversationSize(changes, head.state, MAX_CHARACTERS);
    const names: string[] = [];
    const attempt = (): void => {
      for (const { id, place, message } of put) {
        const name = this.#rowName(head.id, id);
        if (!before.has(id)) names.push(name);
        this.#notes.set(name, { place, message } satisfies MessageRow);
      }
      this.#notes.set(this.#headName(head.id), head);
    };
    this.#makeRoom({ ...head, bytes });
    try {
      attempt();
    } catch (error) {
      for (const name of names) this.#notes.remove(name);
      this.#written.delete(head.id);
      throw error;
    }
    for (const id of remove) this.#notes.remove(this.#rowName(head.id, id));
  }

  #erase(id: string): void {
    this.#written.delete(id);
    this.#notes.remove(this.#headName(id));
    for (const name of this.#notes.names(this.#rowName(id, ''))) this.#notes.remove(name);
  }

  #heads(): readonly Head[] {
    const start = this.#headName('');
    return this.#notes.names(start).flatMap((name) => this.#head(name.slice(start.length)) ?? []);
  }

  #head(id: string): Head | undefined {
    const head = this.#notes.get(this.#headName(id));
    return isRecord(head) ? (head as unknown as Head) : undefined;
  }

  #rows(id: string, head: Head | undefined): ReadonlyMap<string, MessageRow> {
    const rows = new Map<string, MessageRow>(
      Array.isArray(head?.messages)
        ? (head.messages as readonly MessageRow['message'][]).map((message, place) => [message.id, { place, message }])
        : [],
    );
    const start = this.#rowName(id, '');
    for (const name of this.#notes.names(start)) {
      const row = this.#notes.get(name);
      if (isRecord(row)) rows.set(name.slice(start.length), row as unknown as MessageRow);
    }
    return rows;
  }

  #headName(id: string): string {
    return `${this.#kind} ${id}`;
  }

  /** The name of a message record. The id is quoted, because it may contain spaces. */
  #rowName(id: string, message: string): string {
    return `${this.#kind}-message ${JSON.stringify(id)} ${message}`;
  }

  #markName(id?: string): string {
    return id === undefined ? `${this.#kind}-all-deleted` : `${this.#kind}-deleted ${id}`;
  }

  #mark(): unknown {
    return expiring(newMark(), { now: this.#now, retention: MARK_DAYS });
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #isExpired({ updated }: Head): boolean {
    const expires = expiryOf(updated, this.#options.retention);
    return expires !== undefined && expires <= this.#now;
  }

  /** Deletes older conversations above the limit. */
  #makeRoom(saving: { readonly id: string; readonly updated: number; readonly bytes: number }): void {
    const others = this.#heads().filter(({ id }) => id !== saving.id);
    const weighed = others.map(({ id, updated }) => ({ id, updated, bytes: this.#bytesOf(id) }));
    for (const id of threadsBeyondLimit([...weighed, saving], MAX_CHARACTERS, saving.id)) this.#erase(id);
  }

  #bytesOf(id: string): number {
    const names = [this.#headName(id), ...this.#notes.names(this.#rowName(id, ''))];
    return names.reduce((sum, name) => sum + this.#notes.lengthOf(name), 0);
  }
}
