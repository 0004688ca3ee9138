/**
 * Converts the stream of the AgentScope Runtime (a response, its messages, their contents) to events. Source:
 * `docs/protocols/agentscope.md`; agentscope-ai/agentscope-runtime.
 */
import type { AgentEventOf, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { exactJson } from '../core/exact-json.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { a2uiMessages, collectSurfaces } from '../shared/a2ui-messages.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { lenient, lenientNumber, lenientRecord, lenientString } from '../shared/lenient.ts';
import { fit } from '../core/read-frames.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Events = readonly AdapterEvent[];
type Json = Readonly<Record<string, unknown>>;

const problem = lenient(z.object({ code: lenient(z.coerce.string()), message: lenientString }));
const usage = lenient(
  z.object({
    input_tokens: lenientNumber,
    output_tokens: lenientNumber,
    prompt_tokens: lenientNumber,
    completion_tokens: lenientNumber,
    total_tokens: lenientNumber,
  }),
);
const content = z.object({
  type: lenientString,
  index: lenientNumber,
  delta: lenient(z.boolean()),
  status: lenientString,
  msg_id: lenientString,
  text: lenientString,
  refusal: lenientString,
  data: z.exactOptional(z.unknown()),
  format: lenientString,
  image_url: lenientString,
  video_url: lenientString,
  file_url: lenientString,
  file_data: lenientString,
  file_id: lenientString,
  filename: lenientString,
});
const message = z.object({
  id: z.catch(z.string(), ''),
  type: lenientString,
  role: lenientString,
  status: lenientString,
  content: lenient(z.array(content)),
  error: problem,
  code: lenient(z.coerce.string()),
  message: lenientString,
  usage,
});
const wire = z.discriminatedUnion('object', [
  z.object({
    object: z.literal('response'),
    id: lenientString,
    status: lenientString,
    session_id: lenientString,
    error: problem,
    output: lenient(z.array(message)),
    usage,
  }),
  z.object({ ...message.shape, object: z.literal('message') }),
  z.object({ ...content.shape, object: z.literal('content') }),
]);
type Wire = z.infer<typeof wire>;
type Content = z.infer<typeof content>;
type Message = z.infer<typeof message>;
type Response = Extract<Wire, { readonly object: 'response' }>;

const CALL = /^(?:function|plugin|component|mcp)_call$/;
const OUTPUT = /^(?:function|plugin|component|mcp)_call_output$/;

/** The state of one reply, and what an object of the stream changes in it. */
export class RuntimeReply {
  readonly #context: DecodeContext;
  /** The type of each message, by id. */
  readonly #types = new Map<string, string>();
  /** The current parts of the reply, by key, in their order. */
  readonly #parts = new Map<string, Part>();
  /** The parts as they were last emitted. */
  #emitted: readonly Part[] = [];
  /** Function calls without an output so far. Those that are left at the end are run by the page. */
  readonly #pageCalls = new Set<string>();
  /** The merged data of each streamed object, by key. */
  readonly #dataByKey = new Map<string, Json>();
  readonly #surfaceEvents = collectSurfaces();
  #id = 'reply';
  #isRefused = false;
  #isWaiting = false;
  #isOver = false;
  #lastUsage: Response['usage'];
  /** The texts of the errors of messages. */
  readonly #errors = new Set<string>();

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(json: unknown, frame: Frame): Events {
    const event = this.#isOver ? undefined : fit(wire, json, frame, this.#context.report);
    return event ? OBJECT_HANDLERS[event.object](this, event as never) : [];
  }

  takeResponse(next: Response): Events {
    const isEmpty = this.#parts.size === 0;
    const begins = next.status === 'created' || isEmpty ? this.#begin(next) : [];
    // The final response repeats the complete reply. Without streaming, it is the only response. It may also have a message that
    // was not streamed.
    const isFinal = FINAL_STATES.has(next.status ?? '');
    const unseen = (next.output ?? []).filter((message) => isEmpty || (isFinal && !this.#isShown(message)));
    const output = unseen.flatMap((message) => this.takeMessage(message));
    return [...begins, ...output, ...(isFinal ? this.#finish(next) : [])];
  }

  takeMessage(next: Message): Events {
    this.#types.set(next.id, next.role === 'user' ? 'user' : (next.type ?? 'message'));
    if (next.usage) this.#lastUsage = next.usage;
    const { error } = next;
    const isComplete = next.status === 'completed';
    const events = (next.content ?? []).flatMap((item, position) =>
      this.takeContent(next.id, item, position, isComplete),
    );
    const failed = next.type === 'error' || (next.status === 'failed' && error);
    if (!failed) return events;
    const fail = this.#fail(error ?? { code: next.code, message: next.message });
    if (this.#errors.has(fail.data.error)) return events;
    this.#errors.add(fail.data.error);
    return [...events, fail];
  }

  takeContent(messageId: string, item: Content, position = 0, messageComplete = false): Events {
    const type = this.#types.get(messageId) ?? 'message';
    if (type === 'user') return [];
    const key = `${messageId}/${String(item.index ?? position)}`;
    const target = { type, key, isComplete: messageComplete || item.status === 'completed' };
    const kind = item.type ?? '';
    const handler = Object.hasOwn(CONTENT_HANDLERS, kind) ? CONTENT_HANDLERS[kind] : undefined;
    return handler?.(this, item, target) ?? this.#takeMedia(item, target);
  }

  appendText(key: string, kind: 'text' | 'reasoning', { text, refusal, delta }: Content): Events {
    const newText = text ?? refusal ?? '';
    const existing = this.#parts.get(key);
    const earlierText = existing?.kind === kind ? existing.text : '';
    // `begins`: this text does not continue that of an earlier content or message.
    if (delta !== true) return newText === earlierText ? [] : this.put(key, { kind, text: newText, begins: true });
    if (newText === '') return [];
    const next: Part = { kind, text: earlierText + newText, begins: true };
    this.#parts.set(key, next);
    // The last part is emitted directly: comparing all parts with every chunk would cost more.
    const lastKey = [...this.#parts.keys()].at(-1);
    if (key !== lastKey || (existing && this.#emitted.length !== this.#parts.size)) return this.#emitChanges();
    this.#emitted = existing ? [...this.#emitted.slice(0, -1), next] : [...this.#emitted, next];
    const field = kind === 'reasoning' ? 'reasoning_content' : 'content';
    return [this.#ownEvent({ [field]: newText, ...(!existing && { content_begins: true }) })];
  }

  refuse(key: string, item: Content): Events {
    this.#isRefused = true;
    return this.appendText(key, 'text', item);
  }

  takeData(item: Content, { type, key, isComplete }: Target): Events {
    const value = lenientRecord.parse(item.data) ?? {};
    const merged = item.delta === true ? join(this.#dataByKey.get(key), value) : value;
    this.#dataByKey.set(key, merged);
    if (CALL.test(type)) return this.#takeCall(type, merged);
    if (OUTPUT.test(type)) return this.#takeOutput(merged, isComplete);
    const handler = isComplete && Object.hasOwn(DATA_HANDLERS, type) ? DATA_HANDLERS[type] : undefined;
    return handler?.(this, key, merged) ?? [];
  }

  askPermission(value: Json): Events {
    const request = asText(value['id']);
    const toolName = asText(value['name']);
    this.#isWaiting = true;
    return [
      this.#ownEvent({
        tool_call: 'permission-required',
        tool_call_id: request,
        tool_call_name: toolName,
        tool_call_params_complete: asText(value['arguments']),
        permission_request: {
          toolName,
          serverName: asText(value['server_label']),
          permissionType: 'all',
          description: '',
        },
        request: { id: request },
      }),
    ];
  }

  showSurfaces(key: string, value: Json): Events {
    const messages = a2uiMessages(value);
    const surfaces = messages ? this.#surfaceEvents(key, messages) : [{ ui: { ...value, kind: 'a2ui' }, data_id: key }];
    return surfaces.map((surface) => this.#ownEvent(surface));
  }

  put(key: string, part: Part): Events {
    this.#parts.set(key, part);
    return this.#emitChanges();
  }

  /** Whether a message of the final response was streamed: it has its id, or the same text. */
  #isShown({ id, content }: Message): boolean {
    if (this.#types.has(id)) return true;
    const texts = (content ?? []).flatMap(({ text, refusal }) => text ?? refusal ?? []);
    return [...this.#parts.values()].some((part) => 'text' in part && texts.includes(part.text));
  }

  #begin(next: Response): Events {
    if (next.id) this.#id = next.id;
    return [this.#ownEvent({ metadata: { ...(next.session_id && { sessionId: next.session_id }) } })];
  }

  #takeMedia(item: Content, { key, isComplete }: Target): Events {
    const media = isComplete || item.delta !== true ? toMedia(item) : undefined;
    return media && !this.#parts.has(key) ? this.put(key, { kind: 'media', media }) : [];
  }

  #takeCall(type: string, value: Json): Events {
    const id = asText(value['call_id']);
    const key = callKey(id);
    const existing = this.#parts.get(key);
    const before = existing?.kind === 'tool' ? existing : undefined;
    if (type === 'function_call' && before?.response === undefined) this.#pageCalls.add(id);
    return this.put(key, {
      ...before,
      kind: 'tool',
      id,
      name: asText(value['name']) || (before?.name ?? ''),
      params: asText(value['arguments']) || (before?.params ?? ''),
    });
  }

  #takeOutput(value: Json, isComplete: boolean): Events {
    const id = asText(value['call_id']);
    const key = callKey(id);
    const existing = this.#parts.get(key);
    const before =
      existing?.kind === 'tool' ? existing : { kind: 'tool' as const, id, name: asText(value['name']), params: '' };
    this.#pageCalls.delete(id);
    const output = asText(value['output']);
    if (isComplete) return this.put(key, { ...before, response: output });
    const started = existing ? [] : this.put(key, before);
    if (output === '') return started;
    const runningCall = { tool_call: 'running', tool_call_id: id, tool_call_remote: true } as const;
    return [...started, this.#event({ ...runningCall, tool_call_response_complete: output })];
  }

  #finish(next: Response): Events {
    this.#isOver = true;
    const usage = next.usage ?? this.#lastUsage;
    return [...(usage ? [this.#ownEvent({ totalUsage: toUsage(usage) })] : []), ...this.#endEvents(next)];
  }

  #endEvents({ status, error }: Response): Events {
    if (status === 'canceled') return [this.#event({ finish: 'cancelled' })];
    if (status === 'incomplete') return [this.#event({ finish: 'max_tokens' })];
    if (status !== 'completed') {
      // A message of type `error` may have told the same before.
      const fail = this.#fail(error ?? { code: status });
      return [...(this.#errors.has(fail.data.error) ? [] : [fail]), this.#event({ finish: 'error' })];
    }
    const hasPageCalls = this.#pageCalls.size > 0;
    const finish = this.#isRefused ? 'error' : this.#isWaiting || hasPageCalls ? 'tool_use' : 'complete';
    return [this.#event({ ...(hasPageCalls && { metadata: { clientCalls: [...this.#pageCalls] } }), finish })];
  }

  /** Emits the difference between the current parts and those emitted before. */
  #emitChanges(): Events {
    const current = [...this.#parts.values()];
    const events = snapshotEvents({ id: this.#id }, this.#emitted, current);
    this.#emitted = current;
    return events.map((fields) => {
      const remote = fields.tool_call_id !== undefined && !this.#pageCalls.has(fields.tool_call_id);
      return this.#event(remote ? { ...fields, tool_call_remote: true } : fields);
    });
  }

  #event(fields: Data): AdapterEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...fields } };
  }

  /** An event that names the message it belongs to. */
  #ownEvent(fields: Data): AdapterEvent {
    return this.#event({ message: { id: this.#id }, ...fields });
  }

  #fail({ code, message: text }: NonNullable<Response['error']>): AgentEventOf<'error'> {
    const error = text || code || 'The agent reports an error.';
    return { type: 'error', data: { eventId: this.#context.eventId, error, ...(code && { code }) } };
  }
}

/** Where a content belongs. */
interface Target {
  /** The type of its message. */
  readonly type: string;
  readonly key: string;
  readonly isComplete: boolean;
}

/** How each type of object is handled. */
const OBJECT_HANDLERS: {
  readonly [Name in Wire['object']]: (reply: RuntimeReply, event: Extract<Wire, { readonly object: Name }>) => Events;
} = {
  response: (reply, event) => reply.takeResponse(event),
  message: (reply, event) => reply.takeMessage(event),
  content: (reply, event) => reply.takeContent(event.msg_id ?? '', event),
};

/** How each type of content is handled. The others are media. */
const CONTENT_HANDLERS: Readonly<Record<string, (reply: RuntimeReply, item: Content, target: Target) => Events>> = {
  data: (reply, item, target) => reply.takeData(item, target),
  text: (reply, item, { type, key }) => reply.appendText(key, type === 'reasoning' ? 'reasoning' : 'text', item),
  refusal: (reply, item, { key }) => reply.refuse(key, item),
};

/** How the complete data of each type of message is handled. */
const DATA_HANDLERS: Readonly<Record<string, (reply: RuntimeReply, key: string, value: Json) => Events>> = {
  mcp_approval_request: (reply, _, value) => reply.askPermission(value),
  a2ui_response: (reply, key, value) => reply.showSurfaces(key, value),
  message: (reply, key, value) => reply.put(key, { kind: 'data', id: key, data: { data_type: 'custom', data: value } }),
};

const callKey = (id: string): string => `call ${id}`;

const FINAL_STATES = new Set(['completed', 'failed', 'canceled', 'rejected', 'incomplete']);

const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : exactJson(value);

/** Merges a streamed object: `arguments` and `output` are appended, other fields take the newest value. */
function join(earlier: Json | undefined, chunk: Json): Json {
  const joined = Object.entries(chunk).map(([name, value]) => {
    const earlierValue = earlier?.[name];
    const isStreamed = name === 'arguments' || name === 'output';
    return [
      name,
      isStreamed && typeof earlierValue === 'string' && typeof value === 'string'
        ? earlierValue + value
        : (value ?? earlierValue),
    ];
  });
  return { ...earlier, ...(Object.fromEntries(joined) as Json) };
}

function toMedia(item: Content): Extract<Part, { readonly kind: 'media' }>['media'] | undefined {
  const { type, filename, format } = item;
  const source = {
    image: item.image_url,
    audio: typeof item.data === 'string' ? item.data : undefined,
    video: item.video_url,
    file: item.file_url ?? item.file_data,
  }[type ?? ''];
  if (!isMediaKind(type)) return undefined;
  // A file that only the server can read has a name.
  const shownName = filename ?? (source ? undefined : item.file_id);
  const name = shownName ? { name: shownName } : {};
  if (!source) return type === 'file' && shownName ? { kind: type, ...name } : undefined;
  const inline = parseDataUrl(source);
  if (inline) return { kind: type, ...inline, ...name };
  if (type === 'audio' && !/^https?:/i.test(source)) {
    return { kind: type, data: source, mimeType: `audio/${format ?? 'wav'}`, ...name };
  }
  return type === 'file' && !item.file_url
    ? { kind: type, data: source, ...name }
    : { kind: type, url: source, ...name };
}

const isMediaKind = (type: unknown): type is 'image' | 'audio' | 'video' | 'file' =>
  type === 'image' || type === 'audio' || type === 'video' || type === 'file';

function toUsage(tokens: NonNullable<Response['usage']>): NonNullable<Data['totalUsage']> {
  const prompt_tokens = tokens.input_tokens ?? tokens.prompt_tokens ?? 0;
  const completion_tokens = tokens.output_tokens ?? tokens.completion_tokens ?? 0;
  return { prompt_tokens, completion_tokens, total_tokens: tokens.total_tokens ?? prompt_tokens + completion_tokens };
}
