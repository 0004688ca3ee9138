/**
 * The events of a workflow that runs without a chat (`/v1/workflow/stream_run`). Source: `docs/protocols/coze.md`; Coze
 * developer documentation, "Run workflow (streaming response)".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { lenient, lenientString } from '../shared/lenient.ts';

export const workflowFields = {
  node_title: lenientString,
  node_seq_id: lenientString,
  node_is_finish: lenient(z.boolean()),
  error_code: lenient(z.coerce.string()),
  error_message: lenientString,
  interrupt_data: lenient(z.object({ event_id: lenientString, type: lenient(z.number()), data: lenientString })),
};
type Fields = typeof workflowFields;
type Text = string | null | undefined;
type Wire = { readonly [Name in keyof Fields]?: z.infer<Fields[Name]> | undefined } & { readonly content?: Text };

interface Tools {
  response(data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent;
  fail(error: Text, code: Text): readonly LLMAgentEvent[];
  newId(): string;
}

export function workflowHandlers({
  response,
  fail,
  newId,
}: Tools): Readonly<Record<string, (data: Wire) => readonly LLMAgentEvent[]>> {
  /** The node whose text was emitted last. */
  let lastNode: Text;
  return {
    Message({ content, node_title: node, node_seq_id: part, node_is_finish: isLast }) {
      const isComplete = isLast === true && (part ?? '0') === '0';
      const text = (isComplete ? textOfOutput(content ?? '') : undefined) ?? content ?? '';
      if (text === '') return [];
      const isNewNode = lastNode !== undefined && lastNode !== node;
      lastNode = node ?? '';
      return [response({ ...(isNewNode && { message: { id: newId() } }), content: text })];
    },
    Error: ({ error_message: message, error_code: code }) => fail(message, code),
    Interrupt: ({ interrupt_data: data }) =>
      // Only a workflow in a chat can be answered.
      fail(
        `The workflow asks a question, which is only possible in a chat workflow. ${data?.data ?? ''}`.trim(),
        'interrupt',
      ),
    Done: () => [response({ finish: 'complete' })],
    PING: () => [],
  };
}

/** A node that returns variables sends them as JSON. A single text variable is the answer. */
function textOfOutput(content: string): string | undefined {
  const json = parseJson(content);
  const values = isRecord(json) ? Object.values(json) : [];
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}
