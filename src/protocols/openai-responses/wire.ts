/** What OpenAI's Responses API says, as far as it is read. Source: `openai-responses.md`, "Events -> UI". */
import { z } from '../../model/schema.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';
import { outputItem } from './calls.ts';
import { annotation } from './text.ts';

const code = maybe(z.coerce.string());
const problem = maybe(z.union([z.string(), z.looseObject({ message: maybeText, code, type: maybeText })]));
const part = z.looseObject({
  type: maybeText,
  text: maybeText,
  refusal: maybeText,
  annotations: maybe(z.array(annotation)),
});
export type Part = z.infer<typeof part>;
export const response = z.looseObject({
  id: maybeText,
  status: maybeText,
  background: maybe(z.boolean()),
  store: maybe(z.boolean()),
  output: maybe(z.array(outputItem)),
  usage: maybe(z.looseObject({ input_tokens: maybeNumber, output_tokens: maybeNumber, total_tokens: maybeNumber })),
  error: problem,
  incomplete_details: maybe(z.looseObject({ reason: maybeText })),
});
export type Response = z.infer<typeof response>;
export const wire = z.looseObject({
  type: maybeText,
  object: maybeText,
  sequence_number: maybeNumber,
  output_index: maybeNumber,
  item_id: maybeText,
  content_index: maybeNumber,
  summary_index: maybeNumber,
  response: maybe(response),
  item: maybe(outputItem),
  annotation: maybe(annotation),
  delta: maybeText,
  text: maybeText,
  refusal: maybeText,
  arguments: maybeText,
  input: maybeText,
  partial_image_b64: maybeText,
  output_format: maybeText,
  code,
  message: maybeText,
  error: problem,
});
export type Wire = z.infer<typeof wire>;

export const partsIn = (value: unknown): readonly Part[] =>
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

/** An error of its own, or one inside an event. */
type Trouble =
  string | Readonly<Partial<Record<'message' | 'code' | 'type', string | null | undefined>>> | null | undefined;

export function troubleOf(error: Trouble): [message: string, code: string | undefined] {
  if (typeof error === 'string') return [error, undefined];
  const { message, code: named, type } = error ?? {};
  return [message || 'The provider reports an error.', named ?? (type === 'error' ? undefined : type) ?? undefined];
}
