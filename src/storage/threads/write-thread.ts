/** Converts an open conversation to its stored form and saves it. */
import type { StoredThread } from '../stores/conversation-store.ts';
import type { StorageSerializer } from '../../runtime/masking/serialize-messages.ts';
import { serializeThread } from '../records/serialize-thread.ts';
import type { OpenThread } from './open-thread.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';

/** The stored form of an open conversation, without secrets. */
export function toStoredThread(thread: OpenThread, { text, value, message }: StorageSerializer): StoredThread {
  const { agentState, protocol } = thread.chat.store.state;
  return serializeThread(
    thread.chat.thread,
    {
      id: thread.id,
      name: text(thread.name),
      updated: thread.updated,
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
  thread: OpenThread,
  { store }: StorageBackend,
  serializer: StorageSerializer,
): Promise<boolean> {
  await thread.deletionsRead;
  if (thread.isDeleted) return false;
  if (!thread.isEmpty) return store.save(toStoredThread(thread, serializer), thread.knownDeletions);
  await store.remove(thread.id);
  thread.knownDeletions = await store.deletions(thread.id);
  return true;
}
