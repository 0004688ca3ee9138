import { sse } from '../../support/play-body.ts';

/** A chunk with a delta. */
export const chunk = (delta: object, more: object = {}, choice: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...more,
});
export const say = (content: string) => chunk({ content });
export const stop = (reason = 'stop', more: object = {}) => chunk({}, more, { finish_reason: reason });
export const call = (piece: object) => chunk({ tool_calls: [piece] });
/** A stream with its end marker. */
export const stream = (...chunks: readonly unknown[]): string => sse(...chunks, '[DONE]');
