import type { LLMAgentEvent, LLMAgentEventData } from '../model/events/agent-events.ts';
import type { LLMCoreStreamEvent, StreamEventType } from '../model/events/core-events.ts';
import type { AdapterEvent } from './core/adapter.ts';

/**
 * Converts a model event to an agent event; agent events are returned unchanged. The chunks of a tool call become one
 * call with incremental arguments, which `tool_call_arguments_complete` replaces when it arrives.
 * Source: `docs/protocols/deepchat-events.md`.
 */
export function toAgentEvent(event: AdapterEvent, eventId: string): LLMAgentEvent {
  if (isAgentEvent(event)) return event;
  // Nearly all events are text, so they are handled first.
  if (event.type === 'text') return { type: 'response', data: { eventId, content: event.content } };
  if (event.type === 'error') return { type: 'error', data: { eventId, error: event.error_message } };
  // TypeScript cannot relate the key to the argument; the mapped type below proves it.
  return { type: 'response', data: { eventId, ...converters[event.type](event as never) } };
}

/** A page may have added the name to `Object.prototype`. */
const isAgentEvent = (event: AdapterEvent): event is LLMAgentEvent => Object.hasOwn(event, 'data');

type ConvertedType = Exclude<StreamEventType, 'error'>;
type Converters = {
  readonly [T in ConvertedType]: (
    event: Extract<LLMCoreStreamEvent, { readonly type: T }>,
  ) => Omit<LLMAgentEventData, 'eventId'>;
};

const converters: Converters = {
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
