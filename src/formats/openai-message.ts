/**
 * A message in OpenAI's chat completions format.
 * Source: `docs/protocols/openai-chat.md`.
 */
import type { Immutable } from '../model/immutable.ts';
import { z } from '../model/schema.ts';

const optional = z.exactOptional;

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({ type: z.literal('input_audio'), input_audio: z.object({ data: z.string(), format: z.string() }) }),
  z.object({
    type: z.literal('file'),
    file: z.object({ filename: optional(z.string()), file_data: z.string() }),
  }),
]);
/** One part of such a message: text, image, audio or file. */
export type OpenAiPart = Immutable<z.infer<typeof part>>;

const openAiToolCall = z.object({
  id: z.string(),
  type: z.pipe(
    z.optional(z.literal('function')),
    z.transform((): 'function' => 'function'),
  ),
  function: z.object({ name: z.string(), arguments: z.string() }),
  extra_content: optional(z.unknown()),
});

/** Servers that store their conversations add an id to each message. */
const id = { id: z.catch(z.optional(z.string()), undefined) };
const content = z.nullish(z.union([z.string(), z.array(part)]));
/** The schema of {@link OpenAiMessage}, by `role`. */
export const openAiMessage = z.discriminatedUnion('role', [
  z.object({ ...id, role: z.enum(['system', 'developer']), content, name: optional(z.string()) }),
  z.object({ ...id, role: z.literal('user'), content, name: optional(z.string()) }),
  z.object({
    ...id,
    role: z.literal('assistant'),
    content,
    /** Marks a message whose content is reasoning. Source: `docs/protocols/message-field.md`. */
    thinking: z.catch(z.optional(z.boolean()), undefined),
    name: optional(z.string()),
    reasoning_content: z.nullish(z.string()),
    reasoning_details: optional(z.array(z.unknown())),
    tool_calls: optional(z.array(openAiToolCall)),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);
/** A message in OpenAI’s chat completions format. */
export type OpenAiMessage = Immutable<z.infer<typeof openAiMessage>>;
