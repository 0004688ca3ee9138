/** Schemas of the chunks of the assistant transport. Source: `docs/protocols/assistant-transport.md`. */
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { stateOperation } from '../shared/state-operations.ts';

const text = z.string();
const flag = lenient(z.boolean());
const json = z.exactOptional(z.unknown());
const list = z.array(z.unknown());
const partPath = z.array(z.number());
const usage = lenient(z.object({ inputTokens: lenientNumber, outputTokens: lenientNumber }));
const knownPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['text', 'reasoning']) }),
  z.object({ type: z.literal('tool-call'), toolCallId: text, toolName: text }),
  z.object({ type: z.literal('source'), id: lenientString, url: text, title: lenientString }),
  z.object({ type: z.literal('file'), data: text, mimeType: lenientString }),
  z.object({ type: z.literal('data'), name: lenientString, data: json }),
]);
export type KnownPart = z.infer<typeof knownPart>;
/** Paths count every part: one that is unknown or invalid keeps its place. */
const part = z.catch(z.union([knownPart, z.object({ type: z.literal('unknown') })]), { type: 'unknown' });
export type TransportPart = z.infer<typeof part>;
export type TransportUsage = z.infer<typeof usage>;
const endFields = { finishReason: lenientString, usage };
export const chunk = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step-start'), messageId: lenientString }),
  z.object({ type: z.literal('part-start'), part, path: lenient(partPath) }),
  z.object({ type: z.literal('text-delta'), textDelta: text, path: partPath }),
  z.object({ type: z.literal(['tool-call-args-text-finish', 'part-finish']) }),
  z.object({ type: z.literal('result'), result: json, isError: flag, isPreliminary: flag, path: partPath }),
  z.object({ type: z.literal('data'), data: list }),
  z.object({ type: z.literal('annotations'), annotations: list }),
  z.object({ type: z.literal('update-state'), operations: z.array(stateOperation) }),
  z.object({ type: z.literal('step-finish'), ...endFields, isContinued: flag }),
  z.object({ type: z.literal('message-finish'), ...endFields }),
  z.object({
    type: z.literal('error'),
    /** Text; some servers send an object. */
    error: json,
    message: json,
    code: lenientString,
    severity: lenientString,
  }),
]);
export type Chunk = z.infer<typeof chunk>;
