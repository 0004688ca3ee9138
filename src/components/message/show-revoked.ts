import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { Chat } from '../../runtime/chat/chat.ts';

/** Updates all blocks that show a permanent approval which has been revoked. */
export function showRevoked(chat: Chat, approval: string): void {
  for (const { id, blocks } of chat.messages) {
    if (!blocks.some(({ extra }) => extra?.['approval'] === approval)) continue;
    const withoutApproval = (candidate: AssistantMessageBlock): AssistantMessageBlock =>
      candidate.extra?.['approval'] === approval
        ? { ...candidate, extra: { ...candidate.extra, always: false } }
        : candidate;
    chat.updateMessage(id, { blocks: blocks.map(withoutApproval) });
  }
}
