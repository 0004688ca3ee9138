/** Converts an open conversation to its stored form and saves it. */
import type { KeptThread } from '../stores/conversation-store.ts';
import type { createStorageSerializer } from '../../runtime/masking/serialize-messages.ts';
import { serializeThread } from '../records/stored-thread.ts';
import type { OpenThread } from './open-thread.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';

type ForStoring = ReturnType<typeof createStorageSerializer>;

/** The stored form of an open conversation, without secrets. */
export function toStoredThread(live: OpenThread, { text, value, message }: ForStoring): KeptThread {
  const { agentState, protocol } = live.chat.store.state;
  const { thread } = live.chat;
  return serializeThread(
    thread,
    {
      id: live.id,
      name: text(live.name),
      updated: live.updated,
      ...(protocol !== undefined && { protocol }),
      ...(agentState !== undefined && { state: value(agentState) }),
    },
    message,
  );
}

/**
 * Stores a conversation. An empty one is deleted.
 *
 * @returns false if it was deleted since it was started or loaded
 */
export async function writeThread(
  live: OpenThread,
  { store }: StorageBackend,
  forStoring: ForStoring,
): Promise<boolean> {
  await live.deletionsRead;
  if (live.isDeleted) return false;
  if (!live.isEmpty) return store.save(toStoredThread(live, forStoring), live.knownDeletions);
  await store.remove(live.id);
  live.knownDeletions = await store.deletions(live.id);
  return true;
}
