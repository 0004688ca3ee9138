/**
 * Conversation state for protocols whose servers store the history, because their requests contain only new messages.
 * Only the newest conversations are stored.
 */
import type { Heard } from './turn.ts';

const MOST = 200;
const heard = new Map<string, Heard>();

export const recall = (conversation: string): Heard | undefined => heard.get(conversation);

export function remember(conversation: string, { asked, count }: Heard): void {
  heard.delete(conversation);
  heard.set(conversation, { asked, count });
  for (const oldest of heard.keys()) if (heard.size > MOST) heard.delete(oldest);
}
