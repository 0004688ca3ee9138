import { sse } from '../../support/play-body.ts';

export const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
export const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
/** A complete run with these events. */
export const run = (...events: readonly object[]): string => sse(started, ...events, finished);
export const say = (messageId: string, delta: string): readonly object[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];
export const think = (messageId: string, delta: string): readonly object[] => [
  { type: 'REASONING_START', messageId },
  { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId, delta },
  { type: 'REASONING_MESSAGE_END', messageId },
  { type: 'REASONING_END', messageId },
];
export const callTool = (id: string, name: string, args: string, parent: string | null = null): readonly object[] => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, parentMessageId: parent },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args },
  { type: 'TOOL_CALL_END', toolCallId: id },
];
export const result = (id: string, content: unknown): object => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${id}-r`,
  toolCallId: id,
  content,
  role: 'tool',
});
export const interrupted = (...interrupts: readonly object[]): object => ({
  ...finished,
  outcome: { type: 'interrupt', interrupts },
});
