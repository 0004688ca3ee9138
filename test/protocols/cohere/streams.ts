import type { ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';

const frame = (type: string, message: object, index?: number) => ({
  ...(index !== undefined && { index }),
  type,
  delta: { message },
});
export const start = { id: 'x', type: 'message-start', delta: { message: { role: 'assistant', content: [] } } };
export const open = (index: number, content: object = { type: 'text', text: '' }) =>
  frame('content-start', { content }, index);
export const contentDelta = (index: number, content: object) => frame('content-delta', { content }, index);
export const close = (index: number) => ({ index, type: 'content-end' });
export const textBlock = (text: string, index = 0) => [open(index), contentDelta(index, { text }), close(index)];
export const plan = (tool_plan: string) => frame('tool-plan-delta', { tool_plan });
export const callStart = (index: number, id: string, args = '') =>
  frame('tool-call-start', { tool_calls: { id, type: 'function', function: { name: 'f', arguments: args } } }, index);
export const callDelta = (index: number, args: string) =>
  frame('tool-call-delta', { tool_calls: { function: { arguments: args } } }, index);
export const callEnd = (index: number) => ({ index, type: 'tool-call-end' });
export const cite = (citations: object, index = 0) => frame('citation-start', { citations }, index);
export const end = (finish_reason = 'COMPLETE', more: object = {}) => ({
  type: 'message-end',
  delta: { finish_reason, ...more },
});

export const stream = (...frames: readonly unknown[]): string => sse(start, ...frames, '[DONE]');
export const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
