/**
 * Converts the stream of a Strands agent to events. Source: strands-agents/sdk-python `strands/types/_events.py`; Amazon
 * Bedrock API reference, "ConverseStream".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import { endData, replyEnd } from '../core/finish-reasons.ts';
import {
  parseConverse,
  EXCEPTIONS,
  parseStrandsMessage,
  strandsEventSchema,
  type Converse,
  type ToolResult,
  type ToolUse,
  type StrandsEvent,
  type StrandsMessage,
} from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Context = Pick<DecodeContext, 'eventId' | 'report' | 'newId'>;

/** The state of one reply, and what an event changes in it. */
export class AgentCoreReply {
  readonly #context: Context;
  /**
   * Whether the model's raw events arrive too. Strands derives other events from them, which would duplicate their
   * content.
   */
  #hasRawEvents = false;
  /** Text of the current message; its end event repeats it. */
  #messageText = '';
  /** Whether a message has begun and not stopped. */
  #isOpen = false;
  #hasContent = false;
  #hasFailed = false;
  #stopReason = '';
  readonly #tokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  /** The id of the call that a content block belongs to, by block index. */
  readonly #blockCalls = new Map<number, string>();
  readonly #startedCalls = new Set<string>();
  readonly #answeredCalls = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
  }

  take(event: StrandsEvent, frame: Frame): readonly LLMAgentEvent[] {
    return this.#hasFailed ? [] : this.#noteContent(this.#convert(event, frame));
  }

  /**
   * Takes a string that a function of the agent has written. A value that Python could not serialize as JSON arrives as a
   * string in Python's notation and is skipped.
   */
  takeString(text: string): readonly LLMAgentEvent[] {
    return this.#hasFailed || text.startsWith("{'") ? [] : this.#noteContent(this.takeText(text));
  }

  end(): readonly LLMAgentEvent[] {
    if (this.#hasFailed || this.#isOpen) return [];
    const end = replyEnd(this.#stopReason) ?? 'complete';
    // The agent runs its tools itself.
    return this.show([endData(end === 'tool_use' ? 'complete' : end)]);
  }

  show(items: readonly Data[]): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    return items.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  }

  fail(error: string, code?: string): readonly LLMAgentEvent[] {
    this.#hasFailed = true;
    const { eventId } = this.#context;
    return [{ type: 'error', data: { eventId, error, ...(code && { code }) } }, ...this.show([{ finish: 'error' }])];
  }

  /** Takes a raw event of the model. */
  takeRaw(event: Converse): readonly LLMAgentEvent[] {
    this.#hasRawEvents = true;
    for (const name of EXCEPTIONS) {
      const problem = event[name];
      if (problem) return this.fail(problem.message || 'The model reports an error.', name);
    }
    const items: Data[] = [];
    for (const field of RAW_FIELDS) {
      const value = event[field];
      if (value) items.push(...RAW_HANDLERS[field](this, value));
    }
    return this.show(items);
  }

  /** Takes text that Strands has derived from a raw event, or that a function of the agent has written. */
  takeText(text: string): readonly LLMAgentEvent[] {
    return this.#hasRawEvents ? [] : this.show(this.appendText(text));
  }

  takeReasoning(text: string): readonly LLMAgentEvent[] {
    return this.#hasRawEvents ? [] : this.show(reasoningEvents(text));
  }

  takeToolUse({ toolUseId, name }: ToolUse, chunk: string | null | undefined): readonly LLMAgentEvent[] {
    return this.#hasRawEvents
      ? []
      : this.show([...this.#startCall(toolUseId, name), ...argumentEvents(toolUseId, chunk)]);
  }

  /** Takes a complete message, whose text has usually been streamed before. */
  takeMessage({ role, content }: StrandsMessage): readonly LLMAgentEvent[] {
    const parts = content ?? [];
    const text = parts.map((part) => part.text ?? '').join('');
    const isOwn = role !== 'user' && text.startsWith(this.#messageText);
    const items = [
      ...(isOwn ? this.appendText(text.slice(this.#messageText.length)) : []),
      ...parts.flatMap(({ toolUse }) => (toolUse ? this.#completeCall(toolUse) : [])),
      ...parts.flatMap(({ toolResult }) => (toolResult ? this.#endCall(toolResult) : [])),
    ];
    this.#messageText = '';
    this.#isOpen = false;
    return this.show(items);
  }

  /** Takes the result of the agent. Emitted only if nothing was streamed; otherwise it repeats the last message. */
  takeResult(result: unknown): readonly LLMAgentEvent[] {
    this.#isOpen = false;
    if (isRecord(result) && typeof result['stop_reason'] === 'string') this.#stopReason = result['stop_reason'];
    if (this.#hasContent) return [];
    const message = isRecord(result) ? parseStrandsMessage(result['message'] ?? result) : undefined;
    if (message?.content) return this.takeMessage(message);
    return typeof result === 'string' ? this.show(this.appendText(result)) : [];
  }

  appendText(text: string | null | undefined): readonly Data[] {
    if (!text) return [];
    this.#messageText += text;
    return [{ content: text }];
  }

  startMessage(): readonly Data[] {
    this.#isOpen = true;
    this.#messageText = '';
    this.#blockCalls.clear();
    return [];
  }

  startBlock({ start, contentBlockIndex }: RawValue<'contentBlockStart'>): readonly Data[] {
    if (!start?.toolUse) return [];
    const { toolUseId, name } = start.toolUse;
    this.#blockCalls.set(contentBlockIndex ?? 0, toolUseId);
    return this.#startCall(toolUseId, name);
  }

  appendDelta({ delta, contentBlockIndex }: RawValue<'contentBlockDelta'>): readonly Data[] {
    return [
      ...this.appendText(delta?.text),
      ...reasoningEvents(delta?.reasoningContent?.text),
      ...argumentEvents(this.#blockCalls.get(contentBlockIndex ?? 0), delta?.toolUse?.input),
    ];
  }

  stopMessage({ stopReason }: RawValue<'messageStop'>): readonly Data[] {
    this.#isOpen = false;
    this.#stopReason = stopReason ?? '';
    return [];
  }

  /** Each request to the model reports its own usage. */
  addUsage({ usage }: RawValue<'metadata'>): readonly Data[] {
    if (!usage) return [];
    const { inputTokens, outputTokens, totalTokens } = usage;
    const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
    this.#tokens.prompt_tokens += input;
    this.#tokens.completion_tokens += output;
    this.#tokens.total_tokens += totalTokens ?? input + output;
    return [{ totalUsage: { ...this.#tokens } }];
  }

  /** A guardrail of the model replaces the text so far. */
  replaceText({ redactAssistantContentMessage: text }: RawValue<'redactContent'>): readonly Data[] {
    if (!text) return [];
    const id = this.#context.newId();
    this.#messageText = '';
    return [{ metadata: { messageId: id } }, { message: { id, replace: true } }, ...this.appendText(text)];
  }

  #convert(event: StrandsEvent, frame: Frame): readonly LLMAgentEvent[] {
    if (event.multi_agent_node_stream) {
      const inner = strandsEventSchema.safeParse(event.event);
      return inner.success ? this.#convert(inner.data, frame) : [];
    }
    for (const handler of HANDLERS) {
      const events = handler(this, event);
      if (events) return events;
    }
    if (!Object.keys(event).some((name) => IGNORED.has(name))) {
      this.#context.report({ kind: 'unknown', detail: 'Unknown kind of event.', frame });
    }
    return [];
  }

  #noteContent(events: readonly LLMAgentEvent[]): readonly LLMAgentEvent[] {
    this.#hasContent ||= events.some(({ type, data }) => type === 'response' && 'content' in data);
    return events;
  }

  #startCall(id: string, name: string | null | undefined): readonly Data[] {
    if (this.#startedCalls.has(id)) return [];
    this.#startedCalls.add(id);
    return [{ tool_call: 'start', tool_call_id: id, tool_call_name: name ?? '', tool_call_remote: true }];
  }

  #completeCall({ toolUseId: id, name, input }: ToolUse): readonly Data[] {
    return [
      ...this.#startCall(id, name),
      { tool_call: 'running', tool_call_id: id, tool_call_params_complete: asText(input) },
    ];
  }

  #endCall({ toolUseId: id, status, content }: ToolResult): readonly Data[] {
    if (this.#answeredCalls.has(id)) return [];
    this.#answeredCalls.add(id);
    const tool_call = status === 'error' ? 'error' : 'end';
    return [{ tool_call, tool_call_id: id, tool_call_response_complete: textOfResult(content ?? []) }];
  }
}

/** What an event does. It has no type: the first of these kinds that it belongs to decides. */
const HANDLERS: readonly ((reply: AgentCoreReply, event: StrandsEvent) => readonly LLMAgentEvent[] | undefined)[] = [
  (reply, { multi_agent_node_start: isStart, node_id: name }) =>
    isStart ? reply.show(name ? [{ phase: { name, message: name } }] : []) : undefined,
  (reply, event) => (event.event ? reply.takeRaw(parseConverse(event.event)) : undefined),
  (reply, event) => (hasConverse(event) ? reply.takeRaw(event) : undefined),
  (reply, { force_stop: isStopped, force_stop_reason: reason }) =>
    isStopped ? reply.fail(reason || 'The agent was stopped.') : undefined,
  (reply, { error, message }) => (error == null ? undefined : reply.fail(errorText(error, message))),
  (reply, { tool_stream_event: progress }) => (progress ? reply.show(progressEvents(progress)) : undefined),
  (reply, { message }) => (message && typeof message !== 'string' ? reply.takeMessage(message) : undefined),
  (reply, { output }) => (output?.message ? reply.takeMessage(output.message) : undefined),
  (reply, { current_tool_use: use, delta }) => (use ? reply.takeToolUse(use, delta?.toolUse?.input) : undefined),
  (reply, { reasoningText: text }) => (typeof text === 'string' ? reply.takeReasoning(text) : undefined),
  (reply, { data }) => (typeof data === 'string' ? reply.takeText(data) : undefined),
  (reply, { result }) => (result == null ? undefined : reply.takeResult(result)),
];

type RawField =
  | 'messageStart'
  | 'contentBlockStart'
  | 'contentBlockDelta'
  | 'messageStop'
  | 'metadata'
  | 'redactContent';
type RawValue<Field extends RawField> = NonNullable<Converse[Field]>;

/** What each field of a raw event does. */
const RAW_HANDLERS: {
  readonly [Field in RawField]: (reply: AgentCoreReply, value: RawValue<Field>) => readonly Data[];
} = {
  messageStart: (reply) => reply.startMessage(),
  contentBlockStart: (reply, block) => reply.startBlock(block),
  contentBlockDelta: (reply, block) => reply.appendDelta(block),
  messageStop: (reply, stop) => reply.stopMessage(stop),
  metadata: (reply, metadata) => reply.addUsage(metadata),
  redactContent: (reply, redaction) => reply.replaceText(redaction),
};
const RAW_FIELDS = Object.keys(RAW_HANDLERS) as readonly RawField[];

/** The cause is in `message` if `error` is not a text. */
function errorText(error: unknown, message: StrandsEvent['message']): string {
  const cause = typeof message === 'string' && typeof error !== 'string' ? message : error;
  return errorMessage(cause) ?? 'The agent reports an error.';
}

const reasoningEvents = (text: string | null | undefined): readonly Data[] =>
  text ? [{ reasoning_content: text }] : [];

const argumentEvents = (id: string | undefined, chunk: string | null | undefined): readonly Data[] =>
  id !== undefined && chunk ? [{ tool_call: 'update', tool_call_id: id, tool_call_params: chunk }] : [];

/** The fields of raw events that are not in a field `event`. `detectors/frameworks.ts` lists those that detect the protocol. */
const CONVERSE = [
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'redactContent',
  ...EXCEPTIONS,
];
const hasConverse = (event: StrandsEvent): boolean =>
  CONVERSE.some((name) => isRecord(event[name])) || isRecord(event.metadata?.usage);

/** Events without visible content. */
const IGNORED = new Set([
  'init_event_loop',
  'start',
  'start_event_loop',
  'reasoning',
  'callback',
  'complete',
  'event_loop_throttled_delay',
  'multi_agent_node_complete',
  'multi_agent_handoff',
  'multiagent_result',
]);

/** Progress of a tool. An agent that is called as a tool forwards its own events. */
function progressEvents({ tool_use: use, data }: NonNullable<StrandsEvent['tool_stream_event']>): readonly Data[] {
  if (!use) return [];
  const progress = isRecord(data) ? data['data'] : data;
  if (typeof progress !== 'string' || progress === '') return [];
  const id = use.toolUseId;
  return isRecord(data)
    ? [{ parent: { tool_call_id: id, ...(use.name && { name: use.name }) }, content: progress }]
    : [{ tool_call: 'running', tool_call_id: id, tool_call_progress: { message: progress } }];
}

/** Joins the parts of a result: text as it is, anything else as JSON. */
const textOfResult = (content: readonly unknown[]): string =>
  content
    .map((part) => (isRecord(part) ? asText(part['text'] ?? part['json'] ?? part) : asText(part)))
    .filter(Boolean)
    .join('\n');
