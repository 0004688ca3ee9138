/** The events of Cohere's chat API. */
import { isRecord } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientRecord, lenientString, lenientText } from '../shared/lenient.ts';

const call = z.object({
  id: lenientString,
  function: lenient(z.object({ name: lenientString, arguments: lenientString })),
});
export type CohereCall = z.infer<typeof call>;
const content = z.object({ text: lenientText, thinking: lenientText });
export type CohereContent = z.infer<typeof content>;
const citation = z.object({
  start: z.number(),
  end: z.number(),
  text: lenientString,
  type: lenientString,
  content_index: lenientNumber,
  sources: lenient(z.array(z.object({ id: lenientString, document: lenientRecord, tool_output: lenientRecord }))),
});
export type CohereCitation = z.infer<typeof citation>;

/** An array in a complete reply, a single value in a streamed one. */
const oneOrMore = <Schema extends z.ZodMiniType>(schema: Schema) => lenient(z.union([z.array(schema), schema]));
const message = z.object({
  content: lenient(z.union([z.string(), z.array(content), content])),
  tool_plan: lenientString,
  tool_calls: oneOrMore(call),
  citations: oneOrMore(citation),
});
export type CohereMessage = z.infer<typeof message>;

const usage = z.object({ tokens: lenient(z.object({ input_tokens: lenientNumber, output_tokens: lenientNumber })) });
const ending = z.object({
  message: lenient(message),
  finish_reason: lenientString,
  usage: lenient(usage),
  error: lenient(z.unknown()),
});
export type CohereEnding = z.infer<typeof ending>;

const indexed = { index: lenientNumber, delta: lenient(ending) };
export const cohereEvent = z.discriminatedUnion('type', [
  z.object({
    ...indexed,
    type: z.enum([
      'message-start',
      'content-start',
      'content-delta',
      'content-end',
      'tool-plan-delta',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'citation-start',
      'citation-end',
      'message-end',
    ]),
  }),
  /** A complete reply without streaming. */
  z.object({ ...ending.shape, type: z.literal('whole') }),
  z.object({ type: z.literal('error'), message: z.exactOptional(z.unknown()), error: z.exactOptional(z.unknown()) }),
]);
export type CohereEvent = z.infer<typeof cohereEvent>;

/** Adds a type to an object without one: it is a complete reply or an error. */
export function withType(json: unknown): unknown {
  if (!isRecord(json) || typeof json['type'] === 'string') return json;
  if (isRecord(json['message'])) return { ...json, type: 'whole' };
  return typeof json['message'] === 'string' || json['error'] ? { ...json, type: 'error' } : json;
}
