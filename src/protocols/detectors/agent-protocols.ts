/** Detection of protocols that agent servers of several frameworks speak: AG-UI, AI SDK, A2A, LangGraph and others. */
import { isRecord, parseJson } from '../../model/json.ts';
import type { Certainty, DetectionInput } from '../core/adapter.ts';
import { byPath, hasEvent, isOneOf, whenAnyFrame } from './match-frames.ts';

/** The kinds of AG-UI events, each with a field that it must have. AgentScope's events of the same kinds have a `reply_id`. */
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
export const detectAgUi = (input: DetectionInput): Certainty => {
  const frameCertainty = whenAnyFrame((frame) => {
    // An event of TanStack AI may be in an envelope with its id.
    const json = isRecord(frame['chunk']) ? frame['chunk'] : frame;
    const { type } = json;
    const field = typeof type === 'string' && agUiFields.find(([kinds]) => kinds.test(type))?.[1];
    return Boolean(field) && json[field || ''] !== undefined && !('reply_id' in json || 'replyId' in json);
  })(input);
  if (frameCertainty === 'sure') return 'sure';
  // A run that fails before it starts sends only this event.
  const failureCertainty = whenAnyFrame(({ type, message }) => type === 'RUN_ERROR' && typeof message === 'string')(
    input,
  );
  if (input.ended && failureCertainty === 'sure') return 'maybe';
  return /\/(?:ag-?ui|copilotkit)\/?$/i.test(input.url.pathname) ? 'maybe' : 'no';
};

/**
 * Event kinds with a field that no other protocol has. The events of assistant-ui (protocol `assistant-transport`) look
 * similar, but have a `path`.
 */
const aiSdkFields: readonly (readonly [RegExp, string])[] = [
  [/^(?:text|reasoning)-(?:start|delta|end)$/, 'id'],
  [/^tool-(?:input|output|approval)-/, 'toolCallId'],
  [/^data-./, 'data'],
  [/^source-(?:url|document)$/, 'sourceId'],
  [/^message-metadata$/, 'messageMetadata'],
  [/^(?:start|finish|reset)-step$/, 'type'],
];
const isStartField = isOneOf('type', 'messageId', 'messageMetadata');
export const detectAiSdk = (input: DetectionInput): Certainty => {
  if (input.headers.has('x-vercel-ai-ui-message-stream')) return 'sure';
  const frameCertainty = whenAnyFrame((json, { event }) => {
    const { type, path } = json;
    if (typeof type !== 'string' || path !== undefined || event !== undefined) return false;
    if (type === 'start') return Object.keys(json).every(isStartField);
    const field = aiSdkFields.find(([kinds]) => kinds.test(type))?.[1];
    return field !== undefined && json[field] !== undefined;
  })(input);
  if (frameCertainty === 'sure') return 'sure';
  const errorCertainty = whenAnyFrame(({ type, errorText }) => type === 'error' && typeof errorText === 'string')(
    input,
  );
  return input.ended && errorCertainty === 'sure' ? 'maybe' : 'no';
};

/**
 * The lines of AI SDK 4 are `CODE:JSON`. For each code, this checks the value, because plain text may also start with a digit
 * and a colon.
 */
const dataLines: readonly (readonly [RegExp, (value: unknown) => boolean])[] = [
  [/^[0g]$/, (value) => typeof value === 'string'],
  [/^(?:[28]|aui-state)$/, Array.isArray],
  [/^(?:[9a-fh-k]|aui-[a-z-]+)$/, isRecord],
];
export const detectAiSdkV4 = ({ headers, frames, ended }: DetectionInput): Certainty => {
  if (headers.has('x-vercel-ai-data-stream')) return 'sure';
  const lines = frames.map(({ data }) => /^([0-9a-k]|aui-[a-z-]+):(.*)$/s.exec(data) ?? []);
  const isData = ([, code = '', value = '']: readonly string[]): boolean =>
    dataLines.some(([codes, fits]) => codes.test(code) && fits(parseJson(value)));
  if (lines.some(isData)) return 'sure';
  return ended && lines.some(([, code, value = '']) => code === '3' && typeof parseJson(value) === 'string')
    ? 'maybe'
    : 'no';
};

const isTransportEvent = isOneOf('part-start', 'part-finish', 'text-delta', 'result', 'tool-call-args-text-finish');
export const detectAssistantTransport = whenAnyFrame(
  ({ type, path, part, messageId, operations }) =>
    (Array.isArray(path) && isTransportEvent(type)) ||
    (type === 'part-start' && isRecord(part)) ||
    (type === 'step-start' && typeof messageId === 'string') ||
    (type === 'update-state' && Array.isArray(operations)),
);

const a2aKinds = isOneOf('task', 'message', 'status-update', 'artifact-update');
const isA2aResult = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const named = ['task', 'message', 'statusUpdate', 'artifactUpdate'].filter((name) => isRecord(value[name]));
  return named.length === 1 || (named.length === 0 && a2aKinds(value['kind']));
};
/** Over plain HTTP there is no JSON-RPC envelope; then the ids are required. */
export const detectA2a = (input: DetectionInput): Certainty => {
  const frameCertainty = whenAnyFrame((json) => {
    if (json['jsonrpc'] !== undefined) return isA2aResult(json['result']);
    const { task, message, statusUpdate, artifactUpdate } = json;
    const inner = [task, message, statusUpdate, artifactUpdate].filter(isRecord);
    const one = inner.length === 1 && Object.keys(json).length === 1 ? inner[0] : undefined;
    return one !== undefined && ['taskId', 'contextId'].some((name) => typeof one[name] === 'string');
  })(input);
  if (frameCertainty === 'sure') return 'sure';
  const { ended, frames, headers, url } = input;
  const isRpcError = frames.some(({ json }) => isRecord(json) && json['jsonrpc'] === '2.0' && isRecord(json['error']));
  // Perhaps an A2A endpoint that refuses anything but JSON-RPC. Responses of MCP servers have a session header.
  if (ended && isRpcError && !headers.has('mcp-session-id')) return 'maybe';
  const ownPath = /\/\.well-known\/agent(?:-card)?\.json$|\/message:(?:stream|send)$/;
  return ownPath.test(url.pathname) ? 'maybe' : 'no';
};

/** Each event has its author and the id of its run. Vertex AI writes the field names in snake case. */
export const detectAdk = byPath(
  /\/(?:run_sse|list-apps)\/?$|\/reasoningEngines\/[^/]+:(?:streamQ|q)uery$/,
  whenAnyFrame(
    ({ author, invocationId, invocation_id, actions, content }) =>
      typeof author === 'string' &&
      typeof (invocationId ?? invocation_id) === 'string' &&
      (isRecord(actions) || isRecord(content)),
  ),
);

/** LangGraph's first event. Streams of LangServe, LangChain's older server, start in the same way, but have `data` events. */
const isRunMetadata = (event: string | undefined, json: unknown): boolean =>
  event === 'metadata' && isRecord(json) && typeof json['run_id'] === 'string';
/** The event name is a stream mode, possibly with a subgraph path. The data must match the mode. */
const langgraphModes = /^(?:messages(?:\/(?:partial|complete|metadata))?|values|updates|custom)(?:\||$)/;
export const detectLanggraph = ({ frames, headers, url }: DetectionInput): Certainty => {
  const hasRunLocation = /\/runs\/[^/]+(?:\/stream)?\/?$/.test(headers.get('content-location') ?? '');
  const isCertain = frames.some(({ event = '', json }) => {
    // The newer event stream wraps each event with its method and parameters.
    if (isRecord(json) && json['type'] === 'event')
      return typeof json['method'] === 'string' && isRecord(json['params']);
    if (isRunMetadata(event, json)) return hasRunLocation;
    if (!langgraphModes.test(event)) return false;
    return event.startsWith('messages') ? typeof json === 'object' : isRecord(json);
  });
  if (isCertain) return 'sure';
  const hasMetadata = frames.some(({ event, json }) => isRunMetadata(event, json));
  if (hasMetadata && frames.every(({ event }) => event !== 'data')) return 'maybe';
  return /\/(?:runs\/stream|stream\/events)\/?$/.test(url.pathname) ? 'maybe' : 'no';
};

export const detectOpenAiAssistants = byPath(
  /\/v1\/threads\/(?:[^/]+\/)?runs\/?$/,
  hasEvent(/^thread\.(?:created|run|message)/),
);
