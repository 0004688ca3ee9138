/** Converts an open conversation to its stored form and saves it. */
import { appendMessages } from '../../conversation/thread.ts';
import type { StoredThread } from '../stores/conversation-store.ts';
import type { StorageSerializer } from '../../runtime/masking/redact-for-storage.ts';
import { serializeThread } from '../records/serialize-thread.ts';
import type { OpenThread } from './open-thread.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';

/** The stored form of an open conversation, without secrets. */
export function toStoredThread(thread: OpenThread, { text, value, message }: StorageSerializer): StoredThread {
  const { agentState, protocol } = thread.chat.store.state;
  return serializeThread(
    appendMessages(thread.chat.thread, thread.unsent),
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
 * @param copy - the form to store. Default: the conversation as it is now
 * @returns false if it was deleted since it was started or loaded
 */
export async function writeThread(
  thread: OpenThread,
  { store, journal }: StorageBackend,
  serializer: StorageSerializer,
  copy?: StoredThread,
): Promise<boolean> {
  await thread.deletionsRead;
  if (thread.isDeleted) return false;
  const { journaled } = thread;
  if (!thread.isEmpty) {
    const isSaved = await store.save(copy ?? toStoredThread(thread, serializer), thread.knownDeletions);
    // The stored form now has everything that the journal has. Later, an older and longer copy in the journal would
    // bring a removed message back. A copy that was journaled during this write has more, and stays.
    if (isSaved && journaled && journaled === thread.journaled) {
      thread.journaled = undefined;
      journal?.discard(thread.id);
    }
    return isSaved;
  }
  await store.remove(thread.id);
  thread.knownDeletions = await store.deletions(thread.id);
  return true;
}
