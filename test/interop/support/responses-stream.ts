/** Streams of the Responses API as its server sends them. */
import { added, begin, completed, done, events } from '../../protocols/openai-responses/streams.ts';

export type Event = Readonly<Record<string, unknown>> & { readonly type: string };
/** A stream as OpenAI sends it: its last event repeats all items. */
export const stream = (
  items: readonly object[],
  frames: readonly Event[],
  end: Event = completed({ output: items }),
): string => events(begin(), ...frames, end);
export const part = (output_index: number, stage: string, content: object): Event => ({
  type: `response.content_part.${stage}`,
  output_index,
  content_index: 0,
  part: content,
});
export const reasoningItem = (...parts: readonly string[]) => ({
  id: 'rs_0',
  type: 'reasoning',
  summary: parts.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: 'SEALED',
});
/** A reasoning summary in chunks. */
export const thinking = (output_index: number, ...parts: readonly string[]): readonly Event[] => [
  added(output_index, reasoningItem()),
  ...parts.flatMap((text, summary_index) => {
    const position = { item_id: 'rs_0', output_index, summary_index };
    return [
      { type: 'response.reasoning_summary_part.added', ...position, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...position, delta: text.slice(0, 3) },
      { type: 'response.reasoning_summary_text.delta', ...position, delta: text.slice(3) },
      { type: 'response.reasoning_summary_text.done', ...position, text },
      { type: 'response.reasoning_summary_part.done', ...position, part: { type: 'summary_text', text } },
    ];
  }),
  done(output_index, reasoningItem(...parts)),
];
export const call = (id: string, name: string, args: string) => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name,
  arguments: args,
});
export const textDelta = (output_index: number, delta: string): Event => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
});
