/**
 * Where conversations stand, for protocols whose servers keep the history: their requests tell what is new alone. The newest
 * ones are kept.
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
