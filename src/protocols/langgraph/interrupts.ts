/** Questions (interrupts) of a graph. Source: `docs/protocols/langgraph.md`. */
import type { Data, OpenCall } from './run-content.ts';
import { sameArguments } from './messages.ts';
import { isRecord } from '../../model/json.ts';
import { exactJson } from '../core/exact-json.ts';

type Json = Readonly<Record<string, unknown>>;

/** A question as stored in a reply's `metadata`, for the request that answers it. */
export type OpenInterrupt =
  | { readonly kind: 'actions'; readonly id: string; readonly names: readonly string[] }
  | { readonly kind: 'value'; readonly id: string }
  | { readonly kind: 'breakpoint'; readonly id: string }
  /** A client tool whose result is the answer. */
  | { readonly kind: 'tool'; readonly id: string; readonly callId: string };

export interface Question {
  readonly data: readonly Data[];
  readonly open: OpenInterrupt;
}

const BREAKPOINT = 'breakpoint';

/** A static breakpoint: the user lets the run continue or not. */
export const breakpoint: Question = {
  data: [{ ask: { action_type: 'confirmation' }, request: { id: BREAKPOINT, extra: { deniedEndsTurn: true } } }],
  open: { kind: 'breakpoint', id: BREAKPOINT },
};

/** Converts an interrupt to a question. `calls`: calls without a result; a matching call is removed. */
export function toQuestion(id: string, value: unknown, calls: OpenCall[]): Question {
  const actions = actionsOf(value);
  if (actions) {
    const data = actions.map((action, index): Data => askFor(action, { id, index, calls }));
    return { data, open: { kind: 'actions', id, names: actions.map(({ name }) => name) } };
  }
  const tool = toolOf(value);
  if (tool) {
    const callId = tool.id || id;
    const isKnown = calls.some((call) => call.id === callId);
    const start: Data = {
      tool_call: 'start',
      tool_call_id: callId,
      tool_call_name: tool.name,
      tool_call_params: exactJson(tool.args ?? {}),
    };
    return { data: isKnown ? [] : [start], open: { kind: 'tool', id, callId } };
  }
  const options = isRecord(value) && Array.isArray(value['options']) ? value['options'] : [];
  const labels = options.filter((option): option is string => typeof option === 'string');
  const baseAction = {
    action_type: 'interrupt',
    content: questionText(value),
    ...(labels.length > 0 && { options: labels.map((label) => ({ label, value: label })) }),
  } as const;
  return { data: [{ ask: baseAction, request: { id } }], open: { kind: 'value', id } };
}

function questionText(value: unknown): string {
  if (typeof value === 'string') return value;
  const candidates = isRecord(value)
    ? ['question', 'message', 'prompt', 'query', 'text'].map((name) => value[name])
    : [];
  return candidates.find((text) => typeof text === 'string') ?? exactJson(value ?? null, 2);
}

interface Action {
  readonly name: string;
  readonly args: unknown;
  readonly description: string;
  readonly decisions: readonly string[];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const readField = (record: unknown, camel: string, snake: string): unknown =>
  isRecord(record) ? (record[camel] ?? record[snake]) : undefined;

/** Reads requests of the human-in-the-loop middleware, in JavaScript's and Python's spelling. */
function actionsOf(value: unknown): readonly Action[] | undefined {
  const requests = readField(value, 'actionRequests', 'action_requests');
  const configs = readField(value, 'reviewConfigs', 'review_configs');
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every(isRecord)) return undefined;
  return requests.map((request: Json) => {
    const name = [request['name'], request['action'], request['action_name']].find(isText) ?? '';
    const config: unknown = Array.isArray(configs)
      ? configs.find((item) => readField(item, 'actionName', 'action_name') === name)
      : undefined;
    const allowed = readField(config, 'allowedDecisions', 'allowed_decisions');
    return {
      name,
      args: request['args'] ?? request['arguments'],
      description: typeof request['description'] === 'string' ? request['description'] : '',
      decisions: Array.isArray(allowed) ? allowed.filter(isText) : [],
    };
  });
}

function askFor(
  { name, args, description, decisions }: Action,
  { id, index, calls }: { readonly id: string; readonly index: number; readonly calls: OpenCall[] },
): Data {
  const params = exactJson(args ?? {});
  const callIndex = calls.findIndex((call) => call.name === name && sameArguments(call.params || '{}', params));
  const [call] = callIndex < 0 ? [] : calls.splice(callIndex, 1);
  return {
    tool_call: 'permission-required',
    tool_call_id: call?.id ?? `${id}/${String(index)}`,
    tool_call_name: name,
    tool_call_params: params,
    permission_request: { toolName: name, serverName: '', permissionType: 'all', description },
    request: {
      id,
      extra: {
        index,
        ...(decisions.includes('edit') && isRecord(args ?? {}) && { editable: true }),
        ...(decisions.length > 0 && { decisions: decisions.join(' ') }),
      },
    },
  };
}

/** Reads a call of a tool that the graph only declares: the page runs it. */
function toolOf(value: unknown): { readonly id: string; readonly name: string; readonly args: unknown } | undefined {
  const call = isRecord(value) && value['type'] === 'tool' ? readField(value, 'toolCall', 'tool_call') : undefined;
  if (!isRecord(call) || typeof call['name'] !== 'string') return undefined;
  return { id: typeof call['id'] === 'string' ? call['id'] : '', name: call['name'], args: call['args'] };
}
