/**
 * The calls that pause a run, and their answers. Source: `agno-agi/agno`, `run/requirement.py`, `models/response.py`,
 * and the routes `/continue` of `os/routers/agents` and `os/routers/teams`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { isSameId } from '../../model/same-id.ts';
import type { Answer, Turn } from '../core/adapter.ts';
import { resultWithEdit } from '../shared/edited-arguments.ts';
import { denySharedIds } from '../core/deny-shared-ids.ts';
import { cardOf, isShownCall } from '../core/shown-call.ts';
import type { AgnoEvent, AgnoRequirement, AgnoTool } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type JsonObject = Readonly<Record<string, unknown>>;

/** The body field of `/continue`: `tools` for an agent, `requirements` for a team. */
type PausedField = 'tools' | 'requirements';
/** A paused run. The decoder stores it in `metadata.paused`, and the next request sends it back with the answers. */
export interface PausedRun {
  readonly field: PausedField;
  readonly items: readonly (AgnoTool | AgnoRequirement)[];
}

/** A team always expects `requirements`, even if one of its own tools has paused. */
export function pausedRun({ event, tools, requirements }: AgnoEvent): PausedRun {
  const isTeam = event?.startsWith('Team') ?? false;
  return isTeam ? { field: 'requirements', items: requirements ?? [] } : { field: 'tools', items: tools ?? [] };
}

const toolOf = (item: AgnoTool | AgnoRequirement): AgnoTool =>
  'tool_execution' in item && isRecord(item.tool_execution) ? item.tool_execution : item;

/** The events for the pending items of a paused run. */
export const pauseEvents = (paused: PausedRun): readonly Data[] =>
  paused.items.flatMap((item) => questionEvents(toolOf(item)));

function questionEvents(tool: AgnoTool): readonly Data[] {
  const { tool_call_id: id, tool_name: name, tool_args: args } = tool;
  if (!id) return [];
  const call = {
    tool_call_id: id,
    tool_call_name: name ?? '',
    tool_call_params_complete: JSON.stringify(args ?? {}),
  };
  const request = { id };
  if (needsConfirmation(tool)) {
    return [
      { ...call, tool_call: 'running', tool_call_remote: true },
      {
        ...call,
        tool_call: 'permission-required',
        permission_request: { toolName: name ?? '', serverName: '', permissionType: 'all', description: '' },
        request: { ...request, extra: { editable: true } },
      },
    ];
  }
  if (tool.answered) return [];
  const questions = tool.user_feedback_schema ?? [];
  if (questions.length > 0) {
    const [only] = questions;
    const form = questions.length === 1 && only && !only.multi_select ? choiceQuestion(only) : feedbackForm(questions);
    return [
      { ...call, tool_call: 'running', tool_call_remote: true },
      { ask: { action_type: 'question', ...form }, request },
    ];
  }
  if (tool.requires_user_input) {
    return [
      { ...call, tool_call: 'running', tool_call_remote: true },
      {
        ask: { action_type: 'question', content: titleOf(tool), schema: inputForm(tool) },
        // The answer runs the tool, so text from the composer must not count as one.
        request: { ...request, extra: { needsChoice: true } },
      },
    ];
  }
  // A tool without a result: the page runs it.
  return tool.external_execution_required && tool.result == null ? [{ ...call, tool_call: 'start' }] : [];
}

const needsConfirmation = ({ requires_confirmation: isRequired, confirmed }: AgnoTool): boolean =>
  isRequired === true && confirmed == null;

type FeedbackQuestion = NonNullable<AgnoTool['user_feedback_schema']>[number];

const choiceQuestion = ({ question, options }: FeedbackQuestion) => ({
  content: question,
  options: (options ?? []).map(({ label, description }) => ({ label, ...(description && { description }) })),
});

const feedbackForm = (questions: readonly FeedbackQuestion[]) => ({
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      questions.map(({ question, multi_select: multiple, options }) => {
        const choices = (options ?? []).map(({ label, description }) => ({
          const: label,
          ...(description && { description }),
        }));
        const schema = choices.length > 0 ? { oneOf: choices } : { type: 'string' };
        return [question, { title: question, ...(multiple ? { type: 'array', items: schema } : schema) }];
      }),
    ),
  },
});

const JSON_TYPES: ReadonlyMap<string, string> = new Map([
  ['int', 'integer'],
  ['float', 'number'],
  ['bool', 'boolean'],
]);

const missingFields = ({ user_input_schema: fields }: AgnoTool) =>
  (fields ?? []).filter(({ ['value']: value }) => value === undefined || value === null);

/** The name of the tool, with the arguments that the form does not ask for: the answer runs it with them. */
function titleOf(tool: AgnoTool): string {
  const missing = new Set(missingFields(tool).map(({ name }) => name));
  const fields = (tool.user_input_schema ?? []).map(({ name, ['value']: value }) => [name, value] as const);
  const known = Object.entries({ ...tool.tool_args, ...Object.fromEntries(fields) }).filter(
    ([name]) => !missing.has(name),
  );
  const name = tool.tool_name ?? '';
  return known.length > 0 ? `${name} ${JSON.stringify(Object.fromEntries(known))}` : name;
}

/** The form for the missing arguments. Arguments from the model already have a value. */
const inputForm = (tool: AgnoTool): JsonObject => {
  const missing = missingFields(tool);
  return {
    type: 'object',
    required: missing.map(({ name }) => name),
    properties: Object.fromEntries(
      missing.map(({ name, field_type: type, description }) => [
        name,
        { type: JSON_TYPES.get(type ?? '') ?? 'string', ...(description && { description }) },
      ]),
    ),
  };
};

const isAnswerTo = ({ actionType, extra }: Answer, tool: AgnoTool): boolean =>
  isSameId(extra?.['requestId'], tool.tool_call_id) &&
  (actionType === 'tool_call_permission') === needsConfirmation(tool);

/** The paused calls with the answers of the user and the results of the page. */
export function answeredItems(paused: PausedRun, turn: Turn): readonly JsonObject[] {
  const answers = denySharedIds(turn.answers);
  return paused.items.map((item) => {
    const tool = toolOf(item);
    const answer = answers.findLast((one) => isAnswerTo(one, tool));
    // Several calls may share an id. The answer belongs to the last one, because its card has replaced the others.
    const isLastAsked = answer && paused.items.findLast((other) => isAnswerTo(answer, toolOf(other))) === item;
    const isAnswered = isLastAsked === true && isShown(tool, cardOf(answer, turn));
    const decidedTool =
      isLastAsked && (isAnswered || needsConfirmation(tool)) ? answerTool(tool, answer) : unansweredTool(tool, turn);
    // An approval in the stored run counts only if the user has given it.
    const answeredTool =
      decidedTool['confirmed'] && !isAnswered && !wasConfirmed(tool, turn)
        ? { ...decidedTool, confirmed: false }
        : decidedTool;
    if (paused.field === 'tools') return answeredTool;
    const { confirmed, confirmation_note: note, result } = answeredTool;
    // The decision of the server's item is not the user's.
    const { confirmation: _decision, confirmation_note: _note, external_execution_result: _result, ...rest } = item;
    return {
      ...rest,
      tool_execution: answeredTool,
      ...(typeof confirmed === 'boolean' && { confirmation: confirmed }),
      ...(typeof note === 'string' && { confirmation_note: note }),
      ...(tool.external_execution_required && result != null && { external_execution_result: result }),
      ...('user_input_schema' in item && { user_input_schema: answeredTool['user_input_schema'] }),
      ...('user_feedback_schema' in item && { user_feedback_schema: answeredTool['user_feedback_schema'] }),
    };
  });
}

/** Whether a card shows this call, with its arguments. A stored run may name another one. */
function isShown(tool: AgnoTool, card: BlockOf<'action'> | undefined): boolean {
  if (needsConfirmation(tool)) return isShownCall(card, tool.tool_name, JSON.stringify(tool.tool_args ?? {}));
  const { ask } = questionEvents(tool).find(({ ask: question }) => question) ?? {};
  const { options, schema } = card?.extra ?? {};
  return (
    ask !== undefined &&
    card?.action_type === ask.action_type &&
    card.content === ask.content &&
    schema === JSON.stringify(ask.schema) &&
    JSON.stringify(options) === JSON.stringify(ask.options) &&
    // Cards of a `user_feedback_schema` show no arguments, so they must be those of a tool that only asks.
    (!tool.user_feedback_schema?.length || isQuestion(tool))
  );
}

/**
 * Whether the call has run after its approval in an earlier round, so that the server does not run it again. Without a result it
 * would run it, and a stored approval may not be the user's.
 */
const wasConfirmed = (tool: AgnoTool, { messages }: Turn): boolean =>
  tool.result != null &&
  messages.some(({ blocks }) =>
    blocks.some(
      (block) =>
        block.type === 'action' &&
        block.status === 'granted' &&
        isSameId(block.extra?.['requestId'], tool.tool_call_id) &&
        isShownCall(block, tool.tool_name, JSON.stringify(tool.tool_args ?? {})),
    ),
  );

const INVALID_ARGUMENTS_NOTE = 'The edited arguments are not a JSON object, so the call was not approved.';

function answerTool(tool: AgnoTool, answer: Answer): JsonObject {
  const { decision, payload, note, arguments: edited } = answer;
  if (needsConfirmation(tool)) {
    const changed = typeof edited === 'string' ? parseJson(edited) : edited;
    // The server accepts only an object. With anything else it would run the call with the original arguments.
    const isUsable = changed === undefined ? edited === undefined : isRecord(changed);
    return {
      ...tool,
      confirmed: decision === 'granted' && isUsable,
      ...(note && { confirmation_note: note }),
      ...(!isUsable && { confirmation_note: INVALID_ARGUMENTS_NOTE }),
      ...(isRecord(changed) && { tool_args: changed }),
    };
  }
  const missing = missingFields(tool);
  const fields = tool.user_input_schema ? missing : (tool.user_feedback_schema ?? []);
  // A single value, or a note, is not meant for several fields.
  const single = fields.length === 1 ? (payload ?? note) : undefined;
  const value = (name: string): unknown => (isRecord(payload) ? payload[name] : single);
  // A note is text, which a tool that expects a boolean would read as a yes.
  const isDeniedBoolean = (type: unknown): boolean => decision === 'denied' && payload === undefined && type === 'bool';
  const values = new Map(
    missing.map(({ name, field_type: type }) => [name, (isDeniedBoolean(type) ? false : value(name)) ?? null]),
  );
  const isAnswered = values.size === 0 || [...values.values()].some((given) => given !== null);
  return {
    ...tool,
    answered: true,
    ...(tool.user_input_schema && {
      user_input_schema: tool.user_input_schema.map((field) => ({
        ...field,
        value: field['value'] ?? values.get(field.name) ?? null,
      })),
    }),
    ...(tool.user_feedback_schema && {
      user_feedback_schema: tool.user_feedback_schema.map((question) => ({
        ...question,
        selected_options: [value(question.question) ?? []].flat(),
      })),
    }),
    ...(!isAnswered && !isQuestion(tool) && rejection(payload ?? note)),
  };
}

/** The tools with which the model asks the user. The server only reads their answers, but runs any other tool with its answer. */
const QUESTIONS: ReadonlySet<unknown> = new Set(['get_user_input', 'ask_user']);
const isQuestion = (tool: AgnoTool): boolean => QUESTIONS.has(tool.tool_name);

/** Rejects a call without answers: the server would run it without the values that it has asked for, unless it is rejected. */
const rejection = (reason: unknown): JsonObject => ({
  requires_confirmation: true,
  confirmed: false,
  confirmation_note: typeof reason === 'string' && reason !== '' ? reason : 'The user did not answer.',
});

/** A call without an answer. Its values may come from a stored run, and the user has not seen them: it must not run with them. */
function unansweredTool(tool: AgnoTool, turn: Turn): JsonObject {
  const result = resultTool(tool, turn);
  if (!tool.requires_user_input) return result;
  if (!isQuestion(tool)) return { ...result, ...rejection(undefined) };
  const { user_input_schema: fields, user_feedback_schema: questions } = tool;
  return {
    ...result,
    ...(fields && { user_input_schema: fields.map((field) => ({ ...field, value: null })) }),
    ...(questions && { user_feedback_schema: questions.map((question) => ({ ...question, selected_options: [] })) }),
  };
}

/** A tool that ran in the page, with its result. */
function resultTool(tool: AgnoTool, { messages }: Turn): JsonObject {
  if (!tool.external_execution_required) return { ...tool };
  const blocks = messages.flatMap((message) => message.blocks);
  const call = blocks.findLast((block) => block.type === 'tool_call' && block.tool_call.id === tool.tool_call_id);
  if (call?.type !== 'tool_call') return { ...tool };
  return { ...tool, result: resultWithEdit(call, blocks) ?? '', tool_call_error: call.status === 'error' };
}
