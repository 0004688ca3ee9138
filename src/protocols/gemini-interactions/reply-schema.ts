/**
 * Schemas of the events of Gemini's Interactions API. Source: `googleapis/js-genai`, `src/gaos/models/interactions`.
 */
import type { UsageStats } from '../../model/usage.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientRecord, lenientString } from '../shared/lenient.ts';

const annotation = z.looseObject({
  type: lenientString,
  url: lenientString,
  title: lenientString,
  name: lenientString,
  document_uri: lenientString,
  file_name: lenientString,
  start_index: lenientNumber,
  end_index: lenientNumber,
});
export type Annotation = z.infer<typeof annotation>;
const annotations = lenient(z.array(annotation));

/** A part of a message: text, an image, audio, a video or a document. */
const content = z.looseObject({
  type: lenientString,
  text: lenientString,
  data: lenientString,
  uri: lenientString,
  mime_type: lenientString,
  annotations,
});
export type Content = z.infer<typeof content>;

const result = {
  call_id: lenientString,
  is_error: lenient(z.boolean()),
  result: lenient(z.unknown()),
};

const step = z.looseObject({
  type: z.string(),
  id: lenientString,
  name: lenientString,
  server_name: lenientString,
  arguments: lenientRecord,
  content: lenient(z.array(content)),
  summary: lenient(z.array(content)),
  error: lenient(z.unknown()),
  ...result,
});
export type Step = z.infer<typeof step>;

const delta = z.looseObject({
  type: lenientString,
  text: lenientString,
  data: lenientString,
  uri: lenientString,
  mime_type: lenientString,
  /** Text of the arguments as it grows, or the complete arguments of a tool that Google runs. */
  arguments: lenient(z.unknown()),
  content: lenient(content),
  annotations,
  ...result,
});
export type Delta = z.infer<typeof delta>;

const usage = z.looseObject({
  total_input_tokens: lenientNumber,
  total_output_tokens: lenientNumber,
  total_thought_tokens: lenientNumber,
  total_tokens: lenientNumber,
});

const interaction = z.looseObject({
  id: lenientString,
  status: lenientString,
  steps: lenient(z.array(lenient(step))),
  usage: lenient(usage),
  error: lenient(z.unknown()),
});
export type Interaction = z.infer<typeof interaction>;

/** An event, or the complete interaction, which has no `event_type`. */
export const interactionEvent = z.looseObject({
  ...interaction.shape,
  event_type: lenientString,
  interaction: lenient(interaction),
  interaction_id: lenientString,
  index: lenientNumber,
  step: lenient(step),
  delta: lenient(delta),
});
export type InteractionEvent = z.infer<typeof interactionEvent>;

export function toUsage({ usage: counts }: Interaction): UsageStats | undefined {
  const {
    total_input_tokens: input,
    total_output_tokens: output,
    total_thought_tokens: reasoningTokens,
  } = counts ?? {};
  const total = counts?.total_tokens;
  if (typeof input !== 'number' && typeof output !== 'number' && typeof total !== 'number') return undefined;
  const [promptTokens, completionTokens] = [input ?? 0, (output ?? 0) + (reasoningTokens ?? 0)];
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: total ?? promptTokens + completionTokens,
  };
}
