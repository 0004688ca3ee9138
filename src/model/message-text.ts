import type { ChatMessage } from './message.ts';
import { ownBlocks } from './own-blocks.ts';

/** A page without TypeScript may have put anything in a block. */
export const isText = (content: unknown): boolean => typeof content === 'string';

/** Returns the text of a message: its content blocks, joined. */
export const textOf = (message: ChatMessage): string =>
  ownBlocks(message)
    .map((block) => (block.type === 'content' && isText(block.content) ? block.content : ''))
    .join('');

/**
 * Returns the text of a message as it is shown and copied: its content blocks as paragraphs. A message has several, for example, if the
 * agent called a tool between them.
 */
export const paragraphsOf = (message: ChatMessage): string =>
  ownBlocks(message)
    .flatMap((block) => (block.type === 'content' && isText(block.content) && block.content ? [block.content] : []))
    .join('\n\n');
