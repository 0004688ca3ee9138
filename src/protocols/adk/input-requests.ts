/**
 * Converts an ADK agent's requests to the user (calls of functions that are built into ADK, "the kit") to events. Source:
 * `google/adk-python`, `flows/llm_flows/functions.py`, `tools/get_user_choice_tool.py`; `@google/adk` 2.0.0,
 * `workflow/request_input.ts`, `tools/get_user_choice_tool.ts`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { exactJson } from '../core/exact-json.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Json = Readonly<Record<string, unknown>>;

/** Returns the question for a built-in function call, or undefined for an ordinary tool call. */
export function questionOfCall(name: string, id: string, args: unknown): Data | undefined {
  const params = isRecord(args) ? args : {};
  return Object.hasOwn(converters, name) ? converters[name]?.(id, params) : undefined;
}

/**
 * Returns the question for a call of the kit's tool that offers a choice. Its name is not reserved, so it is a question only
 * if the tool is long-running: the kit's tool has no result until the user answers.
 */
export function choiceOfCall(name: string, id: string, args: unknown): Data | undefined {
  const list: unknown = isRecord(args) ? args['options'] : undefined;
  const options = Array.isArray(list) ? list.filter((option): option is string => typeof option === 'string') : [];
  if (name !== 'get_user_choice' || options.length === 0) return undefined;
  return {
    ask: { action_type: 'question', options: options.map((label) => ({ label, value: label })) },
    request: { id, extra: { adk: name } },
  };
}

const converters: Readonly<Record<string, (id: string, args: Json) => Data>> = {
  adk_request_confirmation(id, args) {
    const call = either(args, 'originalFunctionCall', 'original_function_call');
    const confirmation = either(args, 'toolConfirmation', 'tool_confirmation');
    const toolName = textOf(call['name']);
    const { payload } = confirmation;
    return {
      tool_call: 'permission-required',
      tool_call_id: textOf(call['id']) || id,
      tool_call_name: toolName,
      tool_call_params: exactJson(call['args'] ?? {}),
      permission_request: {
        toolName,
        serverName: '',
        permissionType: 'all',
        description: [hintOf(confirmation), shownPayload(payload)].filter(Boolean).join('\n\n'),
      },
      request: {
        id,
        extra: {
          adk: 'adk_request_confirmation',
          // The user must confirm the data each time, so the card offers no permanent approval.
          ...(isRecord(payload) && { payload: JSON.stringify(payload), rememberable: false }),
        },
      },
    };
  },
  adk_request_input(id, args) {
    const schema = args['response_schema'] ?? args['responseSchema'];
    return {
      ask: { action_type: 'question', content: textOf(args['message']), ...(isRecord(schema) && { schema }) },
      request: {
        id: textOf(args['interruptId'] ?? args['interrupt_id']) || id,
        extra: { adk: 'adk_request_input' },
      },
    };
  },
  // The user signs in elsewhere and enters the URL of the redirect.
  adk_request_credential(id, args) {
    const config = either(args, 'authConfig', 'auth_config');
    const oauth2 = either(either(config, 'exchangedAuthCredential', 'exchanged_auth_credential'), 'oauth2', 'oauth2');
    const address = textOf(oauth2['authUri'] ?? oauth2['auth_uri']);
    const message = textOf(args['message']);
    return {
      ask: { action_type: 'question', content: [message, address].filter(Boolean).join('\n\n') },
      request: { id, extra: { adk: 'adk_request_credential', authConfig: JSON.stringify(config) } },
    };
  },
};

/**
 * The data of a confirmation as text for its card: the user must see it, because the tool receives it as confirmed. It is sent back
 * with rounded numbers, so they are shown rounded. Invisible characters are escaped.
 */
export const shownPayload = (payload: unknown): string =>
  isRecord(payload) ? JSON.stringify(payload).replace(/(?! )[\p{C}\p{Z}\p{DI}\u2800]/gu, escapeUnits) : '';

const escapeUnits = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The kit's default hint addresses the developer, so it is not shown. */
const DEFAULT_HINT = /^Please approve or reject the tool call .+ by responding with a FunctionResponse/;
function hintOf({ hint }: Json): string {
  const text = textOf(hint);
  return DEFAULT_HINT.test(text) ? '' : text;
}

function either(record: Json, camel: string, snake: string): Json {
  const value = record[camel] ?? record[snake];
  return isRecord(value) ? value : {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
