/** The history that the host page has assigned. Frameworks assign the same one on every render. */
import { messagesEqual } from '../../conversation/messages-equal.ts';
import type { MessageInput } from '../../conversation/normalize-message.ts';
import type { ChatMessage } from '../../model/message.ts';

/** The messages that the host page last assigned, and the conversation they became. */
export interface AssignedHistory {
  readonly inputs: unknown;
  readonly messages: readonly ChatMessage[];
  /** Number of older messages that were prepended since then. */
  readonly older: number;
}

/**
 * Whether a list equals the assigned one, and the conversation has only grown since. The chat's own message objects do not
 * count as a page's history: assigning a part of them truncates the conversation.
 */
export const equalsAssigned = (
  assigned: AssignedHistory,
  inputs: readonly MessageInput[],
  messages: readonly ChatMessage[],
): boolean =>
  inputs.length > 0 &&
  assigned.messages.every(
    (message, index) => message === messages[assigned.older + index] && message !== inputs[index],
  ) &&
  messagesEqual(assigned.inputs, inputs);

/** The assigned history after older messages were prepended to the conversation, which now has these messages. */
export function afterPrepending(
  assigned: AssignedHistory,
  { length }: readonly ChatMessage[],
  messages: readonly ChatMessage[],
): AssignedHistory {
  const older = assigned.older + length;
  return { ...assigned, messages: messages.slice(older, older + assigned.messages.length), older };
}
