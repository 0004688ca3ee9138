import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';

/** Whether the agent has continued its answer after an error, and the answer did not fail later. */
export function isOvercome(error: AssistantMessageBlock, { blocks, status }: ChatMessage): boolean {
  if (status === 'error' || status === 'interrupted') return false;
  return blocks.slice(blocks.indexOf(error) + 1).some(({ type }) => type !== 'error' && type !== 'status');
}
