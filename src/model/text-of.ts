import type { ChatMessage } from './message.ts';
import { ownBlocks } from './own-blocks.ts';

/** Its words: the content blocks, joined as they came. */
export const textOf = (message: ChatMessage): string =>
  ownBlocks(message)
    .map((block) => (block.type === 'content' ? block.content : ''))
    .join('');
