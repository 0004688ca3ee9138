/** Reads a conversation from its stores, and finds the one that was open last. */
import type { StoredThread } from '../stores/conversation-store.ts';
import type { StorageRunner } from '../stores/try-storage.ts';
import { isDeleted } from '../stores/deletion-marks.ts';
import { longerCopy } from './serialize-thread.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';

/**
 * Reads a conversation, and moves the copy that this tab has left in the journal to the store. That copy wins if it is
 * at least as new as the stored one, or older and longer: it is there only if its write had not finished, so the store may lack
 * some of it. A copy that was begun before the stored one could be read is combined with that. No copy counts if the
 * conversation was deleted since.
 */
export async function readThread(id: string, { store, journal }: StorageBackend): Promise<StoredThread | undefined> {
  const stored = await store.load(id);
  const journaled = journal?.load(id);
  if (!journal || !journaled) return stored;
  const known = journal.deletionsWhenStored(id);
  const deletions = await store.deletions(id);
  const isPart = journal.isPart(id);
  journal.discard(id);
  if (isDeleted(known, deletions)) return stored;
  const newest = stored ? newerOf(stored, journaled, isPart) : journaled;
  return newest !== stored && !(await store.save(newest, deletions)) ? undefined : newest;
}

function newerOf(stored: StoredThread, journaled: StoredThread, isPart: boolean): StoredThread {
  if (!isPart) return journaled.updated >= stored.updated ? journaled : longerCopy(stored, journaled);
  const ids = new Set(journaled.messages.map(({ id }) => id));
  const others = stored.messages.filter(({ id }) => !ids.has(id));
  return { ...journaled, title: stored.title, messages: [...journaled.messages, ...others] };
}

/** The conversation that was open last in this tab; in a new tab the newest one. */
export async function lastOpenThreadId(backend: StorageBackend, storage: StorageRunner): Promise<string | undefined> {
  const currentId = await storage.run(() => backend.tab.get('current'), { reading: true });
  if (typeof currentId === 'string') return currentId;
  if (!backend.shared) return undefined;
  const all = await storage.run(() => backend.store.list(), { reading: true });
  return all?.toSorted((left, right) => right.updated - left.updated)[0]?.id;
}
