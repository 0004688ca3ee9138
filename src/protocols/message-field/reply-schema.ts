/** The events and messages of the protocol, and which fields of a message are stored for the next request. */
import { isRecord } from '../../model/json.ts';
import { recordOf, z } from '../../model/schema.ts';
import { toolFailureFields } from '../../model/tool-failure.ts';
import { asText } from '../shared/as-text.ts';
import { lenient } from '../shared/lenient.ts';

const optional = z.exactOptional;
const nullishString = z.nullish(z.string());
/** The fields of each event. The project may be named in any of them, and its id may be a number. */
const common = { message_id: z.string(), project_id: lenient(z.union([z.string(), z.number()])) };
/** An event of the protocol. */
export const fieldEvent = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('message_start'),
    role: z.string(),
    tool_call_id: nullishString,
  }),
  z.object({ ...common, type: z.literal('message_field'), field_name: z.string(), field_value: z.unknown() }),
  z.object({ ...common, type: z.literal('message_field_delta'), field_name: z.string(), delta: z.string() }),
  z.object({ ...common, type: z.literal('message_result'), message: recordOf(z.unknown()) }),
]);
export type FieldEvent = z.infer<typeof fieldEvent>;

/** The fields of a message that the decoder reads. `opaqueFields` decides which fields are stored and sent back. */
export const knownMessage = z.object({
  role: z.catch(z.string(), 'assistant'),
  content: z.catch(z.pipe(z.unknown(), z.transform(textIn)), ''),
  thinking: z.catch(z.boolean(), false),
  tool_call_id: z.catch(nullishString, undefined),
  tool_calls: z.catch(
    z.array(
      // A call that can't be read must not hide the others.
      lenient(
        z.object({
          id: z.catch(z.string(), ''),
          function: z.object({
            name: z.catch(z.string(), ''),
            arguments: z.catch(z.pipe(z.unknown(), z.transform(asText)), ''),
          }),
        }),
      ),
    ),
    [],
  ),
  thinking_blocks: optional(z.unknown()),
  reasoning_content: z.catch(nullishString, undefined),
  recommend_actions: optional(z.unknown()),
  session_state: optional(z.unknown()),
  ...toolFailureFields,
});
export type KnownMessage = z.infer<typeof knownMessage>;

/** The fields of a message that this adapter writes itself. A server may expect all others back. */
const OWN_FIELDS = new Set(['id', 'role', 'content', 'thinking', 'tool_call_id', 'project_id']);

/**
 * The text of a content: a string, `{text}` or a list of these. A missing content, null and an empty list have no text.
 * Any other value becomes JSON.
 */
function textIn(content: unknown): string {
  const parts = (Array.isArray(content) ? (content as unknown[]) : [content]).map((part) =>
    isRecord(part) ? part['text'] : part,
  );
  return parts.every((part) => typeof part === 'string') ? parts.join('') : asText(content);
}

/** The tool whose arguments are reasoning. */
export const THINK_TOOL = 'think';

/** A message as the server has sent it. */
export type WireMessage = Record<string, unknown>;

/** Copies fields of the server into an object without a prototype, so that no name has a special meaning. */
export const withoutPrototype = (fields: WireMessage): WireMessage =>
  Object.assign(Object.create(null) as WireMessage, fields);

/** The fields of a message that are stored and sent back: those that this adapter does not write itself. */
export const opaqueFields = (message: WireMessage): WireMessage =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !OWN_FIELDS.has(name)));

/** The metadata key, in a reply, for the server's fields of the message with the result of a call. */
export const resultKey = (callId: string): string => `wireResult:${callId}`;

/** The metadata key, in a reply, for the server's fields and id of the user message that it answers. */
export const QUESTION_KEY = 'wireQuestion';
