/** Schemas of the chunks of a Mastra stream. Source: `@mastra/core` 1.71, `stream/types.d.ts`. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { UsageStats } from '../../model/usage.ts';
import { z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { lenient, lenientNumber, lenientRecord, lenientString, lenientText } from '../shared/lenient.ts';

/** The fields of all chunk types. */
const payload = z.looseObject({
  id: lenientString,
  text: lenientText,
  toolCallId: lenientString,
  toolName: lenientString,
  argsTextDelta: lenientString,
  args: lenientRecord,
  providerExecuted: lenient(z.boolean()),
  title: lenientString,
  isError: lenient(z.boolean()),
  resumeSchema: lenientString,
  reason: lenientString,
  retry: lenient(z.boolean()),
  url: lenientString,
  mimeType: lenientString,
  base64: lenientString,
  filename: lenientString,
  approval: lenientRecord,
  stepResult: lenient(z.looseObject({ reason: lenientString })),
});
export type Payload = z.infer<typeof payload>;
export const EMPTY_PAYLOAD: Payload = payload.parse({});

export const wire = z.looseObject({
  type: z.string(),
  runId: lenientString,
  payload: lenient(payload),
  /** Data chunks that a tool writes have their fields here instead of in a payload. */
  id: lenientString,
});
export type Chunk = z.infer<typeof wire>;

/**
 * The chunk of a frame. `observe` sends the events of the run instead, which contain the chunks.
 * Source: `@mastra/core` 1.71, `agent/durable/types.d.ts`.
 */
export function toMastraChunk(json: unknown): unknown {
  if (!isRecord(json) || typeof json['createdAt'] !== 'string' || typeof json['index'] !== 'number') return json;
  const { type, runId, data } = json;
  if (type === 'chunk' || type === 'step-start') return data;
  return { type, runId, payload: data };
}

type Data = Omit<LLMAgentEventData, 'eventId'>;

const usage = z.object({ inputTokens: lenientNumber, outputTokens: lenientNumber, totalTokens: lenientNumber });

export function toMastraUsage(value: unknown): UsageStats | undefined {
  const { inputTokens, outputTokens, totalTokens } = usage.safeParse(value).data ?? {};
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return undefined;
  const [promptTokens, completionTokens] = [inputTokens ?? 0, outputTokens ?? 0];
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: totalTokens ?? promptTokens + completionTokens,
  };
}

export function toMastraCitation({ id, url, title, filename }: Payload): NonNullable<Data['citation']> {
  const name = title ?? filename;
  return { id: id ?? url ?? '', ...(url && { url }), ...(name && { title: name }) };
}

/** The data is base64, a `data:` URL or another URL. */
export function toMastraMedia({ data, base64, mimeType, filename }: Payload): readonly Data[] {
  const source = typeof data === 'string' ? data : base64;
  if (!source) return [];
  const inline = parseDataUrl(source);
  const type = mimeType ?? inline?.mimeType ?? '';
  const [kind = ''] = type.split('/');
  return [
    {
      media: {
        kind: kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file',
        ...(/^https?:/.test(source) ? { url: source } : { data: inline?.data ?? source }),
        ...(type && { mimeType: type }),
        ...(filename && { name: filename }),
      },
    },
  ];
}

/** Data that a server tool writes into the stream. Chunks with the same name and id update the same block. */
export function toMastraData({ type, id, data }: Chunk): Data {
  const name = type.slice('data-'.length);
  return {
    data: { data_type: 'custom', data, metadata: { dataType: name } },
    ...(id && { data_id: `${name}:${id}` }),
  };
}
