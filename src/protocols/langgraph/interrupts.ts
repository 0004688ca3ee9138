/** What a graph asks. Source: `langgraph.md`, "Interrupts and resume commands". */
import type { Data, OpenCall } from './reply.ts';
import { isSame } from './messages.ts';
import { isRecord } from '../../model/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** What `metadata` of a reply keeps of a question, for the request that answers it. */
export type OpenInterrupt =
  | { readonly kind: 'actions'; readonly id: string; readonly names: readonly string[] }
  | { readonly kind: 'value'; readonly id: string }
  | { readonly kind: 'breakpoint'; readonly id: string }
  /** A tool of the page whose result is the answer. */
  | { readonly kind: 'tool'; readonly id: string; readonly callId: string };

export interface Question {
  readonly data: readonly Data[];
  readonly open: OpenInterrupt;
}

const BREAKPOINT = 'breakpoint';

/** A static breakpoint: the run goes on, or it does not. */
export const breakpoint: Question = {
  data: [{ ask: { action_type: 'confirmation' }, request: { id: BREAKPOINT, extra: { deniedEndsTurn: true } } }],
  open: { kind: 'breakpoint', id: BREAKPOINT },
};

/** `calls`: those that wait for a result; each is taken once. */
export function questionOf(id: string, value: unknown, calls: OpenCall[]): Question {
  const actions = actionsOf(value);
  if (actions) {
    const data = actions.map((action, index): Data => askFor(action, { id, index, calls }));
    return { data, open: { kind: 'actions', id, names: actions.map(({ name }) => name) } };
  }
  const tool = toolOf(value);
  if (tool) {
    const callId = tool.id || id;
    const known = calls.some((call) => call.id === callId);
    const start: Data = {
      tool_call: 'start',
      tool_call_id: callId,
      tool_call_name: tool.name,
      tool_call_params: JSON.stringify(tool.args ?? {}),
    };
    return { data: known ? [] : [start], open: { kind: 'tool', id, callId } };
  }
  const options = isRecord(value) && Array.isArray(value['options']) ? value['options'] : [];
  const labels = options.filter((option): option is string => typeof option === 'string');
  const ask = {
    action_type: 'interrupt',
    content: wordsOf(value),
    ...(labels.length > 0 && { options: labels.map((label) => ({ label, value: label })) }),
  } as const;
  return { data: [{ ask, request: { id } }], open: { kind: 'value', id } };
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const words = isRecord(value) ? ['question', 'message', 'prompt', 'query', 'text'].map((name) => value[name]) : [];
  return words.find((text) => typeof text === 'string') ?? JSON.stringify(value ?? null, null, 2);
}

interface Action {
  readonly name: string;
  readonly args: unknown;
  readonly description: string;
  readonly decisions: readonly string[];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const either = (record: unknown, camel: string, snake: string): unknown =>
  isRecord(record) ? (record[camel] ?? record[snake]) : undefined;

/** The human-in-the-loop middleware, as JS and Python spell it. */
function actionsOf(value: unknown): readonly Action[] | undefined {
  const requests = either(value, 'actionRequests', 'action_requests');
  const configs = either(value, 'reviewConfigs', 'review_configs');
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every(isRecord)) return undefined;
  return requests.map((request: Json) => {
    const name = [request['name'], request['action'], request['action_name']].find(isText) ?? '';
    const config: unknown = Array.isArray(configs)
      ? configs.find((item) => either(item, 'actionName', 'action_name') === name)
      : undefined;
    const allowed = either(config, 'allowedDecisions', 'allowed_decisions');
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
  const params = JSON.stringify(args ?? {});
  const at = calls.findIndex((call) => call.name === name && isSame(call.params || '{}', params));
  const [call] = at < 0 ? [] : calls.splice(at, 1);
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
        ...(decisions.includes('edit') && { editable: true }),
        ...(decisions.length > 0 && { decisions: decisions.join(' ') }),
      },
    },
  };
}

/** A tool that the graph only knows the form of: the page runs it. */
function toolOf(value: unknown): { readonly id: string; readonly name: string; readonly args: unknown } | undefined {
  const call = isRecord(value) && value['type'] === 'tool' ? either(value, 'toolCall', 'tool_call') : undefined;
  if (!isRecord(call) || typeof call['name'] !== 'string') return undefined;
  return { id: typeof call['id'] === 'string' ? call['id'] : '', name: call['name'], args: call['args'] };
}
