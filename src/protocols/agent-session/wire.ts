/** Schemas of the session events that a plain answer contains. Source: `docs/protocols/agent-session.md`. */
import { recordOf, z } from '../../model/schema.ts';
import { filled, lenient, lenientNumber, lenientText } from '../shared/lenient.ts';

const optional = z.exactOptional;
/** Older events have their fields at the top level. */
export const envelope = z.looseObject({
  type: z.string(),
  data: optional(z.unknown()),
  // Metadata of another type must not hide its text.
  metadata: lenient(
    z.object({
      request_id: lenientText,
      timestamp: lenientNumber,
      sequence: lenientNumber,
      duration_ms: lenientNumber,
    }),
  ),
});
export type Envelope = z.infer<typeof envelope>;

const text = z.object({
  content: z.string(),
  stage: optional(z.string()),
  // Text in an unknown format is better than no text.
  format: optional(z.catch(z.enum(['markdown', 'text', 'html']), 'markdown')),
});
const sessionId = lenient(z.union([z.string(), z.number()]));
export const payloads = {
  session_start: z.object({ session_id: sessionId, request_id: lenientText }),
  thinking: text,
  content: text,
  final_answer: text,
  data: z.object({
    data_type: z.string(),
    data: z.unknown(),
    metadata: optional(recordOf(z.unknown())),
  }),
  error: z.object({
    error_type: optional(z.string()),
    message: z.string(),
    details: optional(z.unknown()),
    recoverable: optional(z.boolean()),
  }),
  session_end: z.object({
    status: optional(z.string()),
    // A null count must not hide the end of the session.
    summary: lenient(
      filled(
        z.object({
          total_tokens: optional(z.number()),
          duration_ms: optional(z.number()),
          tool_calls: optional(z.number()),
        }),
      ),
    ),
  }),
};
export type EventName = keyof typeof payloads;
export type Payload<Name extends EventName> = z.infer<(typeof payloads)[Name]>;
