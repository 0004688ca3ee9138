import type { ChatMessage } from '../model/message.ts';
import type { AgentChatMessageList } from './message-list.ts';
import { AgentChatMessage } from './message.ts';

/** Opens the last message that the reader has sent for other words, wherever it stands. */
export async function editLast(list: AgentChatMessageList, messages: readonly ChatMessage[]): Promise<void> {
  const last = messages.findLast(({ role, status }) => role === 'user' && status !== 'queued');
  const row = last && (await list.reach(last.id));
  if (row instanceof AgentChatMessage) row.edit();
}
