import { sse } from '../../support/play-body.ts';

/** A chunk with these parts. */
export const chunk = (parts: readonly object[], more: object = {}, candidate: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...candidate }],
  modelVersion: 'gemini-example',
  ...more,
});
export const say = (text: string) => chunk([{ text }]);
export const stop = (finishReason = 'STOP', candidate: object = {}) => chunk([], {}, { finishReason, ...candidate });
export const call = (functionCall: object, more: object = {}) => chunk([{ functionCall, ...more }]);
/** A stream as Google sends it. */
export const stream = (...chunks: readonly unknown[]): string => sse(...chunks).replaceAll('\n\n', '\r\n\r\n');
