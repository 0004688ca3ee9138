/** What an AI SDK server streams. Source: `ai-sdk-ui-message-stream.md`, "Chunks". */
import { isRecord } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { maybe, maybeRecord, maybeText } from '../shared/maybe.ts';
import type { Words } from '../shared/read-words.ts';

const flag = maybe(z.boolean());
const text = z.string();
const json = z.exactOptional(z.unknown());
const meta = { providerMetadata: maybeRecord };
const piece = { id: text, ...meta };
const tool = { toolCallId: text, providerExecuted: flag, ...meta };
const call = { ...tool, toolName: text, title: maybeText, toolMetadata: maybeRecord, dynamic: flag };
const file = { url: text, mediaType: text, ...meta };

export const chunk = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), messageId: maybeText, messageMetadata: json }),
  z.object({ type: z.literal(['start-step', 'finish-step', 'reset-step']) }),
  z.object({ type: z.literal(['text-start', 'text-end', 'reasoning-start', 'reasoning-end']), ...piece }),
  z.object({ type: z.literal(['text-delta', 'reasoning-delta']), ...piece, delta: text }),
  z.object({ type: z.literal('tool-input-start'), ...call }),
  z.object({ type: z.literal('tool-input-delta'), toolCallId: text, inputTextDelta: text }),
  z.object({ type: z.literal('tool-input-available'), ...call, input: json }),
  z.object({ type: z.literal('tool-input-error'), ...call, input: json, errorText: text }),
  z.object({
    type: z.literal('tool-approval-request'),
    approvalId: text,
    toolCallId: text,
    isAutomatic: flag,
    signature: maybeText,
  }),
  z.object({
    type: z.literal('tool-approval-response'),
    approvalId: text,
    approved: z.boolean(),
    reason: maybeText,
    providerExecuted: flag,
    ...meta,
  }),
  z.object({ type: z.literal('tool-output-available'), ...tool, output: json, preliminary: flag }),
  z.object({ type: z.literal('tool-output-error'), ...tool, errorText: text }),
  z.object({ type: z.literal('tool-output-denied'), toolCallId: text }),
  z.object({ type: z.literal('source-url'), sourceId: text, url: text, title: maybeText, ...meta }),
  z.object({
    type: z.literal('source-document'),
    sourceId: text,
    mediaType: text,
    title: text,
    filename: maybeText,
    ...meta,
  }),
  z.object({ type: z.literal(['file', 'reasoning-file']), ...file }),
  z.object({ type: z.literal('custom'), kind: text, ...meta }),
  z.object({ type: z.literal('message-metadata'), messageMetadata: json }),
  z.object({ type: z.literal('error'), errorText: text }),
  z.object({ type: z.literal('abort'), reason: maybeText }),
  z.object({ type: z.literal('finish'), finishReason: maybeText, messageMetadata: json }),
]);
export type Chunk = z.infer<typeof chunk>;
/** The members of one name, which some share. */
export type ChunkOf<T extends Chunk['type']> = Chunk extends infer C
  ? C extends { readonly type: infer Name }
    ? T extends Name
      ? Omit<C, 'type'> & { readonly type: T }
      : never
    : never
  : never;

/** What the schema says of words, which is nearly all that comes: to look takes a fraction of what the schema takes. */
export function wordsOf(
  json: unknown,
): Words<Pick<ChunkOf<'text-delta' | 'reasoning-delta'>, 'type' | 'id'>> | undefined {
  if (!isRecord(json)) return undefined;
  const { type, id, delta, providerMetadata } = json;
  const words = (type === 'text-delta' || type === 'reasoning-delta') && providerMetadata === undefined;
  return words && typeof id === 'string' && typeof delta === 'string'
    ? { words: delta, facts: { type, id } }
    : undefined;
}

/** `data-<name>`, which every app names for itself. */
export const dataChunk = z.object({
  type: z.string(),
  id: maybeText,
  data: json,
  transient: flag,
});
export type DataChunk = z.infer<typeof dataChunk>;

export const totals = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  totalTokens: maybe(z.number()),
});
export type Totals = z.infer<typeof totals>;
