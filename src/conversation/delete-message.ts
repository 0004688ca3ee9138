/** Deletes messages and undoes the deletion. */
import type { ChatMessage } from '../model/message.ts';
import { removeMessage, type Thread } from './thread.ts';

/** A deleted message and the ids of its direct children in all branches. */
export interface DeletedMessage {
  readonly message: ChatMessage;
  readonly childIds: ReadonlySet<string>;
}

/** Returns the thread without some messages of the current branch, and what `putBackMessages()` needs to restore them. */
export function deleteMessages(
  thread: Thread,
  ids: readonly string[],
): { readonly thread: Thread; readonly deleted: readonly DeletedMessage[] } {
  const deleted: DeletedMessage[] = [];
  for (const id of ids) {
    const message = thread.path.find((candidate) => candidate.id === id);
    if (!message) continue;
    const all = [...thread.path, ...thread.hidden];
    deleted.push({ message, childIds: new Set(all.filter(({ parentId }) => parentId === id).map((next) => next.id)) });
    thread = removeMessage(thread, id);
  }
  return { thread, deleted };
}

/** Restores deleted messages in any later thread. */
export function putBackMessages(later: Thread, deleted: readonly DeletedMessage[]): Thread {
  // In reverse order, so that each message is restored into the thread it was removed from.
  return deleted.reduceRight(putBack, later);
}

function putBack({ path, hidden }: Thread, { message, childIds }: DeletedMessage): Thread {
  const index = path.findIndex(({ id }) => id === message.parentId) + 1;
  const next = path[index];
  const isCurrent = message.parentId === undefined || index > 0;
  // Another message of the same role is in its position now: the two become branches.
  const isBranch = next !== undefined && !childIds.has(next.id) && next.role === message.role;
  const chain = (other: ChatMessage): ChatMessage =>
    other.parentId === message.parentId && (childIds.has(other.id) || (other === next && !isBranch))
      ? { ...other, parentId: message.id }
      : other;
  const rest = { path: path.map(chain), hidden: hidden.map(chain) };
  return isCurrent && !isBranch
    ? { ...rest, path: rest.path.toSpliced(index, 0, message) }
    : { ...rest, hidden: [...rest.hidden, message] };
}
