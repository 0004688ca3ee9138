/**
 * Schemas of AG-UI events, limited to the fields that are used. Source: `docs/protocols/ag-ui.md`; https://docs.ag-ui.com,
 * "Events".
 */
import { lenient } from '../shared/lenient.ts';
import { z } from '../../model/schema.ts';

/** An optional field; null or another type counts as absent. */
const string = lenient(z.string());
const number = lenient(z.number());
const id = z.string();

const usage = lenient(
  z.array(z.object({ inputTokens: number, outputTokens: number, totalTokens: number, cachedInputTokens: number })),
);

/** What TanStack AI adds: how a run ended, and the state of a tool's result. */
const metadata = lenient(z.object({ tanstack: lenient(z.object({ finishReason: string, state: string })) }));

const toolCall = z.looseObject({
  id,
  function: z.looseObject({ name: z.string(), arguments: z.catch(z.string(), '') }),
});
/** A message of the conversation, in a snapshot and in a request. */
export const agUiMessageSchema = z.looseObject({
  id,
  role: z.string(),
  content: lenient(z.unknown()),
  toolCalls: lenient(z.array(toolCall)),
  toolCallId: string,
  error: string,
  activityType: string,
});
export type AgUiMessage = z.infer<typeof agUiMessageSchema>;
export type AgUiToolCall = z.infer<typeof toolCall>;

export const agUiEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('RUN_STARTED'), runId: string, parentRunId: string }),
  z.object({
    type: z.literal('RUN_FINISHED'),
    result: z.optional(z.unknown()),
    outcome: lenient(z.looseObject({ type: z.string(), interrupts: lenient(z.array(z.unknown())) })),
    usage,
    metadata,
  }),
  z.object({ type: z.literal('RUN_ERROR'), message: string, code: lenient(z.coerce.string()), usage }),
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
  z.object({
    type: z.literal('TOOL_CALL_RESULT'),
    messageId: string,
    toolCallId: id,
    content: lenient(z.unknown()),
    metadata,
  }),
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
    replace: lenient(z.boolean()),
  }),
  z.object({ type: z.literal('ACTIVITY_DELTA'), messageId: id, activityType: string, patch: z.array(z.unknown()) }),
  z.object({ type: z.literal('CUSTOM'), name: z.string(), value: z.unknown() }),
  z.object({ type: z.literal('TOOL_CALL_END'), toolCallId: lenient(z.string()) }),
  // Events without visible content, and `RAW`, which passes through events of the agent's framework.
  z.object({
    type: z.enum([
      'STEP_FINISHED',
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
export type AgUiEvent = z.infer<typeof agUiEventSchema>;
