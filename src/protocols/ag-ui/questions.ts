/** What an AG-UI agent asks. Source: `ag-ui.md`, "Next turn"; AG-UI's `concepts/interrupts`. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { propertyOf, type OpenInterrupt } from './facts.ts';
import { interrupt, type WireInterrupt } from './wire.ts';
import { isRecord, parseJson } from '../../model/json.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** A question, and what the answer to it has to know. */
export interface Question {
  readonly data: Data;
  readonly open: OpenInterrupt;
}

/** `find` gives the name and arguments of a call. */
export function questionOf(
  { id, reason, message, toolCallId, responseSchema, expiresAt }: WireInterrupt,
  find: (callId: string) => { readonly name: string; readonly params: string } | undefined,
): Question {
  const open = { id, ...(responseSchema && { schema: responseSchema }), ...(expiresAt && { expiresAt }) };
  const facts = { reason, ...(expiresAt && { expiresAt }) };
  if (reason === 'tool_call' && toolCallId) {
    const { name, params } = find(toolCallId) ?? { name: '', params: '' };
    const data: Data = {
      tool_call: 'permission-required',
      tool_call_id: toolCallId,
      tool_call_name: name,
      tool_call_params: params,
      permission_request: { toolName: name, serverName: '', permissionType: 'all', description: message ?? '' },
      request: {
        id,
        extra: {
          ...facts,
          ...(propertyOf(responseSchema, 'editedArgs') && { editable: true }),
          ...(responseSchema && { schema: JSON.stringify(responseSchema) }),
        },
      },
    };
    return { data, open };
  }
  const action_type =
    reason === 'confirmation' ? 'confirmation' : reason === 'input_required' ? 'question' : 'interrupt';
  const options = optionsOf(responseSchema);
  const ask = {
    action_type,
    ...(message && { content: message }),
    ...(options && { options }),
    ...(responseSchema && { schema: responseSchema }),
  } as const;
  return { data: { ask, request: { id, extra: facts } }, open };
}

/**
 * The older convention: a `CUSTOM` event before the end of the run. Some send an interrupt of the newer form in it, and some
 * of those want their answer in the newer form too: they are answered in both.
 */
export function oldQuestion(value: unknown, id: string, find: Parameters<typeof questionOf>[1]): Question {
  const event = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  const known = interrupt.safeParse(event);
  if (known.success) {
    const { data, open } = questionOf(known.data, find);
    return { data, open: { ...open, event } };
  }
  const words = isRecord(event) ? (event['message'] ?? event['question']) : event;
  const content = typeof words === 'string' ? words : JSON.stringify(event);
  return { data: { ask: { action_type: 'interrupt', content }, request: { id } }, open: { id, event } };
}

/** What there is to choose from, where the answer is one of a few words. */
function optionsOf(schema: unknown): { label: string; value: string }[] | undefined {
  const names = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const choice = names.length === 1 ? propertyOf(schema, names[0] ?? '') : schema;
  const values = isRecord(choice) ? choice['enum'] : undefined;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return undefined;
  return values.map((value) => ({ label: value, value }));
}
