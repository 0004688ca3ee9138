/**
 * Who has written a system message. Those of an agent and those of the host page have the same role, but only the latter go to the
 * server as instructions.
 */
import type { ChatMessage } from './message.ts';

export const isAgentSystemMessage = ({ role, metadata }: ChatMessage): boolean =>
  role === 'system' && metadata?.['spokenBy'] === 'agent';

/** Returns the message with the role of its author: a system message sent by an agent is still the agent's text. */
export const withAuthorRole = (message: ChatMessage): ChatMessage =>
  isAgentSystemMessage(message) ? { ...message, role: 'assistant' } : message;

/** Returns the message of an agent without what its server has stored in it. */
export function withoutServerData(message: ChatMessage): ChatMessage {
  if (message.role === 'user' || (message.role === 'system' && !isAgentSystemMessage(message))) return message;
  const { spokenBy } = message.metadata ?? {};
  return { ...message, metadata: spokenBy === undefined ? {} : { spokenBy } };
}
