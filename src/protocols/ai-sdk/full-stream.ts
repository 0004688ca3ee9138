/**
 * The AI SDK's `fullStream` as server-sent events. The route `/stream` of the framework VoltAgent and many custom routes send
 * it. It has the content of the UI message stream under other names. Source: ai-sdk.dev, "streamText", `fullStream`
 * (`TextStreamPart`).
 */
import { isRecord } from '../../model/json.ts';
import { errorMessage } from '../shared/error-message.ts';

type Json = Readonly<Record<string, unknown>>;

/** Converts a part of a `fullStream` to the equivalent chunk of a UI message stream; returns anything else unchanged. */
export function toUiChunk(json: unknown): unknown {
  if (!isRecord(json) || typeof json['type'] !== 'string') return json;
  const translate = Object.hasOwn(parts, json['type']) ? parts[json['type']] : undefined;
  return translate ? translate(json) : json;
}

const parts: Readonly<Partial<Record<string, (part: Json) => unknown>>> = {
  'text-delta': withDelta,
  'reasoning-delta': withDelta,
  'tool-input-start': ({ id, ...part }) => ({ toolCallId: id, ...part }),
  'tool-input-delta': ({ id, delta, ...part }) => ({ toolCallId: id, inputTextDelta: delta, ...part }),
  'tool-call': ({ input, args, ...part }) => ({ ...part, type: 'tool-input-available', input: input ?? args }),
  'tool-result': ({ output, result, ...part }) => ({
    ...part,
    type: 'tool-output-available',
    output: output ?? result ?? null,
  }),
  'tool-error': ({ error, ...part }) => ({
    ...part,
    type: 'tool-output-error',
    errorText: errorMessage(error) ?? 'The tool failed.',
  }),
  'tool-approval-request': ({ toolCall, ...part }) => ({
    ...(isRecord(toolCall) && { toolCallId: toolCall['toolCallId'] }),
    ...part,
  }),
  source: ({ sourceType, id, ...part }) => ({
    ...part,
    type: sourceType === 'document' ? 'source-document' : 'source-url',
    sourceId: id,
  }),
  file: ({ file, ...part }) => {
    if (!isRecord(file)) return { ...part };
    const { base64 = file['base64Data'], mediaType } = file;
    return typeof base64 === 'string' && typeof mediaType === 'string'
      ? { ...part, url: `data:${mediaType};base64,${base64}`, mediaType }
      : { ...part };
  },
  'steering-message': ({ message, stepNumber: _step, ...part }) => ({ parts: userParts(message), ...part }),
  error: ({ error, ...part }) => ({ errorText: errorMessage(error) ?? 'The agent reported an error.', ...part }),
};

/** The text of a user message as parts of a UI message. */
function userParts(message: unknown): readonly object[] {
  const content = isRecord(message) ? message['content'] : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as unknown[]).filter(isRecord).filter(({ type }) => type === 'text') : [];
}

function withDelta({ text, ...part }: Json): Json {
  return { delta: text, ...part };
}
