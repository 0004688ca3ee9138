/** How the servers of agents are told. */
import { isRecord, parseJson } from '../../model/json.ts';
import type { Certainty, Signs } from '../adapter.ts';
import { byPath, hasEvent, isOneOf, whenAnyFrame } from './signs.ts';

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

export const detectOpenAiAssistants = byPath(
  /\/v1\/threads\/(?:[^/]+\/)?runs\/?$/,
  hasEvent(/^thread\.(?:created|run|message)/),
);
