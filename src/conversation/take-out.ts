/** Messages that the reader has deleted, and the way back. */
import type { ChatMessage } from '../model/message.ts';
import { removeMessage, type Thread } from './thread.ts';

/** A message that was taken out, and the ids of those that stood behind it, in any branch. */
interface Taken {
  readonly message: ChatMessage;
  readonly behind: ReadonlySet<string>;
}

/** The thread without some messages of the branch on show, and what puts them back into it, whatever it has become since. */
export function takeOut(
  thread: Thread,
  ids: readonly string[],
): { readonly thread: Thread; readonly putBack: (later: Thread) => Thread } {
  const taken: Taken[] = [];
  for (const id of ids) {
    const message = thread.path.find((candidate) => candidate.id === id);
    if (!message) continue;
    const all = [...thread.path, ...thread.hidden];
    taken.push({ message, behind: new Set(all.filter(({ parentId }) => parentId === id).map((next) => next.id)) });
    thread = removeMessage(thread, id);
  }
  // The last one first: each finds the thread as it was left.
  return { thread, putBack: (later) => taken.reduceRight(putBack, later) };
}

function putBack({ path, hidden }: Thread, { message, behind }: Taken): Thread {
  const place = path.findIndex(({ id }) => id === message.parentId) + 1;
  const next = path[place];
  const onShow = message.parentId === undefined || place > 0;
  // Another message of the same role has come in its place: the two are branches.
  const isBranch = next !== undefined && !behind.has(next.id) && next.role === message.role;
  const chain = (other: ChatMessage): ChatMessage =>
    other.parentId === message.parentId && (behind.has(other.id) || (other === next && !isBranch))
      ? { ...other, parentId: message.id }
      : other;
  const rest = { path: path.map(chain), hidden: hidden.map(chain) };
  return onShow && !isBranch
    ? { ...rest, path: rest.path.toSpliced(place, 0, message) }
    : { ...rest, hidden: [...rest.hidden, message] };
}
