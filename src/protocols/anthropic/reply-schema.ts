/** The events of Anthropic's Messages API. Source: `docs/protocols/anthropic.md`; Anthropic API reference, "Messages". */
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';

const usage = z.object({
  input_tokens: lenientNumber,
  cache_creation_input_tokens: lenientNumber,
  cache_read_input_tokens: lenientNumber,
  output_tokens: lenientNumber,
});
export type Usage = Partial<z.infer<typeof usage>>;

const item = z.looseObject({ type: z.string() });
const ending = z.object({
  stop_reason: lenientString,
  stop_details: lenient(z.object({ category: lenientString, explanation: lenientString })),
  container: lenient(z.object({ id: z.string() })),
});
export type Ending = Partial<z.infer<typeof ending>>;
const message = z.object({
  ...ending.shape,
  id: lenientString,
  model: lenientString,
  content: lenient(z.array(item)),
  usage: lenient(usage),
});
export type Message = z.infer<typeof message>;

export const anthropicEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message }),
  z.object({ type: z.literal('content_block_start'), index: z.number(), content_block: item }),
  z.object({ type: z.literal('content_block_delta'), index: z.number(), delta: item }),
  z.object({ type: z.literal('content_block_stop'), index: z.number() }),
  z.object({ type: z.literal('message_delta'), delta: lenient(ending), usage: lenient(usage) }),
  z.object({ type: z.literal('message_stop') }),
  z.object({ type: z.literal('ping') }),
  z.object({
    type: z.literal('error'),
    /** Text or `{type, message}`; gateways also send other forms. */
    error: z.exactOptional(z.unknown()),
    message: z.exactOptional(z.unknown()),
    request_id: lenientString,
  }),
  /** A complete reply without streaming. */
  z.object({ ...message.shape, type: z.literal('message') }),
]);
export type AnthropicEvent = z.infer<typeof anthropicEvent>;
