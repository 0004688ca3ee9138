/** The events of OpenAI's Assistants API. */
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { stepDetails } from './steps.ts';

/** OpenAI's own errors are objects; a proxy may send a text. */
const apiError = lenient(
  z.union([
    z.looseObject({ code: lenient(z.coerce.string()), message: lenientString }),
    z.pipe(z.string(), z.transform(toError)),
  ]),
);
const annotation = z.object({
  text: lenientString,
  /** A file that the code interpreter has written. */
  file_path: lenient(z.object({ file_id: lenientString })),
  file_citation: lenient(z.object({ file_id: lenientString, quote: lenientString })),
});
const content = lenient(
  z.array(
    z.object({
      type: lenientString,
      text: lenient(z.object({ value: lenientString, annotations: lenient(z.array(annotation)) })),
      refusal: lenientString,
      image_file: lenient(z.object({ file_id: lenientString })),
      image_url: lenient(z.object({ url: lenientString })),
    }),
  ),
);
export type AssistantsContent = z.infer<typeof content>;
export type AssistantsAnnotation = z.infer<typeof annotation>;
/** One schema for threads, runs, steps, messages and their deltas: no shared field name has two meanings. */
export const assistantsEvent = z.looseObject({
  id: lenientString,
  object: lenientString,
  thread_id: lenientString,
  role: lenientString,
  content,
  delta: lenient(z.object({ content, step_details: stepDetails })),
  step_details: stepDetails,
  required_action: lenient(z.object({ submit_tool_outputs: stepDetails })),
  last_error: apiError,
  error: apiError,
  message: lenientString,
  code: lenient(z.coerce.string()),
  incomplete_details: lenient(z.object({ reason: lenientString })),
  usage: lenient(
    z.object({ prompt_tokens: lenientNumber, completion_tokens: lenientNumber, total_tokens: lenientNumber }),
  ),
});
export type AssistantsEvent = z.infer<typeof assistantsEvent>;

function toError(message: string): { readonly code: undefined; readonly message: string } {
  return { code: undefined, message };
}
