/**
 * DeepChat strong-typed events (`deepchat-events`) of either layer: a model's core events or an agent's events. Source:
 * `docs/protocols/deepchat-events.md`.
 */
import {
  llmAgentEventData,
  mcpContent,
  toolCallState,
  type LLMAgentEvent,
  type LLMAgentEventData,
} from '../../model/events/agent-events.ts';
import { appendArguments } from '../../model/canonical-arguments.ts';
import { llmCoreStreamEvent, stopReason } from '../../model/events/core-event-schema.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import { agentContentsOf } from '../../model/exchange/agent-contents.ts';
import { confirmationAnswers, withConfirmations } from '../../model/exchange/confirmations.ts';
import { agentResponse, messageTypeOf, type AgentMessage } from '../../model/agent-message.ts';
import type { ChatMessage } from '../../model/message.ts';
import { makeResponseEvents } from '../../model/exchange/response-events.ts';
import { mimeTypeOfDataUrl, withoutDataUrl } from '../../model/text/without-data-url.ts';
import type { Frame } from '../../transport/frame.ts';
import { z } from '../../model/schema.ts';
import { asText } from '../shared/as-text.ts';
import { historyWithSystem } from '../shared/sent-history.ts';
import { denySharedIds } from '../core/deny-shared-ids.ts';
import { endEvents, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { fit, withoutNulls, type JsonFrame } from '../core/read-frames.ts';
import { makeTextFrameReader, type FrameText } from '../shared/fast-text-frames.ts';
import { makeModelRounds } from '../shared/model-rounds.ts';
import { surfaceActionOf, toActionMessage } from '../shared/a2ui-messages.ts';
import type { MCPToolDefinition, ToolSpec } from '../../model/agent.ts';
import type { Adapter, AdapterEvent, Answer, Report, Turn } from '../core/adapter.ts';

const wireData = z.object({
  ...llmAgentEventData.shape,
  // Newer servers send undocumented states. An unknown state must not lose the text that came with it.
  tool_call: z.exactOptional(z.string()),
  // Newer servers also send the outcome of a call that has ended.
  tool_call_status: z.exactOptional(z.catch(z.string(), '')),
  tool_call_params: z.exactOptional(z.pipe(z.unknown(), z.transform(asText))),
  tool_call_response: z.exactOptional(z.pipe(z.unknown(), z.transform(toResponse))),
});
const agentLayer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('response'), data: wireData }),
  z.object({
    type: z.literal('error'),
    data: z.object({
      eventId: z.string(),
      error: z.string(),
      code: z.exactOptional(z.string()),
      recoverable: z.exactOptional(z.boolean()),
    }),
  }),
  z.object({
    type: z.literal('end'),
    data: z.object({
      eventId: z.string(),
      userStop: z.pipe(
        z.optional(z.boolean()),
        z.transform((stop): boolean => stop === true),
      ),
    }),
  }),
]);

/** A response of an agent, in the format of the DeepChat document. Only some of its fields are needed for rendering. */
const wireResponse = z.object({
  id: z.catch(z.string(), ''),
  agentId: z.string(),
  // An unknown type must not lose the contents.
  type: z.catch(agentResponse.shape.type, 'text'),
  status: z.catch(z.string(), ''),
  // A server may add contents of its own.
  content: z.looseObject(agentResponse.shape.content.shape),
  metadata: z.catch(agentResponse.shape.metadata, {}),
});
const isWireResponse = (json: unknown): json is Readonly<Record<string, unknown>> & { readonly content: object } =>
  isRecord(json) && typeof json['agentId'] === 'string' && isRecord(json['content']) && json['data'] === undefined;

export const adapter: Adapter = {
  id: 'deepchat-events',
  label: 'DeepChat events',
  kind: 'agent',
  accepts: 'all',

  request(turn, { url, headers = {}, agent, tools = [], ...options }) {
    const results = resultsOf(turn, tools);
    const history = historyWithSystem(turn, options);
    const newest = history.findLast(({ role }) => role === 'user');
    const surfaceAction = turn.text === '' ? undefined : surfaceActionOf(turn.messages);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream, application/x-ndjson', ...headers },
        body: {
          messages: history.flatMap((message) =>
            toAgentMessages(
              message === newest && agent ? { ...message, agentId: message.agentId || agent } : message,
              turn.answers,
            ),
          ),
          ...(turn.answers.length > 0 && { permissions: toDecisions(turn.answers) }),
          ...(tools.length > 0 && { tools: tools.map(toMcpTool) }),
          ...(results.length > 0 && { tool_results: results }),
          ...(surfaceAction && { ui_action: toActionMessage(surfaceAction) }),
          ...(surfaceAction?.dataModel && { ui_data_model: surfaceAction.dataModel }),
        },
      },
    };
  },

  // Sends only the decisions. An agent that keeps its stream open continues in that stream.
  respond: (turn, { url, headers = {} }) => ({
    url,
    init: { method: 'POST', headers, body: { permissions: toDecisions(turn.answers) } },
  }),

  async *decode(batches, { eventId, report, turn, tools }) {
    const read = makeTextFrameReader(textOf, report);
    const addCallArguments = makeArgumentAdder(turn);
    // Whether the model has reported an error. A `stop` with `complete` after it only closes the stream.
    let failed = false;
    const responses = makeResponseReader(eventId);
    const rounds = makeModelRounds(eventId, tools);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const item of read(batch)) {
        if ('text' in item) {
          events.push(textEvent(item));
          continue;
        }
        const { frame } = item;
        if (isWireResponse(item.json)) {
          const content = withoutNullFields(item.json.content);
          const response = await fitOrRepair(wireResponse, { ...item.json, content }, frame, report);
          if (response) events.push(...responses.read(response));
          continue;
        }
        const json = withAgentData(withEventName(item), eventId);
        if (!isRecord(json) || !isRecord(json['data'])) {
          // The schema drops fields that it does not define, so fields of another event type are not passed on.
          const core = await fitOrRepair(llmCoreStreamEvent, withKnownReason(normalizeFields(json)), frame, report);
          if (core?.type === 'stop' && isRecord(json))
            events.push(...endEvents(endOf(json, failed ? 'error' : core.stop_reason), eventId));
          else if (core) events.push(core, ...resultOf(core, json, eventId));
          failed ||= core?.type === 'error';
          continue;
        }
        const event = await fitOrRepair(agentLayer, { ...json, data: normalizeFields(json['data']) }, frame, report);
        if (event?.type === 'response') {
          const shown = withoutComputed(addCallArguments(withKnownState(event.data, frame, report)));
          events.push({ type: 'response', data: shown });
        } else if (event) events.push(event);
      }
      yield events.flatMap((event) => rounds.take(event));
    }
    yield [...rounds.end(), ...responses.end()];
  },
};

/** The data of an event, without a state of its call that is not known. That is reported. */
function withKnownState(
  { tool_call, tool_call_status: status, ...data }: z.infer<typeof wireData>,
  frame: Frame,
  report: Report,
): LLMAgentEventData {
  const hasFailed = tool_call === 'end' && isFailure(status);
  const state = toolCallState.safeParse(hasFailed ? 'error' : tool_call);
  if (tool_call !== undefined && !state.success)
    report({ kind: 'unknown', detail: `Unknown tool call state "${tool_call}".`, frame });
  return { ...withoutAgent(data), ...(state.success && { tool_call: state.data }) };
}

/** Validates an event. What its schema refuses is repaired in a module of its own, because it is rare. */
async function fitOrRepair<Schema extends z.ZodMiniType>(
  schema: Schema,
  json: unknown,
  frame: Frame,
  report: Report,
): Promise<z.infer<Schema> | undefined> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const module = await import('./repair.ts').catch(() => undefined);
  return (module?.repair ?? fit)(schema, json, frame, report);
}

/**
 * Reads the responses of agents. The reply ends with the body. If the last response is still `pending` or `streaming`, it was
 * cut off.
 */
function makeResponseReader(eventId: string) {
  const toEvents = makeResponseEvents(eventId);
  let last: z.infer<typeof wireResponse> | undefined;
  let message = 0;
  let failed = false;
  return {
    read(response: z.infer<typeof wireResponse>): readonly LLMAgentEvent[] {
      const { agentId, status } = response;
      // Each change of the speaker starts a message, so that everything is rendered in order.
      if (last?.agentId !== agentId) {
        message++;
        // Another agent has continued.
        failed = false;
      }
      last = response;
      // Not stored as the author's `agentId`: that is an agent of the page, which receives answers and ratings.
      const sender = { id: `${eventId}:${agentId}:${String(message)}`, name: agentId };
      const known = OPEN_STATUSES.has(status) ? 'streaming' : status === 'error' ? 'error' : 'complete';
      const events = toEvents({ ...response, status: known }, sender).map(withRequestId);
      failed ||= events.some(({ type }) => type === 'error');
      return events;
    },
    end(): readonly LLMAgentEvent[] {
      // A response that asks for a confirmation is complete, although its status is `pending`.
      if (!last || (OPEN_STATUSES.has(last.status) && !last.content.confirmation)) return [];
      return [{ type: 'response', data: { eventId, finish: failed ? 'error' : 'complete' } }];
    },
  };
}
const OPEN_STATUSES: ReadonlySet<string> = new Set(['pending', 'streaming']);

/** Converts the confirmation in a response to a question. The server identifies it by the id of the response. */
function withRequestId(event: LLMAgentEvent): LLMAgentEvent {
  if (event.type !== 'response') return event;
  const { agent_response, ...data } = event.data;
  const confirmation = agent_response?.content.confirmation;
  if (!confirmation) return event;
  const { message: content, options = [], type } = confirmation;
  const baseAction = { action_type: 'confirmation', content, options: options.map((label) => ({ label })) } as const;
  return {
    type: 'response',
    data: { ...data, ask: baseAction, request: { id: agent_response.id, extra: { kind: type } } },
  };
}

const withoutNullFields = (content: object): unknown => {
  const fields = withoutNulls(content);
  if (!isRecord(fields)) return fields;
  const { data } = fields;
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withoutNulls(field)])),
    ...(isRecord(data) && { data: normalizeData(data) }),
  };
};

/** The `content` may be anything, also null. The document does not define `visualization`: a string is taken as its type. */
const normalizeData = (data: Readonly<Record<string, unknown>>): unknown => {
  const { content, visualization } = data;
  return {
    ...(withoutNulls(data) as object),
    ...(content === null && { content }),
    ...(typeof visualization === 'string' && { visualization: { type: visualization } }),
  };
};

/** The name and the arguments of a call. */
interface KnownCall {
  readonly name?: string | undefined;
  readonly params: string;
}

/**
 * In this format a permission request has no arguments. This adds those of the open call, because the user must see what
 * they decide about. A call that is known only from its permission request gets its name from there.
 */
function makeArgumentAdder({ messages }: Turn): (data: LLMAgentEventData) => LLMAgentEventData {
  const open = new Map<string, KnownCall>();
  // An agent and its sub-agents number their calls separately, so an id may occur twice.
  const keyOf = (id: string, parentId?: string): string => JSON.stringify([parentId, id]);
  const requestedCalls = new Map(requestedCallsIn(messages).map(([id, call]) => [keyOf(id), call]));
  return (data) => {
    const { tool_call: state, tool_call_id: id, tool_call_name: name, tool_call_params: chunk = '', parent } = data;
    if (!id) return data;
    const key = keyOf(id, parent?.tool_call_id);
    const known = open.get(key);
    const before = known && (!name || !known.name || known.name === name) ? known.params : '';
    const complete = data.tool_call_params_complete ?? (isCompleteText(before, chunk) ? chunk : undefined);
    if (state === 'start') {
      requestedCalls.delete(key);
      open.set(key, { name, params: complete ?? (chunk || before) });
      return data;
    }
    if (state === 'permission-required') {
      const params = chunk || (complete ?? known?.params ?? '');
      requestedCalls.set(key, { name: data.permission_request?.toolName ?? name, params });
      return chunk || complete !== undefined || !params ? data : { ...data, tool_call_params: params };
    }
    const isOpen = state === 'running' || state === 'update';
    if (!isOpen && state !== 'end' && state !== 'error') return data;
    const question = known || name ? undefined : requestedCalls.get(key);
    const params = complete ?? appendArguments(question?.params ?? before, chunk);
    if (isOpen) open.set(key, { name: name ?? known?.name ?? question?.name, params });
    else open.delete(key);
    requestedCalls.delete(key);
    if (question?.name) {
      return { ...data, tool_call_name: question.name, tool_call_params: '', tool_call_params_complete: params };
    }
    return complete === undefined ? data : { ...data, tool_call_params: '', tool_call_params_complete: complete };
  };
}

/** The calls of all permission requests so far. */
const requestedCallsIn = (messages: Turn['messages']): readonly (readonly [id: string, call: KnownCall])[] =>
  messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => {
      const { id, name, params = '' } = (block.type === 'action' && block.tool_call) || {};
      return id === undefined ? [] : [[id, { name, params }] as const];
    });

/** Whether a chunk repeats all arguments so far, as some servers do in each event. */
const isCompleteText = (before: string, chunk: string): boolean =>
  before.startsWith('{') &&
  chunk.length > before.length &&
  chunk.startsWith(before) &&
  // `{"a":` and `{"a":1}}` are chunks of one nested object.
  (parseJson(chunk) !== undefined || parseJson(before + chunk) === undefined);

/** Removes the `agentId`. It is that of an agent in the page, which receives answers and ratings: a stream must not set it. */
function withoutAgent<Data extends Pick<LLMAgentEventData, 'message'>>(data: Data): Data {
  if (data.message?.agentId === undefined) return data;
  const { agentId: _, ...message } = data.message;
  return { ...data, message };
}

/**
 * Removes fields of a question that only the widget may set: with them a server could make it treat text as the answer to a
 * form. It also disables the editor for arguments: a decision has none in this format, so changes would be lost.
 */
function withoutComputed(data: LLMAgentEventData): LLMAgentEventData {
  const { request } = data;
  if (!request?.extra) return data;
  const { needsChoice: _choice, schema: _form, ...extra } = request.extra;
  return {
    ...data,
    request: { ...request, extra: { ...extra, ...(extra['editable'] !== undefined && { editable: false }) } },
  };
}

/** Returns the text and the event id of an event that contains nothing else. Nearly all events are like this. */
function textOf(json: unknown): FrameText<{ readonly eventId?: string }> | undefined {
  if (!isRecord(json)) return undefined;
  const { type, content, data } = json;
  if (type === 'text' && data === undefined && typeof content === 'string') return { text: content, fields: {} };
  if (type !== 'response' || !isRecord(data)) return undefined;
  const { eventId, content: text } = data;
  if (typeof eventId !== 'string' || typeof text !== 'string') return undefined;
  for (const name in data) if (name !== 'eventId' && name !== 'content') return undefined;
  return { text, fields: { eventId } };
}

const textEvent = ({ text, fields: { eventId } }: FrameText<{ readonly eventId?: string }>): AdapterEvent =>
  eventId === undefined ? createStreamEvent.text(text) : { type: 'response', data: { eventId, content: text } };

/** Newer servers send other stop reasons, some of which are known from other protocols. */
const endOf = (json: Readonly<Record<string, unknown>>, fallback: ReplyEnd): ReplyEnd =>
  (typeof json['stop_reason'] === 'string' ? replyEnd(json['stop_reason']) : undefined) ?? fallback;

/** A stop reason outside of the schema counts as `complete`. */
const withKnownReason = (json: unknown): unknown =>
  isRecord(json) && json['type'] === 'stop' && !stopReason.safeParse(json['stop_reason']).success
    ? { ...json, stop_reason: 'complete' }
    : json;

/**
 * The result of a model's call. Newer servers that run the call themselves send it with the end of its arguments, and with a
 * status; without one it is a field of another event type.
 */
function resultOf(core: z.infer<typeof llmCoreStreamEvent>, json: unknown, eventId: string): readonly AdapterEvent[] {
  if (core.type !== 'tool_call_end' || !isRecord(json)) return [];
  const { tool_call_response: response, tool_call_status: status } = json;
  if (typeof status !== 'string') return [];
  const hasFailed = isFailure(status);
  const hasResponse = response !== undefined && response !== null;
  if (!hasResponse && !hasFailed) return [];
  const { tool_call_id } = core;
  const tool_call = hasFailed ? 'error' : 'end';
  const result = hasResponse ? { tool_call_response: toResponse(response) } : {};
  return [{ type: 'response', data: { eventId, tool_call, tool_call_id, tool_call_remote: true, ...result } }];
}

/** Whether this is the status of a call that has failed or was cancelled. */
const isFailure = (status: string | undefined): boolean =>
  replyEnd(status) === 'error' || replyEnd(status) === 'cancelled';

/** Events whose type is only in the name of their SSE event, as the document names its channels: the JSON is their data. */
const withEventName = ({ json, frame: { event } }: JsonFrame): unknown =>
  isRecord(json) && json['type'] === undefined && json['data'] === undefined && AGENT_EVENTS.has(event)
    ? { type: event, data: json }
    : json;
const AGENT_EVENTS: ReadonlySet<string | undefined> = new Set(['response', 'error', 'end']);

/** The document defines no fields for `error` and `end`. Without an `eventId` they belong to this reply. */
function withAgentData(json: unknown, eventId: string): unknown {
  if (!isRecord(json) || (json['type'] !== 'error' && json['type'] !== 'end')) return json;
  const data = json['data'] ?? (json['type'] === 'end' ? {} : undefined);
  return isRecord(data) ? { ...json, data: { eventId, ...data } } : json;
}

/** The document does not define what a tool server returns. Anything except text and lists of MCP content becomes JSON. */
function toResponse(value: unknown): NonNullable<LLMAgentEventData['tool_call_response']> {
  if (typeof value === 'string') return value;
  const list = isRecord(value) && Array.isArray(value['content']) ? value['content'] : value;
  const contents = z.array(mcpContent).safeParse(list);
  return contents.success ? contents.data : JSON.stringify(value);
}

/** Removes null fields, including token counts, and completes fields that some servers shorten, so that their event stays valid. */
const normalizeFields = (value: unknown): unknown => {
  const fields = withoutNulls(value);
  if (!isRecord(fields)) return fields;
  const countFields = ['usage', 'totalUsage', 'rate_limit'].filter((name) => isRecord(fields[name]));
  const rawRequest = fields['permission_request'];
  const requestId = isRecord(rawRequest) ? (rawRequest['requestId'] ?? undefined) : undefined;
  const image = withoutNulls(fields['image_data']);
  return {
    ...fields,
    ...(isRecord(image) &&
      typeof image['data'] === 'string' && {
        image_data: {
          mimeType: mimeTypeOfDataUrl(image['data']),
          ...image,
          data: withoutDataUrl(image['data']),
        },
      }),
    ...Object.fromEntries(countFields.map((name) => [name, withoutNulls(fields[name])])),
    ...(isRecord(rawRequest) && { permission_request: completeRequest(rawRequest, fields) }),
    // The answer names this id.
    ...(requestId !== undefined && fields['request'] === undefined && { request: { id: asText(requestId) } }),
  };
};

/**
 * A question with missing fields is still asked, because the agent waits for its answer. The agent's own tools have no
 * server, and the call has the name of the tool.
 */
const completeRequest = (
  request: Readonly<Record<string, unknown>>,
  { tool_call_name, tool_call_server_name }: Readonly<Record<string, unknown>>,
): unknown => ({
  toolName: tool_call_name,
  serverName: tool_call_server_name ?? '',
  description: '',
  ...(withoutNulls(request) as object),
});

/**
 * Converts a message to the DeepChat agent format. Further attachments are messages before it, so that the text stays the
 * last one.
 */
function toAgentMessages(message: ChatMessage, sentNow: readonly Answer[]): readonly AgentMessage[] {
  const [main, ...others] = agentContentsOf(withConfirmations(message));
  // Models refuse an empty message, such as one with only an image or a call, and with it every later turn.
  if (message.role !== 'user' && Object.values(main).every((content) => content === '')) return [];
  const toAgentMessage = (content: AgentMessage['content'], id: string): AgentMessage => ({
    id,
    type: messageTypeOf(content),
    role: message.role === 'tool' ? 'agent' : message.role,
    ...(message.agentId && { agentId: message.agentId }),
    content,
    metadata: {},
    timestamp: message.timestamp,
  });
  const text = confirmationAnswers(message, ({ id }) => !sentNow.some(({ blockId }) => blockId === id));
  const { agentId: _, ...answer } = toAgentMessage({ text }, `${message.id}.answer`);
  return [
    ...others.map((content, index) => toAgentMessage(content, `${message.id}.${String(index + 1)}`)),
    toAgentMessage(main, message.id),
    ...(text ? [{ ...answer, role: 'user' } as const] : []),
  ];
}

/** A tool of the page as an `MCPToolDefinition`, which the document defines. */
const toMcpTool = ({ name, description, parameters }: ToolSpec): MCPToolDefinition => ({
  name,
  description,
  inputSchema: parameters,
});

/** The results of the page's tools in a reply that continues. The message format has no field for them. */
const resultsOf = ({ messages }: Turn, tools: readonly ToolSpec[]): readonly object[] =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => {
      if (block.type !== 'tool_call') return [];
      const { id, name, params, response } = block.tool_call;
      const isOfPage = response !== undefined && tools.some((tool) => tool.name === name);
      if (!isOfPage) return [];
      const result = { tool_call_id: id, tool_call_name: name, tool_call_params: params, tool_call_response: response };
      return [block.status === 'error' ? { ...result, is_error: true } : result];
    });

/** A server identifies a permission by two ids: that of the request and that of the call. */
const toDecisions = (answers: readonly Answer[]): readonly object[] =>
  denySharedIds(answers, ({ extra, toolCallId }) => JSON.stringify([extra?.['requestId'], toolCallId])).map(toDecision);

/** Converts an answer. The protocol defines none, so the decision is sent with the ids of its request. */
const toDecision = ({ decision, toolCallId, extra, payload, note }: Answer): Readonly<Record<string, unknown>> => ({
  ...(extra?.['requestId'] !== undefined && { id: extra['requestId'] }),
  tool_call_id: toolCallId,
  decision,
  permissionType: extra?.['permissionType'],
  serverName: extra?.['serverName'],
  ...(payload !== undefined && { answer: payload }),
  ...(note !== undefined && { note }),
});
