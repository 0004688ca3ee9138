import type { AssistantMessageBlock } from './blocks.ts';
import type { ChatMessage } from './message.ts';

/** What the message's own agent has said and done: the work of its sub-agents, which stands in their calls, left out. */
export const ownBlocks = ({ blocks }: Pick<ChatMessage, 'blocks'>): readonly AssistantMessageBlock[] =>
  blocks.some(({ parentId }) => parentId !== undefined)
    ? blocks.filter(({ parentId }) => parentId === undefined)
    : blocks;

/** The message as its agent has to see it again: what its sub-agents have said is theirs, only their open questions are not. */
export function withoutSubAgents(message: ChatMessage): ChatMessage {
  const blocks = message.blocks.filter(({ parentId, type }) => parentId === undefined || type === 'action');
  return blocks.length === message.blocks.length ? message : { ...message, blocks };
}
