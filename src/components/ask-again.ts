import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { Chat } from '../runtime/chat.ts';

/** A tool that was allowed for good asks again, wherever that was used. */
export function askAgain(chat: Chat, block: AssistantMessageBlock): void {
  const approval = block.extra?.['approval'];
  if (typeof approval !== 'string') return;
  chat.approvals.revoke(approval);
  for (const { id, blocks } of chat.messages) {
    if (!blocks.some(({ extra }) => extra?.['approval'] === approval)) continue;
    const revoked = (given: AssistantMessageBlock): AssistantMessageBlock =>
      given.extra?.['approval'] === approval ? { ...given, extra: { ...given.extra, always: false } } : given;
    chat.updateMessage(id, { blocks: blocks.map(revoked) });
  }
}
