/**
 * What OpenAI's chat completions and their dialects say, as far as it is read: every field may be absent, null or empty.
 * Source: `openai-chat.md`, "Chunk" and "Errors".
 */
import type { Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';
import { toolPiece } from './calls.ts';
import { isRecord, parseJson } from '../../model/json.ts';

const pictureUrl = z.union([z.string(), z.object({ url: z.string() })]);
const contentPart = z.looseObject({
  type: z.string(),
  text: maybeText,
  image_url: maybe(pictureUrl),
  thinking: maybe(z.union([z.string(), z.array(z.looseObject({ text: maybeText }))])),
});
const delta = z.object({
  content: maybe(z.union([z.string(), z.array(contentPart)])),
  reasoning_content: maybeText,
  reasoning: maybeText,
  reasoning_details: maybe(z.array(z.looseObject({ type: z.string(), text: maybeText, summary: maybeText }))),
  refusal: maybeText,
  tool_calls: maybe(z.array(toolPiece)),
  function_call: maybe(z.object({ name: maybeText, arguments: maybeText })),
  annotations: maybe(
    z.array(
      z.looseObject({
        url_citation: maybe(
          z.object({
            url: z.string(),
            title: maybeText,
            content: maybeText,
            start_index: maybeNumber,
            end_index: maybeNumber,
          }),
        ),
      }),
    ),
  ),
  images: maybe(z.array(z.object({ image_url: pictureUrl }))),
  audio: maybe(z.object({ data: maybeText, transcript: maybeText })),
});
export type Delta = z.infer<typeof delta>;

const usage = z.object({ prompt_tokens: maybeNumber, completion_tokens: maybeNumber, total_tokens: maybeNumber });
const problem = z.union([
  z.string(),
  z.looseObject({ message: maybeText, code: maybe(z.coerce.string()), type: maybeText }),
]);
export const chunk = z.looseObject({
  choices: maybe(
    z.array(
      z.object({
        index: maybeNumber,
        delta: maybe(delta),
        message: maybe(delta),
        text: maybeText,
        finish_reason: maybeText,
      }),
    ),
  ),
  usage: maybe(usage),
  x_groq: maybe(z.looseObject({ usage: maybe(usage), error: maybeText })),
  error: maybe(problem),
  object: maybeText,
  message: maybe(z.unknown()),
  code: maybe(z.coerce.string()),
  images: maybe(z.array(z.union([z.string(), z.object({ image_url: z.string() })]))),
  citations: maybe(z.array(z.string())),
  search_results: maybe(z.array(z.looseObject({ title: maybeText, url: z.string() }))),
  related_questions: maybe(z.array(z.string())),
});
export type Chunk = z.infer<typeof chunk>;

/**
 * The delta of a chunk that is words alone, as nearly all are: to see that takes a fraction of what the schema takes, and gives
 * the same.
 */
export function wordsOf(json: unknown): Delta | undefined {
  if (!isRecord(json) || chunkSaysMore(json)) return undefined;
  const { object, choices } = json;
  if (!Array.isArray(choices) || choices.length !== 1 || (object && object !== 'chat.completion.chunk'))
    return undefined;
  const choice: unknown = choices[0];
  if (!isRecord(choice) || choice['index'] || choiceSaysMore(choice)) return undefined;
  const { delta: words } = choice;
  if (!isRecord(words) || deltaSaysMore(words)) return undefined;
  const { content, reasoning_content, reasoning } = words;
  return isText(content) && isText(reasoning_content) && isText(reasoning)
    ? { content, reasoning_content, reasoning }
    : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

// What else may be said, at each level. Each field is written out: looked up by a list of names they cost a tenth of the whole way.
function chunkSaysMore(chunk: Fields): boolean {
  const { usage, x_groq, error, message, code, images, citations, search_results, related_questions } = chunk;
  const more = usage ?? x_groq ?? error ?? message ?? code ?? images ?? citations ?? search_results;
  return (more ?? related_questions ?? undefined) !== undefined;
}
const choiceSaysMore = ({ message, text, finish_reason }: Fields): boolean =>
  (message ?? text ?? finish_reason ?? undefined) !== undefined;
function deltaSaysMore(delta: Fields): boolean {
  const { reasoning_details, refusal, tool_calls, function_call, annotations, images, audio } = delta;
  const more = reasoning_details ?? refusal ?? tool_calls ?? function_call ?? annotations ?? images ?? audio;
  return (more ?? undefined) !== undefined;
}
const isText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string';

export type ContentPiece =
  { readonly kind: 'text' | 'reasoning'; readonly text: string } | { readonly kind: 'media'; readonly media: Media };

/** A string, or Mistral's list of parts; those without words or a picture, such as references, say nothing. */
export function piecesOf(content: Delta['content']): readonly ContentPiece[] {
  if (!content) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return content.map(({ text, thinking, image_url }) => {
    if (image_url) return { kind: 'media', media: imageOf(image_url) };
    if (!thinking) return { kind: 'text', text: text ?? '' };
    const thought = typeof thinking === 'string' ? thinking : thinking.map((piece) => piece.text ?? '').join('');
    return { kind: 'reasoning', text: thought };
  });
}

export function imageOf(picture: z.infer<typeof pictureUrl>): Media {
  const url = typeof picture === 'string' ? picture : picture.url;
  const inline = parseDataUrl(url);
  return inline ? { kind: 'image', ...inline } : { kind: 'image', url };
}

/** The same words as `delta.reasoning`, which some send alone. */
export const detailsText = (data: Delta): string =>
  data.reasoning_details?.map(({ text, summary }) => text ?? summary ?? '').join('') ?? '';

export const toUsage = ({ prompt_tokens, completion_tokens, total_tokens }: z.infer<typeof usage>) => {
  const [prompt, completion] = [prompt_tokens ?? 0, completion_tokens ?? 0];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total_tokens ?? prompt + completion };
};

interface Trouble {
  readonly message: string;
  readonly code?: string | null | undefined;
}

/** `failed`: the frame was named an error. */
export function troubleOf(data: Chunk, failed: boolean): Trouble | undefined {
  const { error, code, message } = data;
  if (typeof error === 'string') return { message: error, code };
  if (error) {
    // A router's own words say little: what its provider said is the cause.
    const cause = isRecord(error['metadata']) ? causeOf(error['metadata']['raw']) : undefined;
    return { message: cause ?? error.message ?? error.type ?? UNNAMED, code: error.code ?? error.type };
  }
  if (failed || data.object?.toLowerCase() === 'error') {
    return { message: typeof message === 'string' ? message : message ? JSON.stringify(message) : UNNAMED, code };
  }
  return data.x_groq?.error ? { message: data.x_groq.error } : undefined;
}

const UNNAMED = 'The provider reports an error.';

/** Words, or a provider's whole answer as JSON with its words inside. */
function causeOf(raw: unknown): string | undefined {
  const json = typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw;
  if (typeof json === 'string') return json || undefined;
  if (!isRecord(json)) return undefined;
  return causeOf(json['error']) ?? causeOf(json['message']) ?? (typeof raw === 'string' ? raw : undefined);
}
