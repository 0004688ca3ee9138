import type { ChatMessage } from './message.ts';
import { ownBlocks } from './own-blocks.ts';

/** Returns the text of a message: its content blocks, joined. */
export const textOf = (message: ChatMessage): string => textsOf(message).join('');

/** The text of a message as it is shown: a content block is a paragraph of its own, for example after the call of a tool. */
export const paragraphsOf = (message: ChatMessage): string => textsOf(message).filter(Boolean).join('\n\n');

const textsOf = (message: ChatMessage): readonly string[] =>
  ownBlocks(message).map((block) => (block.type === 'content' ? block.content : ''));
