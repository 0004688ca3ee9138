/**
 * Schemas of the chunks of an AI SDK server. Source: `docs/protocols/ai-sdk.md`; AI SDK documentation, "Stream Protocols".
 */
import { isRecord } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { errorMessage } from '../shared/error-message.ts';
import { lenient, lenientRecord, lenientString } from '../shared/lenient.ts';
import type { FrameText } from '../shared/fast-text-frames.ts';

/** Servers that are not the SDK may send an object. */
const toErrorText = (value: unknown): string =>
  typeof value === 'string' ? value : (errorMessage(value) ?? 'The agent reported an error.');

const flag = lenient(z.boolean());
const text = z.string();
const json = z.exactOptional(z.unknown());
const meta = { providerMetadata: lenientRecord };
const textPart = { id: text, ...meta };
const tool = { toolCallId: text, providerExecuted: flag, ...meta };
const call = { ...tool, toolName: text, title: lenientString, toolMetadata: lenientRecord, dynamic: flag };
const file = { url: text, mediaType: text, ...meta };

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  totalTokens: lenient(z.number()),
});
export type UiUsage = z.infer<typeof usageSchema>;

export const uiChunkSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), messageId: lenientString, messageMetadata: json }),
  z.object({ type: z.literal(['start-step', 'finish-step', 'reset-step']) }),
  z.object({ type: z.literal(['text-start', 'text-end', 'reasoning-start', 'reasoning-end']), ...textPart }),
  // Only `fullStream` sends these.
  z.object({ type: z.literal(['tool-input-end', 'raw']) }),
  z.object({ type: z.literal(['text-delta', 'reasoning-delta']), ...textPart, delta: text }),
  z.object({ type: z.literal('tool-input-start'), ...call }),
  z.object({ type: z.literal('tool-input-delta'), toolCallId: text, inputTextDelta: text }),
  z.object({ type: z.literal('tool-input-available'), ...call, input: json }),
  z.object({ type: z.literal('tool-input-error'), ...call, input: json, errorText: text }),
  z.object({
    type: z.literal('tool-approval-request'),
    approvalId: text,
    toolCallId: text,
    isAutomatic: flag,
    signature: lenientString,
  }),
  z.object({
    type: z.literal('tool-approval-response'),
    approvalId: text,
    approved: z.boolean(),
    reason: lenientString,
    providerExecuted: flag,
    ...meta,
  }),
  z.object({ type: z.literal('tool-output-available'), ...tool, output: json, preliminary: flag }),
  z.object({ type: z.literal('tool-output-error'), ...tool, errorText: text }),
  z.object({ type: z.literal('tool-output-denied'), toolCallId: text }),
  z.object({ type: z.literal('source-url'), sourceId: text, url: text, title: lenientString, ...meta }),
  z.object({
    type: z.literal('source-document'),
    sourceId: text,
    mediaType: text,
    title: text,
    filename: lenientString,
    ...meta,
  }),
  z.object({ type: z.literal(['file', 'reasoning-file']), ...file }),
  z.object({ type: z.literal('custom'), kind: text, ...meta }),
  z.object({ type: z.literal('message-metadata'), messageMetadata: json }),
  z.object({ type: z.literal('error'), errorText: z.pipe(z.unknown(), z.transform(toErrorText)) }),
  // AI SDK 7: a user message sent while the agent was working.
  z.object({ type: z.literal('steering-message'), id: text, parts: json }),
  z.object({ type: z.literal('abort'), reason: lenientString }),
  z.object({
    type: z.literal('finish'),
    finishReason: lenientString,
    messageMetadata: json,
    totalUsage: lenient(usageSchema),
  }),
]);
export type UiChunk = z.infer<typeof uiChunkSchema>;
/** The chunk type of a name; some names share one schema. */
export type UiChunkOf<T extends UiChunk['type']> = UiChunk extends infer C
  ? C extends { readonly type: infer Name }
    ? T extends Name
      ? Omit<C, 'type'> & { readonly type: T }
      : never
    : never
  : never;

/** Reads a text chunk without the schema. Nearly all chunks are text, and this check costs a fraction of the schema. */
export function readTextChunk(
  json: unknown,
): FrameText<Pick<UiChunkOf<'text-delta' | 'reasoning-delta'>, 'type' | 'id'>> | undefined {
  if (!isRecord(json)) return undefined;
  const { type, id, text: full, delta = full, providerMetadata } = json;
  const isText = (type === 'text-delta' || type === 'reasoning-delta') && providerMetadata === undefined;
  return isText && typeof id === 'string' && typeof delta === 'string'
    ? { text: delta, fields: { type, id } }
    : undefined;
}

/** Schema of `data-<name>` chunks, whose names each application chooses. */
export const dataChunkSchema = z.object({
  type: z.string(),
  id: lenientString,
  data: json,
  transient: flag,
});
export type DataChunk = z.infer<typeof dataChunkSchema>;
