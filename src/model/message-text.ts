import type { ChatMessage } from './message.ts';
import { ownBlocks } from './own-blocks.ts';

/** Returns the text of a message: its content blocks, joined. */
export const textOf = (message: ChatMessage): string =>
  ownBlocks(message)
    .map((block) => (block.type === 'content' ? block.content : ''))
    .join('');
