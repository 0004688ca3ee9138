/**
 * Schemas of the fields that are read from chat completions and their dialects. Every field may be missing, null or
 * empty.
 * Source: `docs/protocols/openai-chat.md`.
 */
import type { Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { errorMessage } from '../shared/error-message.ts';
import { lenient, lenientNumber, lenientString, lenientText, textValue } from '../shared/lenient.ts';
import { toolChunk } from './calls.ts';
import { isRecord, parseJson } from '../../model/json.ts';

const imageUrl = z.union([z.string(), z.object({ url: z.string() })]);
const contentPart = z.looseObject({
  type: z.string(),
  text: lenientString,
  image_url: lenient(imageUrl),
  thinking: lenient(z.union([z.string(), z.array(z.looseObject({ text: lenientString }))])),
});
const delta = z.object({
  content: lenient(z.union([textValue, z.array(contentPart)])),
  reasoning_content: lenientText,
  reasoning: lenientString,
  reasoning_details: lenient(z.array(z.looseObject({ type: z.string(), text: lenientString, summary: lenientString }))),
  /** Perplexity's. */
  reasoning_steps: lenient(z.array(z.looseObject({ thought: lenientString }))),
  refusal: lenientString,
  tool_calls: lenient(z.array(toolChunk)),
  function_call: lenient(z.object({ name: lenientString, arguments: lenientString })),
  annotations: lenient(
    z.array(
      z.looseObject({
        url_citation: lenient(
          z.object({
            url: z.string(),
            title: lenientString,
            content: lenientString,
            start_index: lenientNumber,
            end_index: lenientNumber,
          }),
        ),
      }),
    ),
  ),
  images: lenient(z.array(z.object({ image_url: imageUrl }))),
  audio: lenient(z.object({ data: lenientString, transcript: lenientString })),
});
export type Delta = z.infer<typeof delta>;

const usage = z.object({ prompt_tokens: lenientNumber, completion_tokens: lenientNumber, total_tokens: lenientNumber });
const providerError = z.union([
  z.string(),
  z.array(z.unknown()),
  z.looseObject({
    message: z.exactOptional(z.unknown()),
    code: lenient(z.coerce.string()),
    type: lenientString,
  }),
]);
export const chunk = z.looseObject({
  choices: lenient(
    z.array(
      z.object({
        index: lenientNumber,
        delta: lenient(delta),
        message: lenient(delta),
        text: lenientString,
        finish_reason: lenientString,
        error: lenient(providerError),
      }),
    ),
  ),
  usage: lenient(usage),
  x_groq: lenient(z.looseObject({ usage: lenient(usage), error: lenientString })),
  error: lenient(providerError),
  object: lenientString,
  message: lenient(z.unknown()),
  code: lenient(z.coerce.string()),
  images: lenient(z.array(z.union([z.string(), z.object({ image_url: z.string() })]))),
  citations: lenient(z.array(z.string())),
  search_results: lenient(z.array(z.looseObject({ title: lenientString, url: z.string() }))),
  related_questions: lenient(z.array(z.string())),
});
export type Chunk = z.infer<typeof chunk>;

/**
 * Returns the delta of a chunk that contains only text, as nearly all do. This check takes a fraction of the time of
 * the schema, with the same result.
 */
export function plainTextDelta(json: unknown): Delta | undefined {
  if (!isRecord(json) || hasOtherChunkFields(json)) return undefined;
  const { object, choices } = json;
  if (!Array.isArray(choices) || choices.length !== 1 || (object && object !== 'chat.completion.chunk'))
    return undefined;
  const choice: unknown = choices[0];
  if (!isRecord(choice) || choice['index'] || hasOtherChoiceFields(choice)) return undefined;
  const { delta: textDelta } = choice;
  if (!isRecord(textDelta) || hasOtherDeltaFields(textDelta)) return undefined;
  const { content, reasoning_content, reasoning } = textDelta;
  return isText(content) && isText(reasoning_content) && isText(reasoning)
    ? { content, reasoning_content, reasoning }
    : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

// Other fields at each level. Each field is written out, because a lookup in a list of names takes a tenth of the total
// decoding time.
function hasOtherChunkFields(chunk: Fields): boolean {
  const { usage, x_groq, error, message, code, images, citations, search_results, related_questions } = chunk;
  const more = usage ?? x_groq ?? error ?? message ?? code ?? images ?? citations ?? search_results;
  return (more ?? related_questions ?? undefined) !== undefined;
}
const hasOtherChoiceFields = ({ message, text, finish_reason, error }: Fields): boolean =>
  (message ?? text ?? finish_reason ?? error ?? undefined) !== undefined;
function hasOtherDeltaFields(delta: Fields): boolean {
  const { reasoning_details, reasoning_steps, refusal, tool_calls, function_call, annotations, images, audio } = delta;
  const more = reasoning_details ?? refusal ?? tool_calls ?? function_call ?? annotations ?? images ?? audio;
  return (more ?? reasoning_steps ?? undefined) !== undefined;
}
const isText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string';

export type ContentChunk =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'media'; readonly media: Media };

/** A string, or Mistral's list of parts. Parts without text or an image, such as references, become empty text. */
export function contentChunks(content: Delta['content']): readonly ContentChunk[] {
  if (!content) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return content.map(({ text, thinking, image_url }) => {
    if (image_url) return { kind: 'media', media: toImageMedia(image_url) };
    if (!thinking) return { kind: 'text', text: text ?? '' };
    const reasoning = typeof thinking === 'string' ? thinking : thinking.map((chunk) => chunk.text ?? '').join('');
    return { kind: 'reasoning', text: reasoning };
  });
}

export function toImageMedia(image: z.infer<typeof imageUrl>): Media {
  const url = typeof image === 'string' ? image : image.url;
  const inline = parseDataUrl(url);
  return inline ? { kind: 'image', ...inline } : { kind: 'image', url };
}

/** The same text as `delta.reasoning`; some servers send only this. */
export const detailsText = (data: Delta): string =>
  data.reasoning_details?.map(({ text, summary }) => text ?? summary ?? '').join('') ?? '';

export const toUsage = ({ prompt_tokens, completion_tokens, total_tokens }: z.infer<typeof usage>) => {
  const [prompt, completion] = [prompt_tokens ?? 0, completion_tokens ?? 0];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total_tokens ?? prompt + completion };
};

interface ProviderError {
  readonly message: string;
  readonly code?: string | null | undefined;
}

/** `failed`: the frame's event name is `error`. */
export function providerErrorOf(
  data: Pick<Chunk, 'error' | 'code' | 'message' | 'object' | 'x_groq'>,
  failed: boolean,
): ProviderError | undefined {
  const { error, code, message } = data;
  if (typeof error === 'string') return { message: error, code };
  if (Array.isArray(error)) return { message: errorMessage(error) ?? UNKNOWN_ERROR, code };
  if (error) {
    // A router's own message is vague; the message of its provider has the cause.
    const cause = isRecord(error['metadata']) ? errorCause(error['metadata']['raw']) : undefined;
    const own = typeof error.message === 'string' ? error.message : errorMessage(error.message);
    return { message: cause ?? own ?? error.type ?? UNKNOWN_ERROR, code: error.code ?? error.type };
  }
  if (failed || data.object?.toLowerCase() === 'error') {
    return { message: typeof message === 'string' ? message : message ? JSON.stringify(message) : UNKNOWN_ERROR, code };
  }
  return data.x_groq?.error ? { message: data.x_groq.error } : undefined;
}

const UNKNOWN_ERROR = 'The provider reported an error.';

/** The cause as text, or extracted from a provider's JSON response. */
function errorCause(raw: unknown): string | undefined {
  const json = typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw;
  if (typeof json === 'string') return json || undefined;
  if (!isRecord(json)) return undefined;
  return errorCause(json['error']) ?? errorCause(json['message']) ?? (typeof raw === 'string' ? raw : undefined);
}
