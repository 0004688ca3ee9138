import type { ChatMessage } from '../message.ts';
import { isText } from '../message-text.ts';
import { ownBlocks } from '../own-blocks.ts';

/** The text of a message as it is shown: a content block is a paragraph of its own, for example after the call of a tool. */
export const paragraphsOf = (message: ChatMessage): string =>
  ownBlocks(message)
    .flatMap((block) => (block.type === 'content' && isText(block.content) && block.content ? [block.content] : []))
    .join('\n\n');
