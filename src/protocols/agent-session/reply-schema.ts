/** Schemas of the session events that a plain answer contains. Source: `docs/protocols/agent-session.md`. */
import { z } from '../../model/schema.ts';
import { lenient, lenientCounts, lenientNumber, lenientRecord, lenientText } from '../shared/lenient.ts';

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
  stage: lenientText,
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
    // A value that is null is removed from the payload.
    data: optional(z.unknown()),
    metadata: lenientRecord,
  }),
  error: z.object({
    // An error must fail the reply, whatever its other fields are.
    error_type: lenientText,
    message: z.string(),
    details: optional(z.unknown()),
    recoverable: lenient(z.boolean()),
  }),
  session_end: z.object({
    status: lenientText,
    summary: optional(lenientCounts('total_tokens', 'duration_ms', 'tool_calls')),
  }),
};
export type EventName = keyof typeof payloads;
export type Payload<Name extends EventName> = z.infer<(typeof payloads)[Name]>;
