/** Schemas of the fields that are read from OpenAI's Responses API. Source: `docs/protocols/openai-responses.md`. */
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { outputItem } from './calls.ts';
import { annotation } from './text-parts.ts';

const code = lenient(z.coerce.string());
const apiError = lenient(z.union([z.string(), z.looseObject({ message: lenientString, code, type: lenientString })]));
const part = z.looseObject({
  type: lenientString,
  text: lenientString,
  refusal: lenientString,
  annotations: lenient(z.array(annotation)),
});
export type Part = z.infer<typeof part>;
export const response = z.looseObject({
  id: lenientString,
  status: lenientString,
  background: lenient(z.boolean()),
  store: lenient(z.boolean()),
  output: lenient(z.array(outputItem)),
  usage: lenient(
    z.looseObject({ input_tokens: lenientNumber, output_tokens: lenientNumber, total_tokens: lenientNumber }),
  ),
  error: apiError,
  incomplete_details: lenient(z.looseObject({ reason: lenientString })),
});
export type Response = z.infer<typeof response>;
export const wire = z.looseObject({
  type: lenientString,
  object: lenientString,
  sequence_number: lenientNumber,
  output_index: lenientNumber,
  item_id: lenientString,
  content_index: lenientNumber,
  summary_index: lenientNumber,
  response: lenient(response),
  item: lenient(outputItem),
  annotation: lenient(annotation),
  delta: lenientString,
  text: lenientString,
  refusal: lenientString,
  arguments: lenientString,
  input: lenientString,
  partial_image_b64: lenientString,
  output_format: lenientString,
  code,
  message: lenientString,
  error: apiError,
});
export type Wire = z.infer<typeof wire>;

export const parseParts = (value: unknown): readonly Part[] =>
  Array.isArray(value)
    ? (value as unknown[]).flatMap((item) => {
        const result = part.safeParse(item);
        return result.success ? [result.data] : [];
      })
    : [];

export const toUsage = ({ input_tokens, output_tokens, total_tokens }: NonNullable<Response['usage']>) => {
  const [prompt, completion] = [input_tokens ?? 0, output_tokens ?? 0];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total_tokens ?? prompt + completion };
};

/** An error event, or an error inside another event. */
type ProviderError =
  | string
  | Readonly<Partial<Record<'message' | 'code' | 'type', string | null | undefined>>>
  | null
  | undefined;

export function responseErrorOf(error: ProviderError): [message: string, code: string | undefined] {
  if (typeof error === 'string') return [error, undefined];
  const { message, code: errorCode, type } = error ?? {};
  return [
    message || 'The provider reported an error.',
    errorCode ?? (type === 'error' ? undefined : type) ?? undefined,
  ];
}
