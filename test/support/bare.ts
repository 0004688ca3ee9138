/** A message without the fields that every message has: ids, times, and the status of a successful one. */
import type { AssistantMessageBlock } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';

export type ExpectedFields = Readonly<Record<string, unknown>>;

export function bareMessage(message: ChatMessage): ExpectedFields {
  const { id: _id, timestamp: _timestamp, parentId: _parentId, role, blocks, ...rest } = message;
  return { ...(role !== 'assistant' && { role }), ...rest, blocks: blocks.map(bareBlock) };
}

export function bareBlock(block: AssistantMessageBlock): ExpectedFields {
  const { id: _id, timestamp: _timestamp, status, ...rest }: Record<string, unknown> = block;
  delete rest['reasoning_time'];
  if (block.type === 'status') rest['extra'] = { steps: stepsOf(block) };
  return { ...(status !== 'success' && { status }), ...rest };
}

const stepsOf = ({ extra }: AssistantMessageBlock): readonly ExpectedFields[] =>
  (extra?.['steps'] as readonly ExpectedFields[]).map(({ start: _start, ...step }) => step);

/** Short forms of the blocks that tests use most. */
export const text = (content: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'content',
  content,
  ...more,
});
export const thought = (content: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'reasoning_content',
  content,
  ...more,
});
export const call = (
  id: string,
  name: string,
  more: ExpectedFields = {},
  details: ExpectedFields = {},
): ExpectedFields => ({
  type: 'tool_call',
  tool_call: { id, name, ...more },
  ...details,
});
export const failure = (content: string, extra: ExpectedFields = {}): ExpectedFields => ({
  type: 'error',
  status: 'error',
  content,
  extra,
});
