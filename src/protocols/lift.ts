import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { LLMCoreStreamEvent, StreamEventType } from '../model/core-events.ts';
import type { AdapterEvent } from './adapter.ts';

/**
 * The one step from a model's events to an agent's. The pieces of a tool call become one call whose arguments grow, and are
 * replaced by `tool_call_arguments_complete` where that comes. Agent events pass.
 * Source: DeepChat strong-typed events, sections 1, 2 and 5 ("core-layer mapping").
 */
export function lift(event: AdapterEvent, eventId: string): LLMAgentEvent {
  if ('data' in event) return event;
  // Nearly all of them are words.
  if (event.type === 'text') return { type: 'response', data: { eventId, content: event.content } };
  if (event.type === 'error') return { type: 'error', data: { eventId, error: event.error_message } };
  // TypeScript cannot tie the key to the argument; the mapped type below is the proof.
  return { type: 'response', data: { eventId, ...lifters[event.type](event as never) } };
}

type Lifted = Exclude<StreamEventType, 'error'>;
type Lifters = {
  readonly [T in Lifted]: (
    event: Extract<LLMCoreStreamEvent, { readonly type: T }>,
  ) => Omit<LLMAgentEventData, 'eventId'>;
};

const lifters: Lifters = {
  text: ({ content }) => ({ content }),
  reasoning: ({ reasoning_content }) => ({ reasoning_content }),
  tool_call_start: ({ tool_call_id, tool_call_name }) => ({ tool_call: 'start', tool_call_id, tool_call_name }),
  tool_call_chunk: ({ tool_call_id, tool_call_arguments_chunk }) => ({
    tool_call: 'update',
    tool_call_id,
    tool_call_params: tool_call_arguments_chunk,
  }),
  tool_call_end: ({ tool_call_id, tool_call_arguments_complete }) => ({
    tool_call: 'running',
    tool_call_id,
    ...(tool_call_arguments_complete !== undefined && { tool_call_params_complete: tool_call_arguments_complete }),
  }),
  usage: ({ usage }) => ({ totalUsage: usage }),
  stop: ({ stop_reason }) => ({ finish: stop_reason }),
  image_data: ({ image_data }) => ({ image_data }),
  rate_limit: ({ rate_limit }) => ({ rate_limit }),
};
