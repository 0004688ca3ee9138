import '../../locales/english/all-english.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { AgentChatMessageList } from '../transcript/message-list.ts';
import { AgentChatMessage } from '../message/message.ts';

/**
 * Scrolls to the last message that the user has sent and opens its editor: the link of the composer after ArrowUp. What ArrowUp
 * itself does is in `composer.ts` and `input-history.ts`.
 *
 * @param messages - the messages that ArrowUp recalls
 */
export async function editLastMessage(list: AgentChatMessageList, messages: readonly ChatMessage[]): Promise<void> {
  const last = messages.findLast(({ status }) => status !== 'queued');
  const row = last && (await list.reach(last.id));
  if (row instanceof AgentChatMessage) await row.edit();
}
