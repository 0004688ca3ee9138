import type { LLMAgentEvent, LLMAgentEventData } from '../../src/model/events/agent-events.ts';

export type Data = Omit<LLMAgentEventData, 'eventId'>;

export const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId: 'e', ...data } });
export const error = (words: string, more: object = {}): LLMAgentEvent => ({
  type: 'error',
  data: { eventId: 'e', error: words, ...more },
});
export const end = (userStop = false): LLMAgentEvent => ({ type: 'end', data: { eventId: 'e', userStop } });
