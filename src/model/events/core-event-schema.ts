/** The schema of the events in `core-events.ts`. Only one protocol checks events against it. Source: `docs/protocols/deepchat-events.md`. */
import { imageData } from '../image-data.ts';
import { z } from '../schema.ts';
import { rateLimitInfo, usageStats } from '../usage.ts';

/** Why a model stopped. */
export const stopReason = z.enum(['tool_use', 'max_tokens', 'stop_sequence', 'error', 'complete']);
/** Why a model stopped. */
export type StopReason = z.infer<typeof stopReason>;

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
