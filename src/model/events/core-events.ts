/**
 * Events of a model's stream, each with one payload. They are internal to `protocols/`: `protocols/to-agent-event.ts`
 * converts them to agent events. Source: `docs/protocols/deepchat-events.md`.
 */
import type { llmCoreStreamEvent, StopReason } from './core-event-schema.ts';
import type { ImageData } from '../image-data.ts';
import type { Immutable } from '../immutable.ts';
import type { z } from '../schema.ts';
import type { RateLimitInfo, UsageStats } from '../usage.ts';

type CoreEvent = Immutable<z.infer<typeof llmCoreStreamEvent>>;
type FieldsOfAll<Union> = Union extends unknown ? keyof Union : never;
/** Each member forbids the fields of the others, so that a variable of a wider type does not match either. */
type Exclusive<Union, All extends PropertyKey = FieldsOfAll<Union>> = Union extends unknown
  ? Union & Readonly<Partial<Record<Exclude<All, keyof Union>, never>>>
  : never;

/** One event of a model's stream. A field that belongs to another member is a compile error. */
export type LLMCoreStreamEvent = Exclusive<CoreEvent>;

/** The names of the ten event types. */
export type StreamEventType = CoreEvent['type'];

/** The event type with the given `type`. */
export type StreamEventOf<T extends StreamEventType> = Extract<LLMCoreStreamEvent, { readonly type: T }>;

/** The members under the names of the source document. */
export type TextStreamEvent = StreamEventOf<'text'>;
export type ReasoningStreamEvent = StreamEventOf<'reasoning'>;
export type ToolCallStartEvent = StreamEventOf<'tool_call_start'>;
export type ToolCallChunkEvent = StreamEventOf<'tool_call_chunk'>;
export type ToolCallEndEvent = StreamEventOf<'tool_call_end'>;
export type ErrorStreamEvent = StreamEventOf<'error'>;
export type UsageStreamEvent = StreamEventOf<'usage'>;
export type StopStreamEvent = StreamEventOf<'stop'>;
export type ImageDataStreamEvent = StreamEventOf<'image_data'>;
export type RateLimitStreamEvent = StreamEventOf<'rate_limit'>;

/** The payload of one event type: `StreamEventFields<'text'>` is `{ content: string }`. */
export type StreamEventFields<T extends StreamEventType> = Omit<Extract<CoreEvent, { readonly type: T }>, 'type'>;

/**
 * Factories for the events, one per type.
 *
 * @example yield createStreamEvent.text('Hello');
 */
export const createStreamEvent = {
  text: (content: string): StreamEventOf<'text'> => ({ type: 'text', content }),
  reasoning: (reasoning_content: string): StreamEventOf<'reasoning'> => ({ type: 'reasoning', reasoning_content }),
  toolCallStart: (tool_call_id: string, tool_call_name: string): StreamEventOf<'tool_call_start'> => ({
    type: 'tool_call_start',
    tool_call_id,
    tool_call_name,
  }),
  toolCallChunk: (tool_call_id: string, tool_call_arguments_chunk: string): StreamEventOf<'tool_call_chunk'> => ({
    type: 'tool_call_chunk',
    tool_call_id,
    tool_call_arguments_chunk,
  }),
  /** `complete` replaces the arguments that were sent in chunks. */
  toolCallEnd: (tool_call_id: string, complete?: string): StreamEventOf<'tool_call_end'> =>
    complete === undefined
      ? { type: 'tool_call_end', tool_call_id }
      : { type: 'tool_call_end', tool_call_id, tool_call_arguments_complete: complete },
  error: (error_message: string): StreamEventOf<'error'> => ({ type: 'error', error_message }),
  usage: (usage: UsageStats): StreamEventOf<'usage'> => ({ type: 'usage', usage }),
  stop: (stop_reason: StopReason): StreamEventOf<'stop'> => ({ type: 'stop', stop_reason }),
  imageData: (image_data: ImageData): StreamEventOf<'image_data'> => ({ type: 'image_data', image_data }),
  rateLimit: (rate_limit: RateLimitInfo): StreamEventOf<'rate_limit'> => ({ type: 'rate_limit', rate_limit }),
} as const;

/** Whether the event is a chunk of text. */
export const isTextEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'text'> => event.type === 'text';
/** Whether the event is a chunk of reasoning. */
export const isReasoningEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'reasoning'> =>
  event.type === 'reasoning';
/** Whether the event starts a tool call, with its id and name. */
export const isToolCallStartEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_start'> =>
  event.type === 'tool_call_start';
/** Whether the event is a chunk of a tool call’s arguments. */
export const isToolCallChunkEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_chunk'> =>
  event.type === 'tool_call_chunk';
/** Whether the event ends a tool call’s arguments. */
export const isToolCallEndEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_end'> =>
  event.type === 'tool_call_end';
/** Whether the event is an error of the model. */
export const isErrorEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'error'> => event.type === 'error';
/** Whether the event reports token usage. */
export const isUsageEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'usage'> => event.type === 'usage';
/** Whether the event ends the stream, with its reason. */
export const isStopEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'stop'> => event.type === 'stop';
/** Whether the event is an image. */
export const isImageDataEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'image_data'> =>
  event.type === 'image_data';
/** Whether the event reports a rate limit of the provider. */
export const isRateLimitEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'rate_limit'> =>
  event.type === 'rate_limit';
