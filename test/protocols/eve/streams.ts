/** Short forms of eve's events. Source: `eve` 0.80.1, `protocol/message.d.ts`. */
import { ndjson } from '../../support/play-body.ts';

let count = 0;
export const event = (type: string, data: object = {}, meta: object = {}): object => ({
  type,
  data: { sequence: 0, stepIndex: 0, turnId: 'turn_0', ...data },
  meta: { at: '2026-11-25T10:00:00.000Z', id: `evt_${String(++count)}`, ...meta },
});
export const messageAppended = (messageDelta: string): object => event('message.appended', { messageDelta });
export const messageCompleted = (message: string): object =>
  event('message.completed', { message, finishReason: 'stop' });
export const action = (callId: string, more: object = {}): object => ({
  callId,
  kind: 'tool-call',
  toolName: 'weather',
  input: { city: 'Rome' },
  ...more,
});
export const result = (callId: string, output: unknown, more: object = {}): object =>
  event('action.result', {
    result: { callId, kind: 'tool-result', toolName: 'weather', output },
    status: 'completed',
    ...more,
  });
export const waiting = event('session.waiting', { continuationToken: '', wait: 'next-user-message' });
export const stream = (...events: readonly object[]): string =>
  ndjson(event('session.started'), event('turn.started'), event('message.received', { message: 'Hi' }), ...events);
export const turn = (...events: readonly object[]): string => stream(...events, event('turn.completed'), waiting);
