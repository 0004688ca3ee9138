/** The events of Coze. */
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
