/**
 * How each protocol is told by its first frames. One function a protocol and no adapter: that is all a page loads before an
 * endpoint has answered. Each looks for what only its own protocol has, so that their order does not matter.
 * Source: `protocols/other.md`, "One decision table"; the detection sections of the protocols' pages.
 */
import type { Certainty, SignFrame, Signs } from './adapter.ts';
import { isRecord, parseJson } from '../model/json.ts';

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

/** Each kind of event with a field of its own; AgentScope's have the same kinds with other fields. */
const agUiFields: readonly (readonly [RegExp, string])[] = [
  [/^RUN_(?:STARTED|FINISHED)$/, 'runId'],
  [/^(?:TEXT_MESSAGE|REASONING|REASONING_MESSAGE)_(?:START|CONTENT|CHUNK)$/, 'messageId'],
  [/^TOOL_CALL_(?:START|CHUNK|RESULT)$/, 'toolCallId'],
  [/^STEP_STARTED$/, 'stepName'],
  [/^STATE_SNAPSHOT$/, 'snapshot'],
  [/^STATE_DELTA$/, 'delta'],
  [/^MESSAGES_SNAPSHOT$/, 'messages'],
  [/^ACTIVITY_(?:SNAPSHOT|DELTA)$/, 'activityType'],
];
export const detectAgUi = (signs: Signs): Certainty => {
  const sure = whenAnyFrame((json) => {
    const { type } = json;
    const field = typeof type === 'string' && agUiFields.find(([kinds]) => kinds.test(type))?.[1];
    return Boolean(field) && json[field || ''] !== undefined && !('reply_id' in json || 'replyId' in json);
  })(signs);
  return sure === 'no' && /\/ag-?ui\/?$/i.test(signs.url.pathname) ? 'maybe' : sure;
};

/** One of its chunks, or a URL that names its methods. Its API for OpenAI's clients has other addresses and other chunks. */
export const detectGemini = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ candidates, promptFeedback, usageMetadata, modelVersion }) =>
      (Array.isArray(candidates) && candidates.every(isRecord)) ||
      isRecord(promptFeedback) ||
      (isRecord(usageMetadata) && typeof modelVersion === 'string'),
  )(signs);
  if (sure === 'sure') return 'sure';
  const { hostname, pathname } = signs.url;
  const google =
    hostname === 'generativelanguage.googleapis.com' && /^\/v1\w*(?:\/models(?:\/[^/:]+)?)?\/?$/.test(pathname);
  return google || /:(?:streamG|g)enerateContent$/.test(pathname) ? 'maybe' : 'no';
};

/** `/api/chat` alone is everybody's: the port, or the host, must be its own. */
export const detectOllama = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ model, created_at, done, message, response }) =>
      typeof model === 'string' &&
      typeof created_at === 'string' &&
      typeof done === 'boolean' &&
      (isRecord(message) || typeof response === 'string'),
  )(signs);
  if (sure === 'sure') return 'sure';
  const { port, hostname, pathname } = signs.url;
  const own = port === '11434' || /(?:^|\.)ollama\.com$/.test(hostname) || pathname.startsWith('/ollama/');
  return own && /^\/$|\/api\/(?:chat|generate)$/.test(pathname) ? 'maybe' : 'no';
};

/** Its first event, any numbered one, or a whole response. The Realtime API's events, which look alike, have an `event_id`. */
export const detectOpenAiResponses = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(({ type, object, response, output, event_id, sequence_number }, { event }) => {
    if (event_id !== undefined) return false;
    if (type === undefined && object === 'response' && sequence_number === undefined) return Array.isArray(output);
    const name = typeof type === 'string' ? type : (event ?? '');
    if (/^response\.(?:created|queued|in_progress)$/.test(name)) return isRecord(response);
    return name.startsWith('response.') && typeof sequence_number === 'number';
  })(signs);
  if (sure === 'sure') return 'sure';
  return /\/responses\/?$/.test(signs.url.pathname) ? 'maybe' : 'no';
};

/** Kinds with a field that nobody else's have. assistant-ui's look alike, but have a path. */
const aiSdkFields: readonly (readonly [RegExp, string])[] = [
  [/^(?:text|reasoning)-(?:start|delta|end)$/, 'id'],
  [/^tool-(?:input|output|approval)-/, 'toolCallId'],
  [/^data-./, 'data'],
  [/^source-(?:url|document)$/, 'sourceId'],
  [/^message-metadata$/, 'messageMetadata'],
  [/^(?:start|finish|reset)-step$/, 'type'],
];
const isStartField = isOneOf('type', 'messageId', 'messageMetadata');
export const detectAiSdk = (signs: Signs): Certainty => {
  if (signs.headers.has('x-vercel-ai-ui-message-stream')) return 'sure';
  const sure = whenAnyFrame((json, { event }) => {
    const { type, path } = json;
    if (typeof type !== 'string' || path !== undefined || event !== undefined) return false;
    if (type === 'start') return Object.keys(json).every(isStartField);
    const field = aiSdkFields.find(([kinds]) => kinds.test(type))?.[1];
    return field !== undefined && json[field] !== undefined;
  })(signs);
  if (sure === 'sure') return 'sure';
  const error = whenAnyFrame(({ type, errorText }) => type === 'error' && typeof errorText === 'string')(signs);
  return signs.ended && error === 'sure' ? 'maybe' : 'no';
};

/** What stands behind the code of a line. Words may begin with a digit and a colon too. */
const dataLines: readonly (readonly [RegExp, (value: unknown) => boolean])[] = [
  [/^[0g]$/, (value) => typeof value === 'string'],
  [/^(?:[28]|aui-state)$/, Array.isArray],
  [/^(?:[9a-fh-k]|aui-[a-z-]+)$/, isRecord],
];
export const detectAiSdkV4 = ({ headers, frames, ended }: Signs): Certainty => {
  if (headers.has('x-vercel-ai-data-stream')) return 'sure';
  const lines = frames.map(({ data }) => /^([0-9a-k]|aui-[a-z-]+):(.*)$/s.exec(data) ?? []);
  const isData = ([, code = '', value = '']: readonly string[]): boolean =>
    dataLines.some(([codes, fits]) => codes.test(code) && fits(parseJson(value)));
  if (lines.some(isData)) return 'sure';
  return ended && lines.some(([, code, value = '']) => code === '3' && typeof parseJson(value) === 'string')
    ? 'maybe'
    : 'no';
};

const isTransportPiece = isOneOf('part-start', 'part-finish', 'text-delta', 'result', 'tool-call-args-text-finish');
export const detectAssistantTransport = whenAnyFrame(
  ({ type, path, part, messageId, operations }) =>
    (Array.isArray(path) && isTransportPiece(type)) ||
    (type === 'part-start' && isRecord(part)) ||
    (type === 'step-start' && typeof messageId === 'string') ||
    (type === 'update-state' && Array.isArray(operations)),
);

/** A reply that was not streamed is told from an AgentScope message, which has an `object`. */
export const detectAnthropic = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ type, message, content_block, content, stop_reason, object }) =>
      (type === 'message_start' && isRecord(message) && message['type'] === 'message') ||
      (type === 'content_block_start' && isRecord(content_block)) ||
      (type === 'message' && Array.isArray(content) && stop_reason !== undefined && object === undefined),
  )(signs);
  if (sure === 'sure') return sure;
  const path = signs.url.pathname;
  return /\/v1\/messages$|\/publishers\/anthropic\/.+:(?:streamR|r)awPredict$/.test(path) ? 'maybe' : 'no';
};

/** The name has a hyphen where Anthropic's has an underscore. A reply that was not streamed says in capitals why it ended. */
export const detectCohere = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(
    ({ type, finish_reason, message }) =>
      type === 'message-start' ||
      (typeof finish_reason === 'string' &&
        /^[A-Z_]+$/.test(finish_reason) &&
        isRecord(message) &&
        message['role'] === 'assistant'),
  )(signs);
  if (sure === 'sure') return sure;
  return signs.url.pathname === '/v2/chat' ? 'maybe' : 'no';
};

const isNativeEvent =
  /^(?:(?:REPLY|AGENT|MODEL_CALL|(?:TEXT|THINKING|DATA|BINARY)_BLOCK|TOOL_CALL|TOOL_RESULT)_(?:START|END|DELTA)|HINT_BLOCK|TOOL_RESULT_(?:TEXT|DATA)_DELTA|REQUIRE_(?:USER_CONFIRM|EXTERNAL_EXECUTION)|USER_(?:CONFIRM_RESULT|INTERRUPT)|EXTERNAL_EXECUTION_RESULT|EXCEED_MAX_ITERS)$/;
const isDumpedEvent = isOneOf('REASONING', 'TOOL_RESULT', 'HINT', 'SUMMARY', 'AGENT_RESULT');
const isRuntimeObject = isOneOf('response', 'message', 'content');
/** The Runtime's numbered objects, the events of AgentScope 2 with their reply, or Java's older events with a `Msg`. */
export const detectAgentscope = (signs: Signs): Certainty => {
  const sure = whenAnyFrame(({ object, sequence_number, status, type, reply_id, replyId, message, isLast, last }) => {
    if (isRuntimeObject(object)) return sequence_number !== undefined && status !== undefined;
    if (typeof type !== 'string') return false;
    if (isDumpedEvent(type)) return isMsg(message) && typeof (isLast ?? last) === 'boolean';
    return isNativeEvent.test(type) && typeof (reply_id ?? replyId) === 'string';
  })(signs);
  if (sure === 'sure') return 'sure';
  const { pathname, searchParams } = signs.url;
  const native = /\/(?:chat|sessions\/[^/]+\/stream)\/?$/.test(pathname) && searchParams.has('agent_id');
  return native || pathname.endsWith('/process') ? 'maybe' : 'no';
};

const a2aKinds = isOneOf('task', 'message', 'status-update', 'artifact-update');
const isA2aResult = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const named = ['task', 'message', 'statusUpdate', 'artifactUpdate'].filter((name) => isRecord(value[name]));
  return named.length === 1 || (named.length === 0 && a2aKinds(value['kind']));
};
/** Over plain HTTP there is no envelope: then the ids must be there. */
export const detectA2a = (signs: Signs): Certainty => {
  const sure = whenAnyFrame((json) => {
    if (json['jsonrpc'] !== undefined) return isA2aResult(json['result']);
    const { task, message, statusUpdate, artifactUpdate } = json;
    const inner = [task, message, statusUpdate, artifactUpdate].filter(isRecord);
    const one = inner.length === 1 && Object.keys(json).length === 1 ? inner[0] : undefined;
    return one !== undefined && ['taskId', 'contextId'].some((name) => typeof one[name] === 'string');
  })(signs);
  if (sure === 'sure') return 'sure';
  const { ended, frames, headers, url } = signs;
  const refused = frames.some(({ json }) => isRecord(json) && json['jsonrpc'] === '2.0' && isRecord(json['error']));
  // An address that takes JSON-RPC and refuses everything else; MCP's have sessions.
  if (ended && refused && !headers.has('mcp-session-id')) return 'maybe';
  const own = /\/\.well-known\/agent(?:-card)?\.json$|\/message:(?:stream|send)$/;
  return own.test(url.pathname) ? 'maybe' : 'no';
};

/** The name of an event is a mode of streaming, perhaps with the path of a subgraph behind it; a mark needs its own data. */
const langgraphModes = /^(?:messages(?:\/(?:partial|complete|metadata))?|values|updates|custom)(?:\||$)/;
export const detectLanggraph = ({ frames, url }: Signs): Certainty => {
  const sure = frames.some(({ event = '', json }) => {
    if (isRecord(json) && json['type'] === 'event')
      return typeof json['method'] === 'string' && isRecord(json['params']);
    if (event === 'metadata') return isRecord(json) && typeof json['run_id'] === 'string';
    if (!langgraphModes.test(event)) return false;
    return event.startsWith('messages') ? typeof json === 'object' : isRecord(json);
  });
  if (sure) return 'sure';
  return /\/(?:runs\/stream|stream\/events)\/?$/.test(url.pathname) ? 'maybe' : 'no';
};

/** Words without any form, or server-sent events whose data are words: a number or a `true` among them is one too. */
const HANDSHAKE_BEGUN = /^\d+(?:\{(?:"(?:s(?:i(?:d(?:"(?::(?:")?)?)?)?)?)?)?)?$/;
export const detectText = ({ framing, frames, ended }: Signs): Certainty => {
  // What may be a handshake of another product is waited for: it is told by a few characters more.
  if (framing === 'text')
    return !ended && HANDSHAKE_BEGUN.test(frames.map(({ data }) => data).join('')) ? 'no' : 'sure';
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

const byPath =
  (path: RegExp, detect: (signs: Signs) => Certainty) =>
  (signs: Signs): Certainty => {
    const found = detect(signs);
    return found === 'no' && path.test(signs.url.pathname) ? 'maybe' : found;
  };

const isDifyEvent = isOneOf(
  'message',
  'agent_message',
  'agent_thought',
  'message_file',
  'message_end',
  'message_replace',
  'tts_message',
  'tts_message_end',
  'workflow_started',
  'workflow_finished',
  'workflow_paused',
  'node_started',
  'node_finished',
  'node_retry',
  'iteration_started',
  'loop_started',
  'parallel_branch_started',
  'agent_log',
  'text_chunk',
  'text_replace',
  'reasoning_chunk',
  'human_input_required',
  'human_input_form_filled',
  'human_input_form_timeout',
);
export const detectDify = byPath(
  /\/(?:(?:chat|completion)-messages|workflows\/run)\/?$/,
  whenAnyFrame(({ event, task_id }) => isDifyEvent(event) && typeof task_id === 'string'),
);

/** Both say `event` and `data`: Langflow's data is always an object, and Flowise has no such events with one. */
const isLangflowEvent = isOneOf(
  'add_message',
  'token',
  'remove_message',
  'vertices_sorted',
  'build_start',
  'end_vertex',
);
export const detectLangflow = byPath(
  /\/api\/v1\/run\//,
  whenAnyFrame(({ event, data, task_id }) => isLangflowEvent(event) && isRecord(data) && task_id === undefined),
);

const isFlowiseText = isOneOf('start', 'token', 'thinking', 'nextAgent', 'agentFlowEvent');
const isFlowiseThing = isOneOf(
  'sourceDocuments',
  'usedTools',
  'calledTools',
  'agentReasoning',
  'nextAgentFlow',
  'agentFlowExecutedData',
  'artifacts',
  'fileAnnotations',
  'usageMetadata',
  'metadata',
);
export const detectFlowise = byPath(/\/api\/v1\/prediction\//, (signs) => {
  const streamed = whenAnyFrame(({ event, data, task_id }) => {
    if (task_id !== undefined) return false;
    return (isFlowiseText(event) && typeof data === 'string') || (isFlowiseThing(event) && typeof data === 'object');
  });
  const whole = whenAnyFrame(({ text, question, chatId, chatMessageId }) =>
    [text, question, chatId, chatMessageId].every((field) => typeof field === 'string'),
  );
  return streamed(signs) === 'sure' ? 'sure' : whole(signs);
});

export const detectN8n = byPath(
  /(?<!\/rest)\/webhook(?:-test)?\//,
  whenAnyFrame(({ type, metadata, content, data, phase, event }) => {
    if (data !== undefined || phase !== undefined || event !== undefined) return false;
    if (!isRecord(metadata) || typeof metadata['nodeId'] !== 'string') return false;
    return type === 'begin' || type === 'end' || (type === 'item' && typeof content === 'string');
  }),
);

const hasEvent =
  (name: RegExp) =>
  ({ frames }: Signs): Certainty =>
    frames.some(({ event, json }) => name.test(event ?? '') && isRecord(json)) ? 'sure' : 'no';
export const detectCoze = byPath(
  /\/(?:v3\/chat|v1\/workflows\/chat)\/?$/,
  hasEvent(/^conversation\.(?:chat|message|audio)\./),
);
export const detectOpenAiAssistants = byPath(
  /\/v1\/threads\/(?:[^/]+\/)?runs\/?$/,
  hasEvent(/^thread\.(?:created|run|message)/),
);

/** The entries of its array are frames of their own. */
export const detectRasa = byPath(
  /\/webhooks\/rest\/webhook\/?$/,
  whenAnyFrame(({ recipient_id }) => typeof recipient_id === 'string'),
);

/** The built-in protocols' own signs, by id. */
export const detectors: Readonly<Record<string, (signs: Signs) => Certainty>> = {
  'openai-chat': detectOpenAiChat,
  'openai-responses': detectOpenAiResponses,
  'agent-session': detectAgentSession,
  'agent-phase': detectAgentPhase,
  'deepchat-events': detectDeepchatEvents,
  'message-field': detectMessageField,
  'agentscope-msg': detectAgentscopeMsg,
  'ag-ui': detectAgUi,
  gemini: detectGemini,
  ollama: detectOllama,
  dify: detectDify,
  langflow: detectLangflow,
  flowise: detectFlowise,
  n8n: detectN8n,
  coze: detectCoze,
  'openai-assistants': detectOpenAiAssistants,
  rasa: detectRasa,
  'ai-sdk': detectAiSdk,
  'ai-sdk-v4': detectAiSdkV4,
  'assistant-transport': detectAssistantTransport,
  anthropic: detectAnthropic,
  cohere: detectCohere,
  a2a: detectA2a,
  agentscope: detectAgentscope,
  langgraph: detectLanggraph,
  text: detectText,
  json: detectJson,
};
