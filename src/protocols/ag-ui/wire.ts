/** The events of AG-UI and the parts of them that are read. Source: `ag-ui.md`, "Events". */
import { maybe } from '../shared/maybe.ts';
import { z } from '../../model/schema.ts';

/** A field that may be absent, null or of another type: then it says nothing. */
const string = maybe(z.string());
const number = maybe(z.number());
const id = z.string();

const usage = maybe(
  z.array(z.object({ inputTokens: number, outputTokens: number, totalTokens: number, cachedInputTokens: number })),
);

export const interrupt = z.object({
  id,
  reason: z.string(),
  message: string,
  toolCallId: string,
  responseSchema: maybe(z.record(z.string(), z.unknown())),
  expiresAt: string,
});
export type WireInterrupt = z.infer<typeof interrupt>;

const toolCall = z.looseObject({
  id,
  function: z.looseObject({ name: z.string(), arguments: z.catch(z.string(), '') }),
});
/** A message of the conversation, in a snapshot and on its way back. */
export const wireMessage = z.looseObject({
  id,
  role: z.string(),
  content: maybe(z.unknown()),
  toolCalls: maybe(z.array(toolCall)),
  toolCallId: string,
  error: string,
  activityType: string,
});
export type WireMessage = z.infer<typeof wireMessage>;
export type WireCall = z.infer<typeof toolCall>;

export const wire = z.discriminatedUnion('type', [
  z.object({ type: z.literal('RUN_STARTED'), runId: string }),
  z.object({
    type: z.literal('RUN_FINISHED'),
    result: z.optional(z.unknown()),
    outcome: maybe(z.looseObject({ type: z.string(), interrupts: maybe(z.array(z.unknown())) })),
    usage,
  }),
  z.object({ type: z.literal('RUN_ERROR'), message: string, code: maybe(z.coerce.string()), usage }),
  z.object({ type: z.literal('STEP_STARTED'), stepName: z.string() }),
  z.object({ type: z.enum(['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END']), messageId: id, role: string, name: string }),
  z.object({ type: z.literal('TEXT_MESSAGE_CONTENT'), messageId: id, delta: z.string() }),
  z.object({ type: z.literal('TEXT_MESSAGE_CHUNK'), messageId: string, role: string, name: string, delta: string }),
  z.object({ type: z.literal('TOOL_CALL_START'), toolCallId: id, toolCallName: z.string(), parentMessageId: string }),
  z.object({ type: z.literal('TOOL_CALL_ARGS'), toolCallId: id, delta: z.string() }),
  z.object({
    type: z.literal('TOOL_CALL_CHUNK'),
    toolCallId: string,
    toolCallName: string,
    parentMessageId: string,
    delta: string,
  }),
  z.object({ type: z.literal('TOOL_CALL_RESULT'), messageId: string, toolCallId: id, content: maybe(z.unknown()) }),
  z.object({ type: z.literal('REASONING_MESSAGE_CONTENT'), messageId: id, delta: z.string() }),
  z.object({ type: z.literal('REASONING_MESSAGE_CHUNK'), messageId: string, delta: string }),
  z.object({
    type: z.literal('REASONING_ENCRYPTED_VALUE'),
    subtype: string,
    entityId: id,
    encryptedValue: z.string(),
  }),
  z.object({ type: z.literal('THINKING_START'), title: string }),
  z.object({ type: z.literal('THINKING_TEXT_MESSAGE_CONTENT'), delta: z.string() }),
  z.object({ type: z.literal('STATE_SNAPSHOT'), snapshot: z.unknown() }),
  z.object({ type: z.literal('STATE_DELTA'), delta: z.array(z.unknown()) }),
  z.object({ type: z.literal('MESSAGES_SNAPSHOT'), messages: z.array(z.unknown()) }),
  z.object({
    type: z.literal('ACTIVITY_SNAPSHOT'),
    messageId: id,
    activityType: z.string(),
    content: z.unknown(),
    replace: maybe(z.boolean()),
  }),
  z.object({ type: z.literal('ACTIVITY_DELTA'), messageId: id, activityType: string, patch: z.array(z.unknown()) }),
  z.object({ type: z.literal('CUSTOM'), name: z.string(), value: z.unknown() }),
  // Marks that say nothing a reader would see, and what is passed through from behind the agent.
  z.object({
    type: z.enum([
      'STEP_FINISHED',
      'TOOL_CALL_END',
      'REASONING_START',
      'REASONING_END',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_END',
      'THINKING_END',
      'THINKING_TEXT_MESSAGE_START',
      'THINKING_TEXT_MESSAGE_END',
      'RAW',
    ]),
  }),
]);
export type WireEvent = z.infer<typeof wire>;
