/**
 * A conversation with its branches: the messages on show, and those of other branches beside them. Messages are chained by
 * `parentId`; two with the same one are branches.
 */
import type { ChatMessage } from '../model/message.ts';

export interface Thread {
  /** The branch on show, oldest first. */
  readonly path: readonly ChatMessage[];
  /** Messages of the other branches, in the order of their making. */
  readonly hidden: readonly ChatMessage[];
}

export const emptyThread: Thread = { path: [], hidden: [] };

/** Messages behind the last one, each chained to the one before. */
export function addMessages(thread: Thread, messages: readonly ChatMessage[]): Thread {
  let parentId = thread.path.at(-1)?.id;
  const chained = messages.map((message) => {
    const next = parentId === undefined || message.parentId === parentId ? message : { ...message, parentId };
    parentId = message.id;
    return next;
  });
  return { ...thread, path: [...thread.path, ...chained] };
}

/** Older messages before the first one, in every branch that begins there. */
export function addBefore(thread: Thread, messages: readonly ChatMessage[]): Thread {
  const { path: older } = addMessages(emptyThread, messages);
  const parentId = older.at(-1)?.id;
  if (parentId === undefined) return thread;
  const chain = (message: ChatMessage): ChatMessage =>
    message.parentId === undefined ? { ...message, parentId } : message;
  return { path: [...older, ...thread.path.map(chain)], hidden: thread.hidden.map(chain) };
}

/** The same thread with another message in the place of one; the same thread when nobody has that id. */
export function changeMessage(thread: Thread, id: string, change: (message: ChatMessage) => ChatMessage): Thread {
  const index = thread.path.findIndex((message) => message.id === id);
  const before = thread.path[index];
  return before ? { ...thread, path: thread.path.with(index, change(before)) } : thread;
}

/** The thread without a message. What stood behind it, in every branch, stands behind the one before it then. */
export function removeMessage(thread: Thread, id: string): Thread {
  const removed = thread.path.find((message) => message.id === id);
  if (!removed) return thread;
  const move = (message: ChatMessage): ChatMessage => {
    if (message.parentId !== id) return message;
    const { parentId: _gone, ...rest } = message;
    return removed.parentId === undefined ? rest : { ...rest, parentId: removed.parentId };
  };
  return { path: thread.path.filter((message) => message !== removed).map(move), hidden: thread.hidden.map(move) };
}

/** The thread cut behind a message (or, without one, at its beginning): what stood behind becomes another branch. */
export function cutBehind(thread: Thread, id: string | undefined): Thread {
  const index = thread.path.findIndex((message) => message.id === id);
  return {
    path: thread.path.slice(0, index + 1),
    hidden: [...thread.hidden, ...thread.path.slice(index + 1)],
  };
}

/** The branches at a message, itself among them, in the order of their making. */
export function siblingsOf(thread: Thread, message: ChatMessage): readonly ChatMessage[] {
  if (thread.hidden.length === 0) return [message];
  const others = thread.hidden.filter((other) => other.parentId === message.parentId && other.id !== message.id);
  // Those of one millisecond need an order too, or the places of the branches would change with the one on show.
  return [...others, message].sort((left, right) => left.timestamp - right.timestamp || (left.id < right.id ? -1 : 1));
}

/** The thread with another of a message's branches on show, down to its newest end. */
export function selectBranch(thread: Thread, id: string, index: number): Thread {
  const message = thread.path.find((candidate) => candidate.id === id);
  const chosen = message && siblingsOf(thread, message)[index];
  if (!chosen || chosen.id === id) return thread;
  const cut = cutBehind(thread, message.parentId);
  const branch = [chosen];
  for (;;) {
    const parent = branch.at(-1)?.id;
    const next = cut.hidden.findLast((candidate) => candidate.parentId === parent);
    if (!next) break;
    branch.push(next);
  }
  const shown = new Set(branch);
  return { path: [...cut.path, ...branch], hidden: cut.hidden.filter((candidate) => !shown.has(candidate)) };
}
