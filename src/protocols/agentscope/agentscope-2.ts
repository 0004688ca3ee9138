/**
 * Converts the events of AgentScope 2; those of the Java version are in camelCase. Source: `docs/protocols/agentscope.md`;
 * agentscope-ai/agentscope.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { msgBlockToMedia } from '../../formats/agentscope-msg.ts';
import type { Media } from '../../model/blocks.ts';
import type { Frame } from '../../transport/frame.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../core/read-frames.ts';
import type { AdapterEvent, DecodeContext, Turn } from '../core/adapter.ts';
import { asJson, blocksOf, kindOf, snakeKeys, wire, type Event, type WireCall } from './agentscope-2-schema.ts';
import { MediaBlocks } from './media-blocks.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Events = readonly AdapterEvent[];

/** The state of one reply, and what an event changes in it. */
export class AgentScope2Reply {
  readonly #context: DecodeContext;
  readonly #isReplay: (event: Event) => boolean;
  /** The id of the turn's main reply: replies of other agents may run in parallel. */
  #mainReply: string | undefined;
  #isJava = false;
  #isWaiting = false;
  #isOver = false;
  /** The last block of text or reasoning, by reply id: consecutive blocks are separated. */
  readonly #lastBlocks = new Map<string, string>();
  /** The text so far, by block. */
  readonly #texts = new Map<string, string>();
  readonly #usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  readonly #started = new Set<string>();
  readonly #openCalls = new Set<string>();
  /** The result text so far, by call id. */
  readonly #results = new Map<string, string>();
  readonly #media = new MediaBlocks();
  /** The calls that members of the team ask about, by reply id. */
  readonly #memberCalls = new Map<string, readonly string[]>();

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#isReplay = makeReplayCheck(context.turn);
  }

  take(json: unknown, frame: Frame): Events {
    const { report } = this.#context;
    this.#isJava ||= isRecord(json) && ['replyId', 'createdAt'].some((name) => Object.hasOwn(json, name));
    const event = fit(wire, isRecord(json) ? snakeKeys(json) : json, frame, report);
    if (!event || this.#isOver || this.#isReplay(event)) return [];
    const type = ALIASES.get(event.type) ?? event.type;
    if (event.visibility === 'internal' && CONTENT.test(type)) return [];
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    if (!handler && !IGNORED.has(type)) report({ kind: 'unknown', detail: `Unknown event "${event.type}".`, frame });
    return handler?.(this, event) ?? [];
  }

  /** A response event of the message that the wire event belongs to. */
  response({ reply_id: id, source }: Event, data: Data): AdapterEvent {
    const name = source?.split('/').at(-1);
    const message = id ? { message: { id, ...(this.#isJava && name && { name }) } } : {};
    return { type: 'response', data: { eventId: this.#context.eventId, ...message, ...data } };
  }

  start(event: Event): Events {
    if (!this.#isOfSubAgent(event)) this.#mainReply ??= event.reply_id ?? undefined;
    const message = event.reply_id ? { id: event.reply_id, ...(event.name && { name: event.name }) } : undefined;
    const metadata = {
      ...(event.session_id && { sessionId: event.session_id }),
      ...(event.reply_id && { replyId: event.reply_id }),
      ...(event.id && { replyStart: event.id }),
      dialect: this.#isJava ? 'java' : 'native',
    };
    return [this.response(event, { ...(message && { message }), metadata })];
  }

  addUsage(event: Event): Events {
    const prompt = event.input_tokens ?? event.usage?.inputTokens ?? 0;
    const completion = event.output_tokens ?? event.usage?.outputTokens ?? 0;
    const usage = this.#usage;
    usage.prompt_tokens += prompt;
    usage.completion_tokens += completion;
    usage.total_tokens += prompt + completion;
    return [this.response(event, { totalUsage: { ...usage } })];
  }

  appendText(event: Event, kind: 'content' | 'reasoning_content'): Events {
    if (!event.delta) return [];
    const reply = event.reply_id ?? '';
    const key = blockKey(event, kind);
    const startsBlock = this.#lastBlocks.get(reply) !== key;
    this.#lastBlocks.set(reply, key);
    if (kind === 'content') this.#texts.set(key, (this.#texts.get(key) ?? '') + event.delta);
    return [this.response(event, { [kind]: event.delta, ...(startsBlock && { content_begins: true }) })];
  }

  /** The end of a block may have its complete text. Shown text stays, because only the end of it can be changed. */
  endText(event: Event): Events {
    const shown = this.#texts.get(blockKey(event, 'content')) ?? '';
    const { text } = event;
    return text?.startsWith(shown) ? this.appendText({ ...event, delta: text.slice(shown.length) }, 'content') : [];
  }

  addMedia(event: Event): Events {
    this.#media.add(event);
    return [];
  }

  endMedia(event: Event): Events {
    const media = this.#media.end(event);
    return media ? [this.response(event, { media })] : [];
  }

  showHint(event: Event): Events {
    const origin = event.hint_source ?? (this.#isJava ? undefined : event.source);
    const message = [origin, textOf(event.hint)].filter(Boolean).join(': ');
    return [
      ...(message ? [this.response(event, { phase: { name: 'hint', message } })] : []),
      ...blocksOf(event.hint).flatMap((block) => {
        const media = msgBlockToMedia(block);
        return media ? [this.response(event, { media })] : [];
      }),
    ];
  }

  startCall(event: Event, { id, name, input }: WireCall): Events {
    if (this.#started.has(id)) return [];
    this.#started.add(id);
    this.#openCalls.add(id);
    const params = input === undefined ? {} : { tool_call_params: asJson(input) };
    return [this.response(event, { tool_call: 'start', tool_call_id: id, tool_call_name: name, ...params })];
  }

  appendResult(event: Event): Events {
    if (!event.delta) return [];
    const id = event.tool_call_id ?? '';
    this.#results.set(id, (this.#results.get(id) ?? '') + event.delta);
    return [this.response(event, { ...callOf(event), tool_call: 'running', tool_call_response: event.delta })];
  }

  endCall(event: Event, id: string, state: string): Events {
    this.#openCalls.delete(id);
    const text = this.#results.get(id) ?? '';
    this.#results.delete(id);
    const failed = FAILED_STATES.has(state);
    return [
      this.response(event, {
        tool_call: failed ? 'error' : 'end',
        tool_call_id: id,
        ...(event.tool_call_name && { tool_call_name: event.tool_call_name }),
        tool_call_response_complete: text,
        ...(failed && { tool_call_error: { message: text || state, code: state } }),
      }),
    ];
  }

  denyCalls(event: Event): Events {
    return (event.denied_tool_calls ?? []).flatMap(({ id }) =>
      this.#openCalls.has(id) ? this.endCall(event, id, 'denied') : [],
    );
  }

  askPermission(event: Event): Events {
    const calls = event.tool_calls ?? [];
    this.#isWaiting = true;
    return [
      ...calls.flatMap((call) => this.startCall(event, call)),
      ...calls.map((call) => this.response(event, permission(event, call))),
      this.response(event, { finish: 'tool_use' }),
    ];
  }

  /** A member of the team asks; the answer goes to the session of its leader. */
  askForMember(event: Event, request: unknown): Events {
    const inner = wire.safeParse(isRecord(request) ? snakeKeys(request) : undefined).data;
    if (!inner) return [];
    const calls = inner.tool_calls ?? [];
    const ids = calls.map(({ id }) => id);
    this.#memberCalls.set(inner.reply_id ?? '', ids);
    return calls.map((call) => this.response(this.#ofLeader(event), permission(inner, call)));
  }

  /** Another client has decided, or the member's run has ended. The event does not say which. */
  settleForMember(event: Event, reply: unknown): Events {
    const ids = typeof reply === 'string' ? (this.#memberCalls.get(reply) ?? []) : [];
    return ids.map((id) => this.response(this.#ofLeader(event), { tool_call: 'permission-closed', tool_call_id: id }));
  }

  /** The decision may come from another client. */
  takeDecisions(event: Event): Events {
    this.#isWaiting = false;
    return (event.confirm_results ?? []).flatMap(({ confirmed, tool_call, toolCall: other }) => {
      const id = tool_call?.id ?? other?.id;
      const state = confirmed ? 'permission-granted' : 'permission-denied';
      return id ? [this.response(event, { tool_call: state, tool_call_id: id })] : [];
    });
  }

  /** Asks the page to run calls. */
  handOver(event: Event): Events {
    const calls = event.tool_calls ?? [];
    const clientCalls = calls.map(({ id }) => id);
    this.#isWaiting = true;
    // The server runs the other open calls itself.
    const others = [...this.#openCalls].filter((id) => !clientCalls.includes(id));
    return [
      ...calls.flatMap((call) => this.startCall(event, call)),
      ...others.map((id) => this.response(event, { tool_call: 'running', tool_call_id: id, tool_call_remote: true })),
      this.response(event, { metadata: { clientCalls }, finish: 'tool_use' }),
    ];
  }

  /** The result repeats the text of a reply that was streamed. */
  showResult(event: Event): Events {
    if (this.#lastBlocks.size > 0) return [];
    return [this.response(this.#ofLeader(event), { content: textOf(event.result?.['content']) })];
  }

  complete(event: Event): Events {
    const isOfOther = this.#mainReply !== undefined && event.reply_id && event.reply_id !== this.#mainReply;
    if (isOfOther || this.#isOfSubAgent(event)) return [];
    this.#isOver = true;
    const reason = event.finished_reason ?? '';
    const handler = Object.hasOwn(END_HANDLERS, reason) ? END_HANDLERS[reason] : undefined;
    return handler?.(this, event) ?? this.finish(event);
  }

  finish(event: Event): Events {
    return [this.response(event, { finish: this.#isWaiting ? 'tool_use' : 'complete' })];
  }

  fail(event: Event): Events {
    const { type, message } = event.error ?? {};
    const error = message || type || 'The agent reports an error.';
    const code = type ? { code: type, error_type: type } : {};
    return [
      { type: 'error', data: { eventId: this.#context.eventId, error, ...code } },
      this.response(event, { finish: 'error' }),
    ];
  }

  /** An event without a reply id, which belongs to the main reply. */
  #ofLeader(event: Event): Event {
    return { ...event, reply_id: this.#mainReply };
  }

  #isOfSubAgent({ source }: Event): boolean {
    return this.#isJava && Boolean(source);
  }
}

/** Alternative event names used by Java servers. */
const ALIASES = new Map([
  ['AGENT_START', 'REPLY_START'],
  ['RUN_STARTED', 'REPLY_START'],
  ['AGENT_END', 'REPLY_END'],
  ['RUN_FINISHED', 'REPLY_END'],
  ['MODEL_CALL_STARTED', 'MODEL_CALL_START'],
  ['MODEL_CALL_ENDED', 'MODEL_CALL_END'],
  ['BINARY_BLOCK_START', 'DATA_BLOCK_START'],
  ['BINARY_BLOCK_DELTA', 'DATA_BLOCK_DELTA'],
  ['BINARY_BLOCK_END', 'DATA_BLOCK_END'],
  ['TOOL_RESULT_BINARY_DELTA', 'TOOL_RESULT_DATA_DELTA'],
]);

type Handler = (reply: AgentScope2Reply, event: Event) => Events;

const startCall: Handler = (reply, event) =>
  reply.startCall(event, { id: event.tool_call_id ?? '', name: event.tool_call_name ?? '' });
const showLimit: Handler = (reply, event) => [reply.response(event, { phase: { name: 'exceed_max_iters' } })];

/** What each type of event does. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  REPLY_START: (reply, event) => reply.start(event),
  MODEL_CALL_START: (reply, event) =>
    event.model_name ? [reply.response(event, { metadata: { model: event.model_name } })] : [],
  MODEL_CALL_END: (reply, event) => reply.addUsage(event),
  TEXT_BLOCK_DELTA: (reply, event) => reply.appendText(event, 'content'),
  TEXT_BLOCK_END: (reply, event) => reply.endText(event),
  THINKING_BLOCK_DELTA: (reply, event) => reply.appendText(event, 'reasoning_content'),
  DATA_BLOCK_START: (reply, event) => reply.addMedia(event),
  DATA_BLOCK_DELTA: (reply, event) => reply.addMedia(event),
  DATA_BLOCK_END: (reply, event) => reply.endMedia(event),
  HINT_BLOCK: (reply, event) => reply.showHint(event),
  TOOL_CALL_START: startCall,
  TOOL_CALL_DELTA: (reply, event) =>
    event.delta
      ? [reply.response(event, { ...callOf(event), tool_call: 'update', tool_call_params: event.delta })]
      : [],
  TOOL_RESULT_START: startCall,
  TOOL_RESULT_TEXT_DELTA: (reply, event) => reply.appendResult(event),
  TOOL_RESULT_DATA_DELTA(reply, event) {
    const media = resultMedia(event);
    return media ? [reply.response(event, { media })] : [];
  },
  TOOL_RESULT_END: (reply, event) => reply.endCall(event, event.tool_call_id ?? '', event.state ?? 'success'),
  ALL_TOOLS_DENIED: (reply, event) => reply.denyCalls(event),
  REQUIRE_USER_CONFIRM: (reply, event) => reply.askPermission(event),
  REQUIRE_EXTERNAL_EXECUTION: (reply, event) => reply.handOver(event),
  USER_CONFIRM_RESULT: (reply, event) => reply.takeDecisions(event),
  EXCEED_MAX_ITERS: showLimit,
  CUSTOM(reply, event) {
    const value = event.value ?? {};
    if (event.name === 'state_updated' && Object.keys(value).length > 0)
      return [reply.response(event, { state: { value } })];
    if (event.name === 'subagent_user_confirm_result') return reply.settleForMember(event, value['reply_id']);
    return event.name === 'subagent_require_user_confirm' && value['event_type'] === 'require_user_confirm'
      ? reply.askForMember(event, value['event'])
      : [];
  },
  AGENT_RESULT: (reply, event) => reply.showResult(event),
  REPLY_END: (reply, event) => reply.complete(event),
};

/** What each reason for the end of the reply does, unless the reply is complete. */
const END_HANDLERS: Readonly<Record<string, Handler>> = {
  error: (reply, event) => reply.fail(event),
  interrupted: (reply, event) => [reply.response(event, { finish: 'cancelled' })],
  exceed_max_iters: (reply, event) => [...showLimit(reply, event), ...reply.finish(event)],
};

/** Events with content. An `internal` one is not part of the conversation. */
const CONTENT = /^(?:(?:TEXT|THINKING|DATA)_BLOCK|HINT_BLOCK|TOOL_CALL|TOOL_RESULT)/;

/** Events without content, or whose content is also in another event. */
const IGNORED = new Set([
  'TEXT_BLOCK_START',
  'THINKING_BLOCK_START',
  'THINKING_BLOCK_END',
  'TOOL_CALL_END',
  'EXTERNAL_EXECUTION_RESULT',
  'USER_INTERRUPT',
  'REQUEST_STOP',
  'SUBAGENT_EXPOSED',
  'THREAD_EXPOSED',
]);
const FAILED_STATES = new Set(['error', 'interrupted', 'denied']);

/**
 * Detects replayed events: the stream starts with the events of the previous run until the server has persisted it. They
 * belong to a reply of an earlier turn, or to the part of this one before a question. The events of a reply whose message is
 * still empty are not skipped.
 */
function makeReplayCheck({ messages }: Turn): (event: Event) => boolean {
  const replyStart = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const shown = messages.filter(({ blocks }) => blocks.length > 0);
  const metadataValues = (list: Turn['messages'], name: string) =>
    new Set(list.map(({ metadata }) => metadata?.[name]));
  const shownStarts = metadataValues(shown, 'replyStart');
  const earlierReplies = metadataValues(messages.slice(0, replyStart), 'replyId');
  let replaying = false;
  return ({ type, id, reply_id }) => {
    if (type === 'REPLY_START' || type === 'AGENT_START') replaying = Boolean(id) && shownStarts.has(id);
    // A continued run starts with the user's decision.
    else if (type === 'USER_CONFIRM_RESULT' || type === 'EXTERNAL_EXECUTION_RESULT') replaying = false;
    return replaying || (Boolean(reply_id) && earlierReplies.has(reply_id));
  };
}

const blockKey = ({ reply_id, block_id }: Event, kind: 'content' | 'reasoning_content'): string =>
  `${kind} ${reply_id ?? ''} ${block_id ?? ''}`;

const callOf = (event: Event): Pick<Data, 'tool_call_id' | 'tool_call_name'> => ({
  tool_call_id: event.tool_call_id ?? '',
  ...(event.tool_call_name && { tool_call_name: event.tool_call_name }),
});

function permission(event: Event, call: WireCall): Data {
  return {
    tool_call: 'permission-required',
    tool_call_id: call.id,
    tool_call_name: call.name,
    tool_call_params_complete: asJson(call.input),
    permission_request: { toolName: call.name, serverName: '', permissionType: 'all', description: '' },
    // The answer must contain the call exactly as the server sent it.
    request: {
      id: call.id,
      extra: { replyId: event.reply_id ?? '', toolCall: JSON.stringify(call), editable: true },
    },
  };
}

function resultMedia({ data, url, media_type: mimeType = '' }: Event): Media | undefined {
  const [block] = isRecord(data) ? blocksOf([data]) : [];
  if (block) return msgBlockToMedia(block);
  const source = typeof data === 'string' ? { data } : url ? { url } : undefined;
  return source && { kind: kindOf(mimeType ?? ''), mimeType: mimeType ?? '', ...source };
}

const textOf = (content: unknown): string =>
  blocksOf(content)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
