/** What AgentScope's servers are sent. Source: `agentscope.md`, A ("Request") and B ("Answers"). */
import type { Media } from '../../model/blocks.ts';
import type { ToolCall } from '../../model/blocks.ts';
import type { Answer, RequestOptions, Turn, WireRequest } from '../adapter.ts';
import { segment } from '../shared/beside-url.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { isInline, sentFiles, toDataUrl } from '../shared/sent-files.ts';
import { systemText } from '../shared/system-text.ts';
import { toldBefore } from '../shared/told-before.ts';

type Json = Readonly<Record<string, unknown>>;

/** The Runtime keeps the session: what is new is enough. */
export function runtimeRequest(turn: Turn, options: RequestOptions): WireRequest {
  const { url, headers = {}, model, tools = [] } = options;
  const session = toldBefore(turn.messages, 'sessionId') ?? turn.threadId;
  const native = toldBefore(turn.messages, 'dialect');
  const input = (native && turn.text === '' ? answerEvents(turn)[0] : undefined) ?? runtimeInput(turn, options);
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
  const text = (words: string): Json => ({ type: 'text', text: words });
  const data = (type: string, role: string, value: Json): Json => ({
    role,
    type,
    content: [{ type: 'data', data: value }],
  });
  if (turn.answers.length > 0) {
    return turn.answers.map(({ extra, decision, payload, note }) =>
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
  const content = [...(turn.text ? [text(turn.text)] : []), ...sentFiles(turn).map(toRuntimeContent)];
  return [
    ...(system ? [{ role: 'system', type: 'message', content: [text(system)] }] : []),
    { role: 'user', type: 'message', content },
  ];
}

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

/** A server of AgentScope 2: its session, and the addresses around it. */
export interface NativePlace {
  readonly agent: string;
  readonly session: string | undefined;
  at(path: string): string;
  /** Opens the session's event stream. */
  stream(session: string): WireRequest;
}

const STREAM = /\/sessions\/([^/]+)\/stream\/?$/;
const CHAT = /\/chat\/?$/;

/** An endpoint of AgentScope 2: a session's stream, or its chat. The agent's id stands in the address or in the page's body. */
export function nativePlaceOf(
  { messages }: Turn,
  { url, headers = {}, body = {} }: Pick<RequestOptions, 'url' | 'headers' | 'body'>,
): NativePlace | undefined {
  const endpoint = new URL(url);
  const given = (name: string): string | undefined => {
    const value = endpoint.searchParams.get(name) ?? body[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const agent = given('agent_id');
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
  const named = given('session_id') ?? toldBefore(messages, 'sessionId');
  return {
    agent,
    session: stream?.[1] ?? (named === undefined ? undefined : segment(named)),
    at,
    stream: (session) => ({
      url: at(`sessions/${session}/stream`),
      init: { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
    }),
  };
}

export async function nativeRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const place = nativePlaceOf(turn, options);
  if (!place) return runtimeRequest(turn, options);
  const { headers = {}, ask } = options;
  const post = (path: string, body: Json): WireRequest => ({
    url: place.at(path),
    init: { method: 'POST', headers, body },
  });
  let { session } = place;
  if (session === undefined) {
    const { json } = await ask(post('sessions/', { agent_id: place.agent }));
    const made = isRecord(json) ? json['session_id'] : undefined;
    session = typeof made === 'string' ? segment(made) : segment(turn.threadId);
  }
  const chat = (input: unknown): WireRequest =>
    post('chat/', { agent_id: place.agent, session_id: decodeURIComponent(session), input });
  const events = turn.text === '' ? answerEvents(turn) : [];
  // One request takes one event, and another agent of the team may have asked too.
  for (const event of events.slice(0, -1)) await ask(chat(event));
  const last = events.at(-1);
  return { ...place.stream(session), trigger: chat(last ?? userMsg(turn, options)) };
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

/** What the reader has decided and the page's tools have given, as the events that a parked reply waits for. */
function answerEvents(turn: Turn): readonly Json[] {
  const java = toldBefore(turn.messages, 'dialect') === 'java';
  if (turn.answers.length > 0) {
    const replies = Map.groupBy(turn.answers, ({ extra }) => extraText(extra, 'replyId'));
    return [...replies].map(([reply, answers]) => {
      const results = answers.map((answer) => confirmResult(answer, java));
      return java
        ? { type: 'USER_CONFIRM_RESULT', replyId: reply, confirmResults: results }
        : { type: 'USER_CONFIRM_RESULT', reply_id: reply, confirm_results: results };
    });
  }
  const results = clientResults(turn);
  const reply = toldBefore(turn.messages, 'replyId') ?? '';
  if (results.length === 0) return [];
  const blocks = results.map(({ call, failed }) => ({
    type: 'tool_result',
    id: call.id,
    name: call.name,
    output: java ? [{ type: 'text', text: call.response ?? '' }] : (call.response ?? ''),
    state: failed ? 'error' : 'success',
  }));
  return java
    ? [{ type: 'EXTERNAL_EXECUTION_RESULT', replyId: reply, toolResults: blocks }]
    : [{ type: 'EXTERNAL_EXECUTION_RESULT', reply_id: reply, execution_results: blocks }];
}

const extraText = (extra: Answer['extra'], name: string): string => {
  const value = extra?.[name];
  return typeof value === 'string' ? value : '';
};

/** The call goes back as it came, with the arguments that the reader has changed. */
function confirmResult({ extra, decision, payload, arguments: changed }: Answer, java: boolean): Json {
  const kept = parseJson(extraText(extra, 'toolCall'));
  const block = isRecord(kept) ? kept : {};
  const edited = typeof changed === 'string' && java ? parseJson(changed) : changed;
  const input = java || typeof edited === 'string' ? edited : JSON.stringify(edited);
  const call = changed === undefined ? block : { ...block, input };
  const confirmed = typeof payload === 'boolean' ? payload : decision === 'granted';
  return { confirmed, [java ? 'toolCall' : 'tool_call']: call, rules: null };
}

/** The calls that were left to the page, with what they gave. */
function clientResults({ messages }: Turn): readonly { readonly call: ToolCall; readonly failed: boolean }[] {
  const reply = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const told = reply.findLast(({ metadata }) => Array.isArray(metadata?.['clientCalls']))?.metadata?.['clientCalls'];
  const ids = new Set(Array.isArray(told) ? (told as unknown[]) : []);
  return reply.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.type === 'tool_call' && ids.has(block.tool_call.id) && block.status !== 'loading'
        ? [{ call: block.tool_call, failed: block.status === 'error' }]
        : [],
    ),
  );
}
