/**
 * Conversation state for protocols whose servers store the history, because their requests contain only new messages.
 * Only the newest conversations are stored.
 */
import type { Heard } from './turn.ts';

const MOST = 200;
const conversations = new Map<string, Heard>();

export const recall = (conversation: string): Heard | undefined => conversations.get(conversation);

export function remember(conversation: string, { question, count }: Heard): void {
  conversations.delete(conversation);
  conversations.set(conversation, { question, count });
  for (const oldest of conversations.keys()) if (conversations.size > MOST) conversations.delete(oldest);
}
