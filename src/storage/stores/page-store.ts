/** Adapts the host page's own store. Deletion marks, which it does not know, are stored in the browser. */
import type { ConversationStore, StoredThread, ThreadSummary } from './conversation-store.ts';
import { isDeleted, type Deletions } from './deletion-marks.ts';
import { readConversation, readSummaries } from './validate-stored.ts';
import type { ThreadStore } from './select-store.ts';

/** The storage of the deletion marks. */
export interface DeletionMarkStore {
  deletions(id: string): Promise<Deletions>;
  /** Without an id, everything is marked as deleted. */
  mark(id?: string): Promise<void>;
  unmark(id: string): Promise<void>;
}

/** Time limit for a mark (ms): the page's store must not wait for a database that does not respond. */
const MARK_MS = 1000;

export class PageStore implements ThreadStore {
  readonly #store: ConversationStore;
  readonly #marks: DeletionMarkStore;
  #mayHaveMissedDeletion = false;

  constructor(store: ConversationStore, marks: DeletionMarkStore) {
    this.#store = store;
    this.#marks = marks;
  }

  async list(): Promise<readonly ThreadSummary[]> {
    return readSummaries(await this.#store.list());
  }

  async load(id: string): Promise<StoredThread | undefined> {
    return readConversation(id, await this.#store.load(id));
  }

  async save(thread: StoredThread, known?: Deletions): Promise<boolean> {
    // Otherwise the marks are read only after the save, because the page may be closed in a moment.
    if (this.#mayHaveMissedDeletion && known && isDeleted(known, await this.deletions(thread.id))) return false;
    this.#mayHaveMissedDeletion = false;
    await this.#store.save(thread);
    if (known) void this.#verify(thread.id, known).catch(() => undefined);
    return true;
  }

  /** Deletes a conversation again that was deleted while it was being saved. */
  async #verify(id: string, known: Deletions): Promise<void> {
    if (!isDeleted(known, await this.deletions(id))) return;
    this.#mayHaveMissedDeletion = true;
    await this.#store.remove(id);
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#store.rename(id, title);
  }

  async remove(id: string): Promise<void> {
    await orUndefined(this.#marks.mark(id));
    await this.#store.remove(id);
  }

  async removeAll(): Promise<void> {
    await orUndefined(this.#marks.mark());
    for (const { id } of await this.list()) await this.#store.remove(id);
  }

  async putBack(thread: StoredThread): Promise<void> {
    await orUndefined(this.#marks.unmark(thread.id));
    await this.#store.save(thread);
  }

  async deletions(id: string): Promise<Deletions> {
    return (await orUndefined(this.#marks.deletions(id))) ?? {};
  }

  /** The page decides about the retention of its store. */
  deleteExpired(): void {
    return undefined;
  }

  addSeenMessages(): void {
    return undefined;
  }

  expectMissedDeletion(): void {
    this.#mayHaveMissedDeletion = true;
  }
}

/** Undefined if the browser has no database, or it does not respond in time. */
function orUndefined<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(resolve, MARK_MS, undefined);
  });
  return Promise.race([reading.catch(() => undefined), timeout]);
}
