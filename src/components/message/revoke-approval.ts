import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { Chat } from '../../runtime/chat/chat.ts';

/** Revokes the permanent approval of a tool and updates all blocks that show it. */
export function revokeApproval(chat: Chat, block: AssistantMessageBlock): void {
  const approval = block.extra?.['approval'];
  if (typeof approval !== 'string') return;
  chat.approvals.revoke(approval);
  for (const { id, blocks } of chat.messages) {
    if (!blocks.some(({ extra }) => extra?.['approval'] === approval)) continue;
    const withoutApproval = (candidate: AssistantMessageBlock): AssistantMessageBlock =>
      candidate.extra?.['approval'] === approval
        ? { ...candidate, extra: { ...candidate.extra, always: false } }
        : candidate;
    chat.updateMessage(id, { blocks: blocks.map(withoutApproval) });
  }
}
