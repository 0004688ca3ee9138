/**
 * A conversation with branches: the messages of the current branch, and those of the others. Messages are linked by
 * `parentId`; messages with the same parent are branches.
 */
import type { ChatMessage } from '../model/message.ts';

export interface Thread {
  /** The current branch, oldest first. */
  readonly path: readonly ChatMessage[];
  /** Messages of the other branches, in the order in which they were left. */
  readonly hidden: readonly ChatMessage[];
}

export const emptyThread: Thread = { path: [], hidden: [] };

/** Appends messages, each linked to the one before it. */
export function appendMessages(thread: Thread, messages: readonly ChatMessage[]): Thread {
  let parentId = thread.path.at(-1)?.id;
  const chained = messages.map((message) => {
    const next = parentId === undefined || message.parentId === parentId ? message : { ...message, parentId };
    parentId = message.id;
    return next;
  });
  return { ...thread, path: [...thread.path, ...chained] };
}

/** Inserts older messages before the first one, for every branch that begins there. */
export function prependMessages(thread: Thread, messages: readonly ChatMessage[]): Thread {
  const { path: older } = appendMessages(emptyThread, messages);
  const parentId = older.at(-1)?.id;
  if (parentId === undefined) return thread;
  const chain = (message: ChatMessage): ChatMessage =>
    message.parentId === undefined ? { ...message, parentId } : message;
  return { path: [...older, ...thread.path.map(chain)], hidden: thread.hidden.map(chain) };
}

/** Replaces one message; returns the same thread if no message has the id. */
export function replaceMessage(thread: Thread, id: string, change: (message: ChatMessage) => ChatMessage): Thread {
  const path = changeMessage(thread.path, id, change);
  return path === thread.path ? thread : { ...thread, path };
}

/** Changes one of the messages; returns the same list if none has the id. */
export function changeMessage(
  messages: readonly ChatMessage[],
  id: string,
  change: (message: ChatMessage) => ChatMessage,
): readonly ChatMessage[] {
  const index = messages.findIndex((message) => message.id === id);
  const before = messages[index];
  return before ? messages.with(index, change(before)) : messages;
}

/** Removes a message. Its children in every branch are linked to its parent. */
export function removeMessage(thread: Thread, id: string): Thread {
  const removed = thread.path.find((message) => message.id === id);
  if (!removed) return thread;
  const move = (message: ChatMessage): ChatMessage => {
    if (message.parentId !== id) return message;
    const { parentId: _removed, ...rest } = message;
    return removed.parentId === undefined ? rest : { ...rest, parentId: removed.parentId };
  };
  return { path: thread.path.filter((message) => message !== removed).map(move), hidden: thread.hidden.map(move) };
}

/** Ends the current branch after a message, or empties it without one; the messages after it become another branch. */
export function truncateAfter(thread: Thread, id: string | undefined): Thread {
  const index = thread.path.findIndex((message) => message.id === id);
  return {
    path: thread.path.slice(0, index + 1),
    hidden: [...thread.hidden, ...thread.path.slice(index + 1)],
  };
}

/** Returns the branches at a message, itself included, in order of creation. */
export function siblingsOf(thread: Thread, message: ChatMessage): readonly ChatMessage[] {
  if (thread.hidden.length === 0) return [message];
  const others = thread.hidden.filter((other) => other.parentId === message.parentId && other.id !== message.id);
  // The id decides between equal timestamps; otherwise the order would change with the current branch.
  return [...others, message].sort((left, right) => left.timestamp - right.timestamp || (left.id < right.id ? -1 : 1));
}

/** Switches to another branch at a message, with the messages after it that were shown last. */
export function selectBranch(thread: Thread, id: string, index: number): Thread {
  const message = thread.path.find((candidate) => candidate.id === id);
  const chosen = message && siblingsOf(thread, message)[index];
  if (!chosen || chosen.id === id) return thread;
  const cut = truncateAfter(thread, message.parentId);
  return continueBranch({
    path: [...cut.path, chosen],
    hidden: cut.hidden.filter((candidate) => candidate !== chosen),
  });
}

/** Extends the current branch by the messages after its last one that were shown last: the last hidden ones. */
export function continueBranch({ path, hidden }: Thread): Thread {
  const branch = [...path];
  const last = new Map(hidden.map((message) => [message.parentId, message]));
  for (let parent = branch.at(-1)?.id, next; (next = last.get(parent)); parent = next.id) {
    branch.push(next);
    last.delete(parent);
  }
  const selected = new Set(branch);
  return { path: branch, hidden: hidden.filter((candidate) => !selected.has(candidate)) };
}
