import type { ChatMessage } from '../../model/message.ts';
import type { Turn } from '../adapter.ts';

/** What of the conversation goes back to an agent: what was said, without the reply that is still empty. */
export const sentHistory = (turn: Turn): readonly ChatMessage[] =>
  turn.messages.filter((message) => message.role === 'user' || message.blocks.length > 0);
