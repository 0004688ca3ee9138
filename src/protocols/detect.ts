/**
 * How each protocol is told by its first frames. One function a protocol and no adapter: that is all a page loads before an
 * endpoint has answered. Each looks for what only its own protocol has, so that their order does not matter.
 * Source: `protocols/other.md`, "One decision table"; the detection sections of the protocols' pages.
 */
import type { Certainty, SignFrame, Signs } from './adapter.ts';
import { isRecord } from './read-frames.ts';

type Json = Readonly<Record<string, unknown>>;

/** Sure as soon as one of the first frames has the sign: an error or a ping may come before it. */
const whenAnyFrame =
  (sign: (json: Json, frame: SignFrame) => boolean) =>
  ({ frames }: Signs): Certainty =>
    frames.some((frame) => isRecord(frame.json) && sign(frame.json, frame)) ? 'sure' : 'no';

const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && names.includes(value);

const isFieldEvent = isOneOf('message_start', 'message_field', 'message_field_delta', 'message_result');
export const detectMessageField = whenAnyFrame(
  (json) => typeof json['message_id'] === 'string' && isFieldEvent(json['type']),
);

const isPhase = isOneOf('thinking', 'tool_calling', 'generating', 'completed', 'error');
export const detectAgentPhase = whenAnyFrame(
  (json) => typeof json['type'] === 'string' && isPhase(json['phase']) && isRecord(json['data']),
);

const isSessionEvent = isOneOf(
  'session_start',
  'thinking',
  'tool_call_start',
  'tool_call_progress',
  'tool_call_end',
  'content',
  'data',
  'error',
  'session_end',
  'token',
  'tool_call',
  'tool_result',
  'final_answer',
  'dataframe_data',
  'done',
);
export const detectAgentSession = whenAnyFrame(
  ({ type, data, metadata, phase }) =>
    isSessionEvent(type) &&
    phase === undefined &&
    isRecord(metadata) &&
    // Old events may have their fields on the top level; with a time alone they could be n8n's.
    (typeof metadata['sequence'] === 'number' || (isRecord(data) && typeof metadata['timestamp'] === 'number')),
);

/** Section 7: the ten core names, each with its own field on the top level. An error alone tells nothing. */
const coreFields: Readonly<Record<string, string>> = {
  text: 'content',
  reasoning: 'reasoning_content',
  tool_call_start: 'tool_call_id',
  tool_call_chunk: 'tool_call_id',
  tool_call_end: 'tool_call_id',
  usage: 'usage',
  stop: 'stop_reason',
  image_data: 'image_data',
  rate_limit: 'rate_limit',
};
const isAgentLayer = isOneOf('response', 'error', 'end');
export const detectDeepchatEvents = whenAnyFrame(({ type, data, ...fields }, frame) => {
  if (typeof type !== 'string') return false;
  if (isAgentLayer(type) && isRecord(data)) return typeof data['eventId'] === 'string';
  const field = Object.hasOwn(coreFields, type) ? coreFields[type] : undefined;
  return data === undefined && frame.event === undefined && field !== undefined && fields[field] !== undefined;
});

const isRole = isOneOf('system', 'user', 'assistant', 'tool');
const isMsg = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['name'] === 'string' &&
  typeof value['role'] === 'string' &&
  isRole(value['role'].toLowerCase()) &&
  (typeof value['content'] === 'string' ||
    (Array.isArray(value['content']) &&
      value['content'].every((block) => isRecord(block) && typeof block['type'] === 'string')));
export const detectAgentscopeMsg = ({ frames }: Signs): Certainty =>
  frames.some(({ json }) => {
    const first = Array.isArray(json) ? (json as unknown[])[0] : json;
    return isMsg(first) || (isRecord(first) && isMsg(first['msg']));
  })
    ? 'sure'
    : 'no';

/** The empty first chunk of Azure has only `choices: []`. */
export const detectOpenAiChat = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(({ choices, object }) => {
    if (!Array.isArray(choices)) return false;
    const first: unknown = choices[0];
    const named = typeof object === 'string' && /^(?:chat\.completion|text_completion)/.test(object);
    return named || (isRecord(first) && (isRecord(first['delta']) || isRecord(first['message'])));
  })(signs);
  if (sure === 'sure') return 'sure';
  return signs.url.pathname.endsWith('/chat/completions') ? 'maybe' : 'no';
};

/** Words without any form, or server-sent events whose data are words: a number or a `true` among them is one too. */
export const detectText = ({ framing, frames }: Signs): Certainty => {
  if (framing === 'text') return 'sure';
  const said = frames.filter((frame) => frame.data !== '');
  const words = said.filter(({ json }) => typeof json !== 'object').length;
  if (framing !== 'sse' || words < said.length || words === 0) return 'no';
  return words > 1 ? 'sure' : 'maybe';
};

/** One whole document that nobody else knows. Among events that is an error, and nothing but an end mark behind it. */
export const detectJson = ({ framing, frames, ended }: Signs): Certainty => {
  const [first, ...others] = frames.filter(({ data }) => data !== '' && data !== '[DONE]');
  if (!ended || others.length > 0 || first?.json === undefined) return 'no';
  if (framing !== 'sse') return 'maybe';
  return isRecord(first.json) && (first.json['error'] !== undefined || first.json['type'] === 'error') ? 'maybe' : 'no';
};

/** The built-in protocols' own signs, by id. */
export const detectors: Readonly<Record<string, (signs: Signs) => Certainty>> = {
  'openai-chat': detectOpenAiChat,
  'agent-session': detectAgentSession,
  'agent-phase': detectAgentPhase,
  'deepchat-events': detectDeepchatEvents,
  'message-field': detectMessageField,
  'agentscope-msg': detectAgentscopeMsg,
  text: detectText,
  json: detectJson,
};
