/**
 * Converts the interrupts of an AG-UI agent to questions. Source: `docs/protocols/ag-ui.md`; AG-UI documentation,
 * `concepts/interrupts`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { schemaProperty, type OpenInterrupt } from './run-metadata.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { recordOf, z } from '../../model/schema.ts';
import { lenient } from '../shared/lenient.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const string = lenient(z.string());

const interruptSchema = z.object({
  id: z.string(),
  reason: string,
  message: string,
  toolCallId: string,
  responseSchema: lenient(recordOf(z.unknown())),
  expiresAt: string,
  metadata: lenient(recordOf(z.unknown())),
});
type AgUiInterrupt = z.infer<typeof interruptSchema>;

/** A question to the user, and the interrupt that its answer refers to. */
export interface InterruptQuestion {
  readonly data: Data;
  readonly open: OpenInterrupt;
}

/** Returns the name and arguments of a call. */
type FindCall = (callId: string) => { readonly name: string; readonly params: string } | undefined;

/** Whether any interrupt can be read, be it a question or a call of a page tool. */
export const hasInterrupt = (interrupts: readonly unknown[]): boolean =>
  interrupts.some((item) => interruptSchema.safeParse(item).success);

/** Converts the interrupts of a run, or if it has none, the questions of the older convention. */
export function interruptQuestions(
  interrupts: readonly unknown[],
  legacyValues: readonly unknown[],
  find: FindCall,
): readonly InterruptQuestion[] {
  const questions = interrupts.flatMap((item) => {
    const parsed = interruptSchema.safeParse(item);
    return parsed.success && !isPageToolCall(parsed.data) ? [interruptQuestion(parsed.data, find)] : [];
  });
  return (
    questions.length > 0
      ? questions
      : legacyValues.map((value, index) => legacyInterruptQuestion(value, `on_interrupt-${String(index)}`, find))
  ).map(withOwnKey);
}

/**
 * Gives a question its own key if it has the id of an earlier one: it would replace that one, although the server waits for an
 * answer to each. The key differs from all ids, so that the answer to another question does not count for this one.
 */
function withOwnKey(question: InterruptQuestion, index: number, all: readonly InterruptQuestion[]): InterruptQuestion {
  const { data, open } = question;
  const hasId = (id: string) => (other: InterruptQuestion) => other.open.id === id;
  if (!data.ask || !all.slice(0, index).some(hasId(open.id))) return question;
  let key = `${open.id} (${String(index + 1)})`;
  while (all.some(hasId(key))) key += '+';
  return { data: { ...data, request: { ...data.request, id: key } }, open: { ...open, key } };
}

function interruptQuestion(
  { id, reason, message, toolCallId, responseSchema, expiresAt, metadata }: AgUiInterrupt,
  find: FindCall,
): InterruptQuestion {
  const runId = interruptedRun(metadata);
  const open = {
    id,
    ...(responseSchema && { schema: responseSchema }),
    ...(expiresAt && { expiresAt }),
    ...(runId && { runId }),
  };
  const extra = { ...(reason && { reason }), ...(expiresAt && { expiresAt }) };
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
          ...extra,
          ...(schemaProperty(responseSchema, 'editedArgs') && { editable: true }),
          ...(responseSchema && { schema: JSON.stringify(responseSchema) }),
        },
      },
    };
    return { data, open: { ...open, callId: toolCallId } };
  }
  const action_type =
    reason === 'confirmation' ? 'confirmation' : reason === 'input_required' ? 'question' : 'interrupt';
  const options = optionsOf(responseSchema);
  const baseAction = {
    action_type,
    ...(message && { content: message }),
    ...(options && { options }),
    ...(responseSchema && { schema: responseSchema }),
  } as const;
  return { data: { ask: baseAction, request: { id, extra } }, open };
}

/** TanStack AI binds an interrupt to its run, and refuses an answer without that run. */
function interruptedRun(metadata: AgUiInterrupt['metadata']): string | undefined {
  const binding = metadata?.['tanstack:interruptBinding'];
  const runId = isRecord(binding) ? binding['interruptedRunId'] : undefined;
  return typeof runId === 'string' ? runId : undefined;
}

/** TanStack AI reports a call of one of the page's tools as an interrupt. Its result is the answer. */
const isPageToolCall = ({ reason }: AgUiInterrupt): boolean => reason === 'tanstack:client_tool_execution';

/**
 * Converts a question of the older convention: a `CUSTOM` event before the end of the run. Some servers send an interrupt of
 * the newer form in it, and some of those expect the answer in the newer form too. So they are answered in both.
 */
function legacyInterruptQuestion(value: unknown, id: string, find: FindCall): InterruptQuestion {
  const event = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  const parsed = interruptSchema.safeParse(event);
  if (parsed.success) {
    const { data, open } = interruptQuestion(parsed.data, find);
    return { data, open: { ...open, event } };
  }
  const prompt = isRecord(event) ? (event['message'] ?? event['question']) : event;
  const content = typeof prompt === 'string' ? prompt : JSON.stringify(event);
  return { data: { ask: { action_type: 'interrupt', content }, request: { id } }, open: { id, event } };
}

/** The choices of a question whose answer is an enumeration. */
function optionsOf(schema: unknown): { label: string; value: string }[] | undefined {
  const names = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const choice = names.length === 1 ? schemaProperty(schema, names[0] ?? '') : schema;
  const values = isRecord(choice) ? choice['enum'] : undefined;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return undefined;
  return values.map((value) => ({ label: value, value }));
}
