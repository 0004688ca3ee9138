/** Schema of the events of AgentScope 2, and values read from them. Source: `docs/protocols/agentscope.md`. */
import { knownBlocks, type MsgBlock } from '../../formats/agentscope-msg.ts';
import type { Media } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientNumber, lenientRecord, lenientString } from '../shared/lenient.ts';

const toolCall = z.looseObject({ id: z.string(), name: z.catch(z.string(), ''), input: z.exactOptional(z.unknown()) });
export type WireCall = z.infer<typeof toolCall>;
const calls = lenient(z.array(toolCall));
const withId = lenient(z.object({ id: lenientString }));

export const wire = z.object({
  type: z.string(),
  id: lenientString,
  reply_id: lenientString,
  session_id: lenientString,
  /** Java only: path of the sub-agent that the event belongs to. */
  source: lenientString,
  hint_source: lenientString,
  name: lenientString,
  block_id: lenientString,
  delta: lenientString,
  /** The complete text, at the end of a block. */
  text: lenientString,
  visibility: lenientString,
  data: z.exactOptional(z.unknown()),
  media_type: lenientString,
  url: lenientString,
  hint: z.exactOptional(z.unknown()),
  tool_call_id: lenientString,
  tool_call_name: lenientString,
  state: lenientString,
  tool_calls: calls,
  denied_tool_calls: calls,
  confirm_results: lenient(z.array(z.object({ confirmed: lenient(z.boolean()), tool_call: withId, toolCall: withId }))),
  model_name: lenientString,
  input_tokens: lenientNumber,
  output_tokens: lenientNumber,
  usage: lenient(z.object({ inputTokens: lenientNumber, outputTokens: lenientNumber })),
  finished_reason: lenientString,
  error: lenient(z.object({ type: lenientString, message: lenientString })),
  value: lenientRecord,
  result: lenientRecord,
});
export type Event = z.infer<typeof wire>;

export const snakeKeys = (json: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

export const asJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

export function blocksOf(value: unknown): readonly MsgBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return knownBlocks({ content: list.filter((item): item is { type: string } => isRecord(item) && 'type' in item) });
}

export const kindOf = (mimeType: string): Media['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};
