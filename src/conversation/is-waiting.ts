import type { ChatMessage } from '../model/message.ts';

/** Whether the reader has been asked something and has not answered. */
export const isWaiting = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) =>
    message.blocks.some(
      (block) => block.type === 'action' && block.action_type !== 'rate_limit' && block.status === 'pending',
    ),
  );
