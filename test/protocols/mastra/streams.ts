/** Short forms of Mastra's chunks. Source: `@mastra/core` 1.71, `stream/types.d.ts`. */
import { sse } from '../../support/play-body.ts';

export const chunk = (type: string, payload: object = {}): object => ({ type, runId: 'r', from: 'AGENT', payload });
export const say = (text: string, id = 't'): object => chunk('text-delta', { id, text });
export const toolCall = (toolCallId: string, args: object = {}, more: object = {}): object =>
  chunk('tool-call', { toolCallId, toolName: 'weather', args, ...more });
export const result = (toolCallId: string, value: unknown, more: object = {}): object =>
  chunk('tool-result', { toolCallId, toolName: 'weather', result: value, ...more });
export const finish = (reason = 'stop', output: object = {}): object =>
  chunk('finish', { stepResult: { reason, isContinued: false }, output, metadata: {}, messages: {} });
/** As the server frames it: a stream begins with `start`, and older ones end with `[DONE]`. */
export const stream = (...chunks: readonly object[]): string => sse(chunk('start', { id: 'weather' }), ...chunks);

/** The expected `metadata` of the reply. */
export const known = { runId: 'r' };
