/** The events of Coze. */
import type { Media } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientString, lenientText } from '../shared/lenient.ts';

const problem = lenient(z.looseObject({ code: lenient(z.coerce.string()), msg: lenientString }));
/** One schema for chats, messages, workflows and errors: no field has two meanings. */
export const cozeData = z.looseObject({
  id: lenientString,
  conversation_id: lenientString,
  chat_id: lenientString,
  type: lenientString,
  content: lenientText,
  content_type: lenientString,
  reasoning_content: lenientText,
  usage: lenient(z.object({ token_count: lenientNumber, output_count: lenientNumber, input_count: lenientNumber })),
  last_error: problem,
  code: lenient(z.coerce.string()),
  msg: lenientString,
  // A workflow without a chat.
  node_title: lenientString,
  node_seq_id: lenientString,
  node_is_finish: lenient(z.boolean()),
  error_code: lenient(z.coerce.string()),
  error_message: lenientString,
  interrupt_data: lenient(z.object({ event_id: lenientString, type: lenient(z.number()), data: lenientString })),
  required_action: lenient(
    z.object({
      submit_tool_outputs: lenient(
        z.object({
          tool_calls: lenient(
            z.array(
              z.object({
                id: lenientString,
                type: lenientString,
                function: lenient(z.object({ name: lenientString, arguments: lenientString })),
              }),
            ),
          ),
        }),
      ),
    }),
  ),
});
export type CozeData = z.infer<typeof cozeData>;

/** The `content_type` of a message whose content is a list of items, as JSON. */
export const ITEMS = 'object_string';
/** That of a message whose content describes a card, as JSON. */
export const CARD = 'card';
const KINDS = ['image', 'audio', 'video', 'file'] as const;

/** The text and the files of a list of items; undefined if it is not one. A file that has only an id can't be shown. */
export function cozeItems(content: string | null | undefined) {
  const json = parseJson(content ?? '');
  if (!Array.isArray(json)) return undefined;
  const items = (json as unknown[]).filter(isRecord);
  const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  const media = items.flatMap(({ type, file_url: address, name }): readonly Media[] => {
    const kind = KINDS.find((known) => known === type);
    const url = stringOf(address);
    return kind && url ? [{ kind, url, ...(stringOf(name) && { name: stringOf(name) }) }] : [];
  });
  return { text: items.map(({ text }) => stringOf(text)).join(''), media };
}
