/** A message without the fields that every message has: ids, times, and the status of a successful one. */
import type { AssistantMessageBlock } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';

export type Bare = Readonly<Record<string, unknown>>;

export function bareMessage(message: ChatMessage): Bare {
  const { id: _id, timestamp: _timestamp, parentId: _parentId, role, blocks, ...rest } = message;
  return { ...(role !== 'assistant' && { role }), ...rest, blocks: blocks.map(bareBlock) };
}

export function bareBlock(block: AssistantMessageBlock): Bare {
  const { id: _id, timestamp: _timestamp, status, ...rest }: Record<string, unknown> = block;
  delete rest['reasoning_time'];
  if (block.type === 'status') rest['extra'] = { steps: stepsOf(block) };
  return { ...(status !== 'success' && { status }), ...rest };
}

const stepsOf = ({ extra }: AssistantMessageBlock): readonly Bare[] =>
  (extra?.['steps'] as readonly Bare[]).map(({ start: _start, ...step }) => step);

/** Short forms of the blocks that tests use most. */
export const text = (content: string, more: Bare = {}): Bare => ({ type: 'content', content, ...more });
export const thought = (content: string, more: Bare = {}): Bare => ({ type: 'reasoning_content', content, ...more });
export const call = (id: string, name: string, more: Bare = {}, details: Bare = {}): Bare => ({
  type: 'tool_call',
  tool_call: { id, name, ...more },
  ...details,
});
export const failure = (content: string, extra: Bare = {}): Bare => ({
  type: 'error',
  status: 'error',
  content,
  extra,
});
