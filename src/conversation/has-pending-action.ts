import type { ChatMessage } from '../model/message.ts';

/** Whether a question to the user is still unanswered. */
export const hasPendingAction = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) =>
    message.blocks.some(
      (block) => block.type === 'action' && block.action_type !== 'rate_limit' && block.status === 'pending',
    ),
  );
