import type { AssistantMessageBlock } from './blocks.ts';
import type { ChatMessage } from './message.ts';

/** Returns the blocks of the message's own agent, without those of its sub-agents. */
export const ownBlocks = ({ blocks }: Pick<ChatMessage, 'blocks'>): readonly AssistantMessageBlock[] =>
  blocks.some(({ parentId }) => parentId !== undefined)
    ? blocks.filter(({ parentId }) => parentId === undefined)
    : blocks;

/** Returns the message as sent back to its agent: without the blocks of sub-agents, except their open questions. */
export function withoutSubAgents(message: ChatMessage): ChatMessage {
  const blocks = message.blocks.filter(({ parentId, type }) => parentId === undefined || type === 'action');
  return blocks.length === message.blocks.length ? message : { ...message, blocks };
}
