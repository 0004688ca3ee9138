/** Message fields over SSE (`message-field`). Source: `docs/protocols/message-field.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { BlockOf, Suggestion } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/message-text.ts';
import { z } from '../model/schema.ts';
import { setAtPath, parseFieldPath } from './shared/field-path.ts';
import { ranArguments } from './shared/edited-arguments.ts';
import { asText } from './shared/as-text.ts';
import { errorMessage } from './shared/error-message.ts';
import { sentHistory } from './shared/sent-history.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { toolFailureFields, isToolFailure } from '../model/tool-failure.ts';
import { fit, readJsonFrames } from './core/read-frames.ts';
import { endWithOpenCalls } from './core/own-calls.ts';
import { snapshotEvents, type Part } from './shared/snapshot.ts';
import type { Frame } from '../transport/frame.ts';
import type { ToolSpec } from '../model/agent.ts';
import type { Adapter, DecodeContext, Turn } from './core/adapter.ts';

const optional = z.exactOptional;
const nullish = z.nullish(z.string());
const id = { message_id: z.string() };
const wire = z.discriminatedUnion('type', [
  z.object({ ...id, type: z.literal('message_start'), role: z.string(), tool_call_id: nullish, project_id: nullish }),
  z.object({ ...id, type: z.literal('message_field'), field_name: z.string(), field_value: z.unknown() }),
  z.object({ ...id, type: z.literal('message_field_delta'), field_name: z.string(), delta: z.string() }),
  z.object({ ...id, type: z.literal('message_result'), message: z.record(z.string(), z.unknown()) }),
]);
type Wire = z.infer<typeof wire>;

/** The fields of a message that are used; other fields are stored and sent back unchanged. */
const knownMessage = z.object({
  role: z.catch(z.string(), 'assistant'),
  content: z.catch(z.pipe(z.unknown(), z.transform(textIn)), ''),
  thinking: z.catch(z.boolean(), false),
  tool_call_id: z.catch(nullish, undefined),
  tool_calls: z.catch(
    z.array(
      z.nullable(
        z.object({
          id: z.catch(z.string(), ''),
          function: z.object({
            name: z.catch(z.string(), ''),
            arguments: z.catch(z.pipe(z.unknown(), z.transform(asText)), ''),
          }),
        }),
      ),
    ),
    [],
  ),
  thinking_blocks: optional(z.unknown()),
  reasoning_content: z.catch(nullish, undefined),
  recommend_actions: optional(z.unknown()),
  session_state: optional(z.unknown()),
  ...toolFailureFields,
});

/** The fields of a message that this adapter writes itself. A server may expect all others back. */
const OWN_FIELDS = new Set(['id', 'role', 'content', 'thinking', 'tool_call_id', 'project_id']);
/** The text of a content, which may be a list of texts or of `{text}`. Any other value becomes JSON. */
function textIn(content: unknown): string {
  const parts = (Array.isArray(content) ? (content as unknown[]) : [content]).map((part) =>
    isRecord(part) ? part['text'] : part,
  );
  return parts.length > 0 && parts.every((part) => typeof part === 'string') ? parts.join('') : asText(content);
}

/** The fields whose content is rendered. */
const SHOWN_FIELD = /^(?:content|tool_calls|thinking_blocks|reasoning_content|recommend_actions)(?![^.[])/;
/** The tool whose arguments are reasoning. */
const THINK_TOOL = 'think';

type WireMessage = Record<string, unknown>;

/** Copies fields of the server into an object without a prototype, so that no name has a special meaning. */
const withoutPrototype = (fields: WireMessage): WireMessage =>
  Object.assign(Object.create(null) as WireMessage, fields);

export const messageField: Adapter = {
  id: 'message-field',
  label: 'Message fields',
  kind: 'agent',
  accepts: 'text',

  request(turn, { url, headers = {}, model, tools = [] }) {
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          models: model === undefined ? [] : [model],
          type: 'agent',
          project_id: projectOf(turn) ?? turn.threadId,
          run_with_another_model: false,
          request_web_knowledge: false,
          speed_mode: false,
          use_webpage_capture_screen: false,
          use_browser_use: false,
          use_python_workspace: false,
          use_browser_use_test_mode: false,
          use_terminal_use: false,
          dataframe_enhanced: false,
          enable_jupyter: false,
          custom_tools: tools.map(toOpenAiTool),
          writingContent: null,
          messages: sentMessages(turn),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const error = failureIn(json);
        if (error !== undefined) {
          events.push({ type: 'error', data: { eventId: context.eventId, error } });
          continue;
        }
        const event = fit(wire, json, frame, context.report);
        if (event) events.push(...reply.take(event, frame));
      }
      yield events;
    }
    yield reply.end();
  },
};

/**
 * The message of a failure. The protocol has no error event, but servers send such a message before they close the
 * stream.
 */
function failureIn(json: unknown): string | undefined {
  if (!isRecord(json)) return undefined;
  const { type, error, detail } = json;
  const isFailure = typeof type === 'string' ? /(?:^|[_-])error$/i.test(type) : (error ?? detail) !== undefined;
  return isFailure ? errorMessage(json) : undefined;
}

/** The state of a streaming message, and the parts emitted for it. */
interface StreamingMessage {
  readonly message: WireMessage;
  parts: readonly Part[];
  /** Whether a `message_result` has completed it. */
  readonly isComplete: boolean;
}

interface ReplyDecoder {
  take(event: Wire, frame: Frame): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

function makeReply(context: DecodeContext): ReplyDecoder {
  const { eventId, report } = context;
  const streaming = new Map<string, StreamingMessage>();
  /** The calls of the tool `think`, whose results are not rendered, and the messages they belong to. */
  const thinkCalls = new Map<string, string>();
  /** The complete results by call id. */
  const results = new Map<string, Pick<Extract<Part, { kind: 'tool' }>, 'response' | 'failed'>>();
  const withResults = (parts: readonly Part[]): readonly Part[] =>
    parts.map((part) => (part.kind === 'tool' ? { ...part, ...results.get(part.id) } : part));
  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });

  /** Emits the events for the last change. */
  const emitChanges = (messageId: string, entry: StreamingMessage): readonly LLMAgentEvent[] => {
    const parsed = knownMessage.parse(entry.message);
    for (const call of parsed.tool_calls) if (call?.function.name === THINK_TOOL) thinkCalls.set(call.id, messageId);
    if (parsed.role === 'tool') return emitResult(parsed, entry);
    if (parsed.role !== 'assistant') return [];
    const parts = partsOf(parsed);
    // An emitted result counts too: a replaced message repeats the results of its calls.
    const events = snapshotEvents({ id: messageId }, withResults(entry.parts), withResults(parts)).map(response);
    entry.parts = parts;
    return entry.isComplete ? [...events, completeEvent(messageId, entry.message, suggestionsOf(parsed))] : events;
  };
  /** The call of a result without an id, if it is the only open one. */
  const onlyOpenCall = (): string | undefined => {
    const calls = [...streaming.values()].flatMap(({ message }) => knownMessage.parse(message).tool_calls);
    const [only, ...others] = calls.flatMap((call) => (call?.id && !results.has(call.id) ? [call.id] : []));
    return others.length === 0 ? only : undefined;
  };
  const emitResult = (parsed: KnownMessage, entry: StreamingMessage): readonly LLMAgentEvent[] => {
    const { content } = parsed;
    const callId = parsed.tool_call_id || onlyOpenCall();
    if (!callId) return [];
    const thinkMessage = thinkCalls.get(callId);
    if (thinkMessage !== undefined) {
      // The result is not shown, but sent back.
      const metadata = { [resultKey(callId)]: { ...opaqueFields(entry.message), id: entry.message['id'], content } };
      return entry.isComplete ? [response({ message: { id: thinkMessage }, metadata })] : [];
    }
    if (entry.isComplete) {
      const failed = isToolFailure(parsed, content);
      results.set(callId, { response: content, failed });
      const call = { tool_call_id: callId, tool_call_response: content } as const;
      const metadata = { [resultKey(callId)]: { ...opaqueFields(entry.message), id: entry.message['id'] } };
      return [response({ ...call, tool_call: failed ? 'error' : 'end', metadata })];
    }
    const [emitted] = entry.parts;
    const length = emitted?.kind === 'text' && content.startsWith(emitted.text) ? emitted.text.length : 0;
    entry.parts = [{ kind: 'text', text: content }];
    const added = content.slice(length);
    return added ? [response({ tool_call: 'running', tool_call_id: callId, tool_call_response: added })] : [];
  };
  const completeEvent = (
    messageId: string,
    message: WireMessage,
    suggestions: readonly Suggestion[],
  ): LLMAgentEvent => {
    return response({
      message: { id: messageId },
      metadata: {
        wireMessage: { ...opaqueFields(message), ...(message['thinking'] === true && { thinking: true }) },
        ...projectMetadata(message),
      },
      ...(suggestions.length > 0 && { suggestions }),
    });
  };

  /** Appends text to the last part without comparing the complete message, which would take quadratic time. */
  const appendText = (
    messageId: string,
    entry: StreamingMessage,
    field: string,
    delta: string,
  ): LLMAgentEvent | undefined => {
    const last = entry.parts.at(-1);
    const kind = field === 'content' ? (entry.message['thinking'] === true ? 'reasoning' : 'text') : undefined;
    if (entry.message['role'] !== 'assistant' || last?.kind !== kind || kind === undefined) return undefined;
    entry.parts = entry.parts.with(-1, { kind, text: (last as { text: string }).text + delta });
    return response({
      message: { id: messageId },
      ...(kind === 'text' ? { content: delta } : { reasoning_content: delta }),
    });
  };
  const changeField = (event: Extract<Wire, { field_name: string }>, frame: Frame): readonly LLMAgentEvent[] => {
    const entry = streaming.get(event.message_id);
    if (!entry) {
      // Drops a field of a message that never started. Most of these are the project's, such as its name, so the answer
      // is complete. `_updatetime`, the time of the last change, occurs in every stream and is not reported.
      if (event.field_name !== '_updatetime') {
        const kind = SHOWN_FIELD.test(event.field_name) ? 'refused' : 'unknown';
        report({ kind, detail: `The message "${event.message_id}" has not started.`, frame });
      }
      return [];
    }
    const steps = parseFieldPath(event.field_name);
    const refusal =
      typeof steps === 'string'
        ? steps
        : setAtPath(entry.message, steps, (before) =>
            event.type === 'message_field'
              ? event.field_value
              : (typeof before === 'string' ? before : '') + event.delta,
          );
    if (refusal !== undefined) {
      report({ kind: 'refused', detail: refusal, frame });
      return [];
    }
    const textEvent =
      event.type === 'message_field_delta'
        ? appendText(event.message_id, entry, event.field_name, event.delta)
        : undefined;
    return textEvent ? [textEvent] : emitChanges(event.message_id, entry);
  };
  /** A repeated start replaces the earlier message, so that no text is repeated. */
  const start = ({
    message_id,
    role,
    tool_call_id,
    project_id,
  }: Extract<Wire, { type: 'message_start' }>): StreamingMessage => {
    const message = withoutPrototype({ id: message_id, role, content: '' });
    if (tool_call_id) message['tool_call_id'] = tool_call_id;
    if (project_id) message['project_id'] = project_id;
    return { message, parts: streaming.get(message_id)?.parts ?? [], isComplete: false };
  };
  const replaceMessage = (event: Extract<Wire, { type: 'message_result' }>): StreamingMessage => {
    const previous = streaming.get(event.message_id);
    const message = withoutPrototype(event.message);
    // The message may omit fields that its start contains.
    for (const name of ['role', 'tool_call_id', 'project_id']) message[name] ??= previous?.message[name];
    message['id'] ??= event.message_id;
    return { message, parts: previous?.parts ?? [], isComplete: true };
  };

  return {
    take(event, frame) {
      if ('field_name' in event) return changeField(event, frame);
      const entry = event.type === 'message_start' ? start(event) : replaceMessage(event);
      streaming.set(event.message_id, entry);
      const events = emitChanges(event.message_id, entry);
      const startsReply = entry.message['role'] === 'assistant' && event.type === 'message_start';
      return startsReply
        ? [response({ message: { id: event.message_id }, metadata: projectMetadata(entry.message) }), ...events]
        : events;
    },
    end() {
      const entries = [...streaming.values()].filter(({ message }) => message['role'] !== 'user');
      // A complete answer ends the reply, even if an earlier tool result was never completed.
      const answer = entries.findLastIndex(({ message }) => message['role'] === 'assistant');
      const rest = entries.slice(Math.max(answer, 0));
      if (rest.length === 0 || !rest.every((entry) => entry.isComplete)) return [];
      const last = entries[answer];
      const open = entries.flatMap((entry) =>
        entry.parts.flatMap((part) =>
          part.kind === 'tool' && !results.has(part.id)
            ? [{ id: part.id, name: part.name, isLast: entry === last }]
            : [],
        ),
      );
      return endWithOpenCalls(open, context);
    },
  };
}

const opaqueFields = (message: WireMessage): WireMessage =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !OWN_FIELDS.has(name)));

/** The metadata key for the server's fields of a tool's message. */
const resultKey = (callId: string): string => `wireResult:${callId}`;

/**
 * The project id, which identifies the thread. It is emitted early, because the next turn needs it even if this reply
 * is cut off.
 */
const projectMetadata = (message: WireMessage): Readonly<Record<string, unknown>> =>
  message['project_id'] === undefined ? {} : { projectId: message['project_id'] };

type KnownMessage = z.infer<typeof knownMessage>;

function partsOf(message: KnownMessage): readonly Part[] {
  const parts: Part[] = [];
  const reasoning = thinkingText(message.thinking_blocks) || message.reasoning_content;
  if (reasoning) parts.push({ kind: 'reasoning', text: reasoning });
  if (message.content) parts.push({ kind: message.thinking ? 'reasoning' : 'text', text: message.content });
  for (const call of message.tool_calls) {
    if (!call?.function.name) continue;
    const { name, arguments: params } = call.function;
    if (name === THINK_TOOL) parts.push({ kind: 'reasoning', text: partialThought(params) });
    else parts.push({ kind: 'tool', id: call.id, name, params });
  }
  return parts;
}

/** The text of `thinking_blocks`: a string, or a list of strings or of `{thinking | text | content}`. */
function thinkingText(blocks: unknown): string {
  if (typeof blocks === 'string') return blocks;
  if (!Array.isArray(blocks)) return '';
  return (blocks as unknown[])
    .map((block) => {
      const text = isRecord(block) ? (block['thinking'] ?? block['text'] ?? block['content']) : block;
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

/** The texts in the partial arguments of a `think` call, whose argument names are not defined. */
function partialThought(params: string): string {
  if (!/^\s*[{["]/.test(params)) return params;
  const parsedParams = parseJson(params);
  if (parsedParams !== undefined) return textsIn(parsedParams).join('\n\n');
  const texts = [...params.matchAll(TEXT_ARGUMENT)].map(([, raw = '']) => unescapePartial(raw));
  return texts.filter(Boolean).join('\n\n');
}
const TEXT_ARGUMENT = /"(?:[^"\\]|\\.)*"\s*:\s*"((?:[^"\\]|\\.)*)/gs;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function unescapePartial(raw: string): string {
  try {
    return JSON.parse(`"${raw.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"`) as string;
  } catch {
    return raw;
  }
}

/** Reads the suggestions. The format of these fields is undocumented: a list, or a state that contains one. */
function suggestionsOf({ recommend_actions, session_state }: KnownMessage): readonly Suggestion[] {
  const state = isRecord(session_state) ? session_state : {};
  const lists = [recommend_actions, state['recommend_actions'], state['suggestions']];
  return lists.map(toSuggestions).find(({ length }) => length > 0) ?? [];
}

function toSuggestions(actions: unknown): readonly Suggestion[] {
  if (!Array.isArray(actions)) return [];
  return (actions as unknown[]).flatMap((action) => {
    if (typeof action === 'string') return [{ label: action, prompt: action }];
    if (!isRecord(action)) return [];
    const label = action['label'] ?? action['title'];
    const prompt = action['text'] ?? label;
    return typeof label === 'string' && typeof prompt === 'string' ? [{ label, prompt }] : [];
  });
}

/** The project of the conversation. A reply that replaces the first one, after an edit too, belongs to its project. */
const projectOf = ({ messages, fork }: Turn): unknown =>
  [...(fork?.reply ? [fork.reply] : []), ...messages].findLast(({ metadata }) => metadata?.['projectId'])?.metadata?.[
    'projectId'
  ];

function sentMessages(turn: Turn): readonly WireMessage[] {
  const history = sentHistory(turn);
  // The server may still run the calls of an unfinished reply.
  const start = history.findLastIndex(({ role }) => role === 'user');
  return history.flatMap((message, index) => toWireMessages(message, index > start));
}

/**
 * Converts a message to the protocol's form: with the server's stored fields, its calls, and their results after it.
 * Omits calls without a result, such as stopped ones, because models reject them in every later turn.
 */
function toWireMessages(message: ChatMessage, isRunning: boolean): readonly WireMessage[] {
  const stored = message.metadata?.['wireMessage'];
  const { tool_calls, ...opaque } = isRecord(stored) ? stored : {};
  const thinking = opaque['thinking'] === true;
  const blocks = message.blocks.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
  const storedCalls = wireCalls.safeParse(tool_calls);
  const all = storedCalls.success
    ? storedCalls.data.map((call) => withRunArguments(call, blocks))
    : blocks.map(toWireCall);
  const calls = isRunning ? all : all.filter((call) => resultOf(call, blocks) !== undefined);
  const wireMessage: WireMessage = {
    ...opaque,
    id: message.metadata?.['messageId'] ?? message.id,
    role: message.role === 'user' ? 'user' : 'assistant',
    content: thinking ? reasoningOf(message) : textOf(message),
    thinking,
    ...(calls.length > 0 ? { tool_calls: calls } : all.length === 0 && tool_calls !== undefined && { tool_calls }),
  };
  const results = calls.flatMap((call): readonly WireMessage[] => {
    const content = resultOf(call, blocks);
    if (content === undefined) return [];
    const resultFields = message.metadata?.[resultKey(call.id)];
    const id = blocks.find(({ tool_call }) => tool_call.id === call.id)?.id ?? `${call.id}.result`;
    const storedContent = isRecord(resultFields) ? resultFields['content'] : undefined;
    const resultContent = typeof storedContent === 'string' ? storedContent : content;
    const result = {
      id,
      role: 'tool',
      thinking: false,
      ...(isRecord(resultFields) && resultFields),
      content: resultContent,
      tool_call_id: call.id,
    };
    return [result];
  });
  const isEmpty = wireMessage['role'] === 'assistant' && wireMessage['content'] === '' && calls.length === 0;
  // A completed message is sent back unchanged.
  return isEmpty && (all.length > 0 || !isRecord(stored)) ? [] : [wireMessage, ...results];
}

/** The result of a call. A call of the tool `think` is rendered as reasoning, without its result, which may be stored. */
const resultOf = (call: WireCall, blocks: readonly BlockOf<'tool_call'>[]): string | undefined =>
  call.function.name === THINK_TOOL ? '' : blocks.find(({ tool_call }) => tool_call.id === call.id)?.tool_call.response;

const wireCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) });
const wireCalls = z.array(wireCall);
type WireCall = z.infer<typeof wireCall>;

/** A server call with its executed arguments. */
function withRunArguments(call: WireCall, blocks: readonly BlockOf<'tool_call'>[]): WireCall {
  const sent = call.function['arguments'];
  const block = blocks.find(({ tool_call }) => tool_call.id === call.id);
  return typeof sent === 'string'
    ? { ...call, function: { ...call.function, arguments: ranArguments(sent, block) } }
    : call;
}

const toWireCall = ({ id, tool_call }: BlockOf<'tool_call'>) => ({
  id: tool_call.id ?? id,
  type: 'function',
  function: { name: tool_call.name ?? '', arguments: tool_call.params ?? '' },
});

const reasoningOf = (message: ChatMessage): string =>
  message.blocks.map((block) => (block.type === 'reasoning_content' ? block.content : '')).join('');

const toOpenAiTool = (tool: ToolSpec): object => ({ type: 'function', function: tool });
