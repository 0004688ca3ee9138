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
