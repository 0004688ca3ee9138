/** Builds the requests to AgentScope's servers. Source: `docs/protocols/agentscope.md`; agentscope-ai/agentscope-runtime. */
import type { AssistantMessageBlock, BlockOf, Media, ToolCall } from '../../model/blocks.ts';
import type { Answer, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { resultWithEdit } from '../shared/edited-arguments.ts';
import { isInline, sentFiles, toDataUrl } from '../shared/files/sent-files.ts';
import { surfaceActionOf, toActionMessage, type SurfaceAction } from '../shared/a2ui-messages.ts';
import { systemText } from '../shared/system-text.ts';
import { newestMetadata } from '../shared/last-metadata.ts';
import { denySharedIds } from '../core/deny-shared-ids.ts';
import { cardOf, isShownCall } from '../core/shown-call.ts';
import { asJson } from './agentscope-2-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** The session that a request uses. */
export interface SessionState {
  readonly session: string;
}

/** The request to the Runtime, which stores the session, so only new input is sent. */
export function runtimeRequest(turn: Turn, options: RequestOptions): WireRequest<SessionState> {
  const { url, headers = {}, model, tools = [] } = options;
  const session = newestMetadata(turn.messages, 'sessionId') ?? turn.threadId;
  const dialect = newestMetadata(turn.messages, 'dialect');
  const input = (dialect && turn.text === '' ? answerEvents(turn)[0] : undefined) ?? runtimeInput(turn, options);
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        input,
        session_id: session,
        stream: true,
        ...(model !== undefined && { model }),
        ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
      },
    },
  };
}

function runtimeInput(turn: Turn, options: RequestOptions): readonly Json[] {
  const text = (value: string): Json => ({ type: 'text', text: value });
  const data = (type: string, role: string, value: Json): Json => ({
    role,
    type,
    content: [{ type: 'data', data: value }],
  });
  if (turn.answers.length > 0) {
    return denySharedIds(turn.answers).map(({ extra, decision, payload, note }) =>
      data('mcp_approval_response', 'user', {
        approval_request_id: extra?.['requestId'],
        approve: typeof payload === 'boolean' ? payload : decision === 'granted',
        ...(note !== undefined && { reason: note }),
      }),
    );
  }
  const results = clientResults(turn);
  if (turn.text === '' && results.length > 0) {
    return results.map(({ call }) =>
      data('function_call_output', 'tool', { call_id: call.id, name: call.name, output: call.response ?? '' }),
    );
  }
  const system = systemText(options);
  const surfaceAction = turn.text === '' ? undefined : surfaceActionOf(turn.messages);
  const content = [
    ...(turn.text ? [text(turn.text)] : []),
    ...(surfaceAction
      ? [{ type: 'data', data: { ...toActionMessage(surfaceAction), ...dataModelOf(surfaceAction) } }]
      : []),
    ...sentFiles(turn).map(toRuntimeContent),
  ];
  return [
    ...(system ? [{ role: 'system', type: 'message', content: [text(system)] }] : []),
    { role: 'user', type: 'message', content },
  ];
}

const dataModelOf = ({ dataModel }: SurfaceAction): Json => (dataModel ? { a2uiClientDataModel: dataModel } : {});

function toRuntimeContent(file: Media): Json {
  const url = isInline(file) ? toDataUrl(file) : file.url;
  const format = file.mimeType?.split('/')[1];
  switch (file.kind) {
    case 'image':
      return { type: 'image', image_url: url };
    case 'audio':
      return { type: 'audio', data: url, ...(format !== undefined && { format }) };
    case 'video':
      return { type: 'video', video_url: url };
    case 'file':
      return { type: 'file', file_url: url, ...(file.name !== undefined && { filename: file.name }) };
  }
}

/** URLs and session of an AgentScope 2 server. */
export interface AgentScopeServer {
  readonly agent: string;
  readonly session: string | undefined;
  urlOf(path: string): string;
  /** Opens the session's event stream. */
  streamRequest(session: string): WireRequest<SessionState>;
}

const STREAM = /\/sessions\/([^/]+)\/stream\/?$/;
const CHAT = /\/chat\/?$/;

/**
 * Reads an endpoint of AgentScope 2: a session's stream or its chat URL. The agent's id is in the URL or in the page's
 * `body`.
 */
export function parseAgentScopeEndpoint(
  { messages }: Turn,
  { url, headers = {}, body = {} }: Pick<RequestOptions, 'url' | 'headers' | 'body'>,
): AgentScopeServer | undefined {
  const endpoint = new URL(url);
  const parameter = (name: string): string | undefined => {
    const value = endpoint.searchParams.get(name) ?? body[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const agent = parameter('agent_id');
  const stream = STREAM.exec(endpoint.pathname);
  if (agent === undefined || (!stream && !CHAT.test(endpoint.pathname))) return undefined;
  const base = endpoint.pathname.replace(stream ? STREAM : CHAT, '');
  const at = (path: string): string => {
    const address = new URL(endpoint);
    address.pathname = `${base}/${path}`;
    address.searchParams.delete('session_id');
    address.searchParams.set('agent_id', agent);
    return address.href;
  };
  const sessionId = parameter('session_id') ?? newestMetadata(messages, 'sessionId');
  return {
    agent,
    session: stream?.[1] ?? (sessionId === undefined ? undefined : pathSegment(sessionId)),
    urlOf: at,
    streamRequest: (session) => ({
      url: at(`sessions/${session}/stream`),
      init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
    }),
  };
}

/** A repeated request uses the session that the first one has created. */
export async function nativeRequest(
  turn: Turn,
  options: RequestOptions & { readonly providerState?: SessionState | undefined },
): Promise<WireRequest<SessionState>> {
  const server = parseAgentScopeEndpoint(turn, options);
  if (!server) return runtimeRequest(turn, options);
  const { headers = {}, ask, providerState } = options;
  const post = (path: string, body: Json): WireRequest => ({
    url: server.urlOf(path),
    init: { method: 'POST', headers, body },
  });
  const createSession = async (): Promise<string> => {
    const { json } = await ask(post('sessions/', { agent_id: server.agent }));
    const created = isRecord(json) ? json['session_id'] : undefined;
    return pathSegment(typeof created === 'string' ? created : turn.threadId);
  };
  const known = server.session ?? (providerState && pathSegment(providerState.session));
  const session = known ?? (await createSession());
  const sessionId = decodeURIComponent(session);
  const chat = (input: unknown): WireRequest => post('chat/', { agent_id: server.agent, session_id: sessionId, input });
  const events = turn.text === '' ? answerEvents(turn) : [];
  // A request accepts one event. There are several if more than one agent of the team has asked.
  for (const event of events.slice(0, -1)) await ask(chat(event));
  const last = events.at(-1);
  return {
    ...server.streamRequest(session),
    trigger: chat(last ?? userMsg(turn, options)),
    providerState: { session: sessionId },
  };
}

const userMsg = (turn: Turn, { context }: RequestOptions): Json => ({
  name: 'user',
  role: 'user',
  content: [
    ...(turn.text ? [{ type: 'text', text: turn.text }] : []),
    ...sentFiles(turn).map((file) => {
      const media_type = file.mimeType ?? (file.kind === 'file' ? 'application/octet-stream' : `${file.kind}/*`);
      const source = isInline(file)
        ? { type: 'base64', data: file.data, media_type }
        : { type: 'url', url: file.url, media_type };
      return { type: 'data', source, ...(file.name !== undefined && { name: file.name }) };
    }),
  ],
  ...(context !== undefined && context !== null && { metadata: { context } }),
});

/** The user's decisions and the results of the page's tools, as the events that a waiting reply expects. */
function answerEvents(turn: Turn): readonly Json[] {
  const isJava = newestMetadata(turn.messages, 'dialect') === 'java';
  if (turn.answers.length > 0) {
    const replies = Map.groupBy(turn.answers, ({ extra }) => extraText(extra, 'replyId'));
    return [...replies].map(([reply, answers]) => {
      const results = denySharedIds(answers, ({ extra }) => callOf(extra)['id']).map((answer) =>
        confirmResult(answer, turn, isJava),
      );
      return isJava
        ? { type: 'USER_CONFIRM_RESULT', replyId: reply, confirmResults: results }
        : { type: 'USER_CONFIRM_RESULT', reply_id: reply, confirm_results: results };
    });
  }
  const results = clientResults(turn);
  const reply = newestMetadata(turn.messages, 'replyId') ?? '';
  if (results.length === 0) return [];
  const blocks = results.map(({ call, failed }) => ({
    type: 'tool_result',
    id: call.id,
    name: call.name,
    output: isJava ? [{ type: 'text', text: call.response ?? '' }] : (call.response ?? ''),
    state: failed ? 'error' : 'success',
  }));
  return isJava
    ? [{ type: 'EXTERNAL_EXECUTION_RESULT', replyId: reply, toolResults: blocks }]
    : [{ type: 'EXTERNAL_EXECUTION_RESULT', reply_id: reply, execution_results: blocks }];
}

const extraText = (extra: Answer['extra'], name: string): string => {
  const value = extra?.[name];
  return typeof value === 'string' ? value : '';
};

/** The call as the server sent it. */
function callOf(extra: Answer['extra']): Json {
  const call = parseJson(extraText(extra, 'toolCall'));
  return isRecord(call) ? call : {};
}

/** Returns the call as the server sent it, with the arguments that the user has changed. */
function confirmResult(answer: Answer, turn: Turn, isJava: boolean): Json {
  const { extra, decision, payload, arguments: changed } = answer;
  const block = callOf(extra);
  const edited = typeof changed === 'string' && isJava ? parseJson(changed) : changed;
  const input = isJava || typeof edited === 'string' ? edited : JSON.stringify(edited);
  const call = changed === undefined ? block : { ...block, input };
  const isConfirmed = typeof payload === 'boolean' ? payload : decision === 'granted';
  // The server runs the call in the answer. A stored one may be another than the card shows.
  const confirmed = isConfirmed && isShownCall(cardOf(answer, turn), block['name'], asJson(block['input']));
  return { confirmed, [isJava ? 'toolCall' : 'tool_call']: call, rules: null };
}

const withResult = (block: BlockOf<'tool_call'>, blocks: readonly AssistantMessageBlock[]): ToolCall => {
  const response = resultWithEdit(block, blocks);
  return { ...block.tool_call, ...(response !== undefined && { response }) };
};

/** The calls that the page runs, with their results. */
function clientResults({ messages }: Turn): readonly { readonly call: ToolCall; readonly failed: boolean }[] {
  const reply = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const clientCalls = reply.findLast(({ metadata }) => Array.isArray(metadata?.['clientCalls']))?.metadata?.[
    'clientCalls'
  ];
  const ids = new Set(Array.isArray(clientCalls) ? (clientCalls as unknown[]) : []);
  return reply.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.type === 'tool_call' && ids.has(block.tool_call.id) && block.status !== 'loading'
        ? [{ call: withResult(block, blocks), failed: block.status === 'error' }]
        : [],
    ),
  );
}
