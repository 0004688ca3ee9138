/** The tree of a conversation's messages: the current branch, and what the user has left for another. */
import { ChatError } from '../errors.ts';
import type { ChatMessage } from '../model/message.ts';
import type { MessageInput } from './normalize-message.ts';

/** The id of the agent that has written a message, or that gets it; empty for the page's endpoint. None for other messages. */
export const agentIdOf = ({ role, agentId }: Pick<MessageInput, 'role' | 'agentId'>): string | undefined =>
  role === 'user' ? agentId : (agentId ?? '');

/** An imported conversation: the current branch, and the messages of the other branches. */
export interface ImportedConversation {
  readonly path: readonly MessageInput[];
  readonly hidden: readonly ChatMessage[];
}

/**
 * Splits a message tree: the path from the root to `leaf` is the current branch.
 *
 * @throws ChatError of kind `protocol` if no message has the id `leaf`.
 */
export function splitMessageTree({
  messages,
  leaf,
}: {
  readonly messages: readonly ChatMessage[];
  readonly leaf?: string;
}): {
  readonly path: readonly ChatMessage[];
  readonly hidden: readonly ChatMessage[];
} {
  const path: ChatMessage[] = [];
  // Each message is visited once, even if `parentId` forms a cycle.
  const remaining = new Map(messages.map((message) => [message.id, message]));
  let next = remaining.get(leaf ?? '');
  while (next) {
    path.push(next);
    remaining.delete(next.id);
    next = remaining.get(next.parentId ?? '');
  }
  if (messages.length > 0 && path.length === 0) {
    throw new ChatError('protocol', `The imported conversation has no message "${leaf ?? ''}" (its "leaf").`, {
      reason: 'bad-import',
    });
  }
  return { path: path.reverse(), hidden: [...remaining.values()] };
}
