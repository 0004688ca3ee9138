/** The stored form of a conversation. */
import type { Thread } from '../../conversation/thread.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { StoredThread } from '../stores/conversation-store.ts';
import { titleOf } from './thread-title.ts';

/**
 * Converts a conversation with all its branches to its stored form. Without a name, the title is taken from the
 * redacted text.
 */
export function serializeThread(
  { path, hidden }: Thread,
  { name, ...fields }: Omit<StoredThread, 'version' | 'messages' | 'leaf' | 'title'> & { readonly name: string },
  serializer: (message: ChatMessage) => ChatMessage,
): StoredThread {
  const leaf = path.at(-1)?.id;
  const stored = path.map(serializer);
  return {
    version: 1,
    ...fields,
    title: name || titleOf(stored),
    messages: [...stored, ...hidden.map(serializer)],
    ...(leaf !== undefined && { leaf }),
  };
}

/**
 * Chooses between the stored copy of a conversation and that of a tab which got no reports of changes. A later change
 * in the store may have removed messages. Without one, the longer copy has what was not written any more.
 */
export const newerCopy = (stored: StoredThread, own: StoredThread): StoredThread =>
  stored.updated > own.updated ? stored : longerCopy(stored, own);

/** The longer of two copies of a conversation; the first if they are equal. */
export function longerCopy<Copy extends Pick<StoredThread, 'messages'>>(first: Copy, second: Copy): Copy {
  return textLength(second.messages) > textLength(first.messages) ? second : first;
}

/** Number of characters in the messages. */
const textLength = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, { blocks }) =>
      blocks.reduce(
        (length, block) =>
          length + ('content' in block && typeof block.content === 'string' ? block.content.length : 1),
        sum,
      ),
    0,
  );
