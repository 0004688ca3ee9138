/** The interface of all stores of one scope: in the tab, in IndexedDB, or the host page's. */
import type { Awaitable, StoredThread, ThreadSummary } from './conversation-store.ts';
import type { Deletions } from './deletion-marks.ts';

export interface ThreadStore {
  list(): Awaitable<readonly ThreadSummary[]>;
  load(id: string): Awaitable<StoredThread | undefined>;
  /**
   * Stores a conversation.
   *
   * @param known - the deletion marks when it was started or loaded
   * @returns false if it was deleted since then; nothing is stored
   */
  save(thread: StoredThread, known?: Deletions): Awaitable<boolean>;
  rename(id: string, title: string): Awaitable<unknown>;
  /** Deletes a conversation with all its data, and marks it as deleted. */
  remove(id: string): Awaitable<unknown>;
  /** Deletes everything in the scope, and marks everything as deleted. */
  removeAll(): Awaitable<unknown>;
  /** Stores a deleted conversation again. */
  putBack(thread: StoredThread): Awaitable<unknown>;
  /** The deletion marks that apply to a conversation. */
  deletions(id: string): Awaitable<Deletions>;
  /** Deletes expired data. */
  deleteExpired(): Awaitable<unknown>;
  /** Adds message ids reported by another tab. A message removed here must not stay because that tab has stored it. */
  addSeenMessages(id: string, messages: Iterable<string>): void;
  /** Called when the tab may be suspended and may miss a deletion. */
  expectMissedDeletion(): void;
}
