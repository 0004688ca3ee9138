import type { ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';

export const start = (more: object = {}, id = 'm1') => ({
  type: 'message_start',
  message: { id, type: 'message', role: 'assistant', model: 'claude-x', content: [], stop_reason: null, ...more },
});
export const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
export const delta = (index: number, type: string, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...fields },
});
export const close = (index: number) => ({ type: 'content_block_stop', index });
export const end = (stop_reason = 'end_turn', more: object = {}, rest: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null, ...more },
  ...rest,
});
export const stop = { type: 'message_stop' };

/** Complete blocks, in the chunks of the protocol. */
export const textBlock = (index: number, text: string) => [
  open(index, { type: 'text', text: '' }),
  delta(index, 'text_delta', { text }),
  close(index),
];
export const completeBlock = (index: number, block: object) => [open(index, block), close(index)];
export const toolUseBlock = (index: number, id: string, json: string, block: object = {}) => [
  open(index, { type: 'tool_use', id, name: 'f', input: {}, ...block }),
  delta(index, 'input_json_delta', { partial_json: '' }),
  delta(index, 'input_json_delta', { partial_json: json }),
  close(index),
];

/** A reply with these frames, from its start to its stop. */
export const stream = (frames: readonly unknown[], reason = 'end_turn', more: object = {}): string =>
  sse(start(), ...frames, end(reason, more), stop);

export const replyMetadata = { messageId: 'm1', model: 'claude-x' };
/** The data of a reply for the next turn. */
export const rounds = (...items: readonly object[]) => ({
  ...replyMetadata,
  rounds: [{ protocol: 'anthropic', items }],
});
export const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: replyMetadata,
  ...more,
  blocks,
});

/** The visible part of a reply; other tests check the data for the next turn. */
export const doneWithRounds = (
  blocks: readonly ExpectedFields[],
  items: readonly object[],
  more: ExpectedFields = {},
): ExpectedFields => done(blocks, { metadata: rounds(...items), ...more });
