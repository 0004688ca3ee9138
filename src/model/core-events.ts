/**
 * What a model's stream says, one payload an event. Core events never leave `protocols/`: `lift.ts` makes agent events of
 * them. Source: DeepChat strong-typed events, section 2.
 */
import type { Immutable } from './immutable.ts';
import { z } from './schema.ts';
import { rateLimitInfo, usageStats, type RateLimitInfo, type UsageStats } from './usage.ts';

/** Why a model stopped. */
export const stopReason = z.enum(['tool_use', 'max_tokens', 'stop_sequence', 'error', 'complete']);
/** Why a model stopped. */
export type StopReason = z.infer<typeof stopReason>;

export const imageData = z.object({ data: z.string(), mimeType: z.string() });
/** A picture: base64 without prefix, and its MIME type. */
export type ImageData = Immutable<z.infer<typeof imageData>>;

/** The schema of {@link LLMCoreStreamEvent}: `{ type: 'text', content }` and nine more. */
export const llmCoreStreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), content: z.string() }),
  z.object({ type: z.literal('reasoning'), reasoning_content: z.string() }),
  z.object({ type: z.literal('tool_call_start'), tool_call_id: z.string(), tool_call_name: z.string() }),
  z.object({ type: z.literal('tool_call_chunk'), tool_call_id: z.string(), tool_call_arguments_chunk: z.string() }),
  z.object({
    type: z.literal('tool_call_end'),
    tool_call_id: z.string(),
    tool_call_arguments_complete: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal('error'), error_message: z.string() }),
  z.object({ type: z.literal('usage'), usage: usageStats }),
  z.object({ type: z.literal('stop'), stop_reason: stopReason }),
  z.object({ type: z.literal('image_data'), image_data: imageData }),
  z.object({ type: z.literal('rate_limit'), rate_limit: rateLimitInfo }),
]);

type CoreEvent = Immutable<z.infer<typeof llmCoreStreamEvent>>;
type FieldsOfAll<Union> = Union extends unknown ? keyof Union : never;
/** Every member with the other members' fields forbidden, so that even a variable of a wider type does not fit. */
type Exclusive<Union, All extends PropertyKey = FieldsOfAll<Union>> = Union extends unknown
  ? Union & Readonly<Partial<Record<Exclude<All, keyof Union>, never>>>
  : never;

/** One event of a model's stream. A field that belongs to another member is a compile error. */
export type LLMCoreStreamEvent = Exclusive<CoreEvent>;

/** The ten names. */
export type StreamEventType = CoreEvent['type'];

/** One member by its name. */
export type StreamEventOf<T extends StreamEventType> = Extract<LLMCoreStreamEvent, { readonly type: T }>;

/** The payload of one member: `StreamEventFields<'text'>` is `{ content: string }`. */
export type StreamEventFields<T extends StreamEventType> = Omit<Extract<CoreEvent, { readonly type: T }>, 'type'>;

/**
 * One factory a member.
 *
 * @example
 * yield createStreamEvent.text('Hello');
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
  /** `complete`, where given, replaces the arguments that came in pieces. */
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

/** Whether it is a piece of the answer. */
export const isTextEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'text'> => event.type === 'text';
/** Whether it is a piece of a thought. */
export const isReasoningEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'reasoning'> =>
  event.type === 'reasoning';
/** Whether it is the beginning of a call, with its id and name. */
export const isToolCallStartEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_start'> =>
  event.type === 'tool_call_start';
/** Whether it is a piece of a call’s arguments. */
export const isToolCallChunkEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_chunk'> =>
  event.type === 'tool_call_chunk';
/** Whether it is the end of a call’s arguments. */
export const isToolCallEndEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'tool_call_end'> =>
  event.type === 'tool_call_end';
/** Whether it is an error of the model. */
export const isErrorEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'error'> => event.type === 'error';
/** Whether it is the count of tokens. */
export const isUsageEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'usage'> => event.type === 'usage';
/** Whether it is the end, with its reason. */
export const isStopEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'stop'> => event.type === 'stop';
/** Whether it is a picture. */
export const isImageDataEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'image_data'> =>
  event.type === 'image_data';
/** Whether it is a provider’s wish to be asked less often. */
export const isRateLimitEvent = (event: LLMCoreStreamEvent): event is StreamEventOf<'rate_limit'> =>
  event.type === 'rate_limit';
