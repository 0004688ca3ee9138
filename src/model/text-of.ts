import type { ChatMessage } from './message.ts';

/** Its words: the content blocks, joined as they came. */
export const textOf = (message: ChatMessage): string =>
  message.blocks.map((block) => (block.type === 'content' ? block.content : '')).join('');
