/**
 * Converts the stream of the AgentScope Runtime (a response, its messages, their contents) to events. Source:
 * `docs/protocols/agentscope.md`; agentscope-ai/agentscope-runtime.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { a2uiMessages, collectSurfaces } from '../shared/a2ui-messages.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { lenient, lenientNumber, lenientRecord, lenientString } from '../shared/lenient.ts';
import { fit } from '../core/read-frames.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

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
  z.extend(message, { object: z.literal('message') }),
  z.extend(content, { object: z.literal('content') }),
]);
type Content = z.infer<typeof content>;
type Message = z.infer<typeof message>;
type Response = Extract<z.infer<typeof wire>, { readonly object: 'response' }>;

const CALL = /^(?:function|plugin|component|mcp)_call$/;
const OUTPUT = /^(?:function|plugin|component|mcp)_call_output$/;

export function makeRuntimeDecoder({ eventId, report }: DecodeContext) {
  /** The type of each message, by id. */
  const types = new Map<string, string>();
  /** The current parts of the reply, by key, in their order. */
  const parts = new Map<string, Part>();
  /** The parts as they were last emitted. */
  let emitted: readonly Part[] = [];
  /** Calls that the page runs. */
  const pageCalls = new Set<string>();
  /** The merged data of each streamed object, by key. */
  const dataByKey = new Map<string, Record<string, unknown>>();
  const surfaceEvents = collectSurfaces();
  let id = 'reply';
  let refused = false;
  let isWaiting = false;
  let isOver = false;
  let lastUsage: Response['usage'];

  const response = (fields: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...fields } });
  const fail = (error: { readonly code?: string | null | undefined; readonly message?: string | null | undefined }) => {
    const text = error.message || error.code || 'The agent reports an error.';
    return { type: 'error', data: { eventId, error: text, ...(error.code && { code: error.code }) } } as const;
  };
  /** Emits the difference between the current parts and those emitted before. */
  const emitChanges = (): readonly AdapterEvent[] => {
    const current = [...parts.values()];
    const events = snapshotEvents({ id }, emitted, current);
    emitted = current;
    return events.map((fields) => {
      const remote = fields.tool_call_id !== undefined && !pageCalls.has(fields.tool_call_id);
      return response(remote ? { ...fields, tool_call_remote: true } : fields);
    });
  };
  const put = (key: string, part: Part): readonly AdapterEvent[] => {
    parts.set(key, part);
    return emitChanges();
  };
  const emitText = (
    key: string,
    kind: 'text' | 'reasoning',
    { text, refusal, delta }: Content,
  ): readonly AdapterEvent[] => {
    const newText = text ?? refusal ?? '';
    const existing = parts.get(key);
    const earlierText = existing?.kind === kind ? existing.text : '';
    // The text of another content or message does not continue the one before it.
    if (delta !== true) return newText === earlierText ? [] : put(key, { kind, text: newText, begins: true });
    if (newText === '') return [];
    const next: Part = { kind, text: earlierText + newText, begins: true };
    parts.set(key, next);
    // The last part is emitted directly: comparing all parts with every chunk would cost more.
    const lastKey = [...parts.keys()].at(-1);
    if (key !== lastKey || (existing && emitted.length !== parts.size)) return emitChanges();
    emitted = existing ? [...emitted.slice(0, -1), next] : [...emitted, next];
    if (kind === 'reasoning') return [response({ message: { id }, reasoning_content: newText })];
    return [response({ message: { id }, content: newText, ...(!existing && { content_begins: true }) })];
  };
  const callKey = (value: Readonly<Record<string, unknown>>): string => `call ${asText(value['call_id'])}`;
  const takeCall = (type: string, value: Readonly<Record<string, unknown>>): readonly AdapterEvent[] => {
    const key = callKey(value);
    const existing = parts.get(key);
    const before = existing?.kind === 'tool' ? existing : undefined;
    const call = asText(value['call_id']);
    if (type === 'function_call' && before?.response === undefined) pageCalls.add(call);
    return put(key, {
      ...before,
      kind: 'tool',
      id: call,
      name: asText(value['name']) || (before?.name ?? ''),
      params: asText(value['arguments']) || (before?.params ?? ''),
    });
  };
  const takeOutput = (value: Readonly<Record<string, unknown>>, complete: boolean): readonly AdapterEvent[] => {
    const call = asText(value['call_id']);
    const existing = parts.get(callKey(value));
    const before =
      existing?.kind === 'tool'
        ? existing
        : { kind: 'tool' as const, id: call, name: asText(value['name']), params: '' };
    pageCalls.delete(call);
    const output = asText(value['output']);
    if (complete) return put(callKey(value), { ...before, response: output });
    const started = existing ? [] : put(callKey(value), before);
    if (output === '') return started;
    const runningCall = { tool_call: 'running', tool_call_id: call, tool_call_remote: true } as const;
    return [...started, response({ ...runningCall, tool_call_response_complete: output })];
  };
  const permissionEvents = (value: Readonly<Record<string, unknown>>): readonly AdapterEvent[] => {
    const request = asText(value['id']);
    const toolName = asText(value['name']);
    isWaiting = true;
    return [
      response({
        message: { id },
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
  };
  const takeData = (type: string, key: string, item: Content, complete: boolean): readonly AdapterEvent[] => {
    const value = lenientRecord.parse(item.data) ?? {};
    const merged = item.delta === true ? join(dataByKey.get(key), value) : value;
    dataByKey.set(key, merged);
    if (CALL.test(type)) return takeCall(type, merged);
    if (OUTPUT.test(type)) return takeOutput(merged, complete);
    if (!complete) return [];
    switch (type) {
      case 'mcp_approval_request':
        return permissionEvents(merged);
      case 'a2ui_response': {
        const messages = a2uiMessages(merged);
        const surfaces = messages ? surfaceEvents(key, messages) : [{ ui: { ...merged, kind: 'a2ui' }, data_id: key }];
        return surfaces.map((surface) => response({ message: { id }, ...surface }));
      }
      case 'message':
        return put(key, { kind: 'data', id: key, data: { data_type: 'custom', data: merged } });
      default:
        return [];
    }
  };
  const takeContent = (
    messageId: string,
    item: Content,
    position = 0,
    messageComplete = false,
  ): readonly AdapterEvent[] => {
    const type = types.get(messageId) ?? 'message';
    if (type === 'user') return [];
    const key = `${messageId}/${String(item.index ?? position)}`;
    const complete = messageComplete || item.status === 'completed';
    switch (item.type) {
      case 'data':
        return takeData(type, key, item, complete);
      case 'text':
        return emitText(key, type === 'reasoning' ? 'reasoning' : 'text', item);
      case 'refusal':
        refused = true;
        return emitText(key, 'text', item);
      default: {
        const media = complete || item.delta !== true ? toMedia(item) : undefined;
        return media && !parts.has(key) ? put(key, { kind: 'media', media }) : [];
      }
    }
  };
  const takeMessage = (next: Message): readonly AdapterEvent[] => {
    types.set(next.id, next.role === 'user' ? 'user' : (next.type ?? 'message'));
    if (next.usage) lastUsage = next.usage;
    const { error } = next;
    const failed = next.type === 'error' || (next.status === 'failed' && error);
    const contentEvents = (next.content ?? []).flatMap((item, position) =>
      takeContent(next.id, item, position, next.status === 'completed'),
    );
    return failed ? [...contentEvents, fail(error ?? { code: next.code, message: next.message })] : contentEvents;
  };
  const finish = (next: Response): readonly AdapterEvent[] => {
    isOver = true;
    const finalUsage = next.usage ?? lastUsage;
    const events: AdapterEvent[] = [];
    if (finalUsage) events.push(response({ message: { id }, totalUsage: toUsage(finalUsage) }));
    switch (next.status) {
      case 'canceled':
        return [...events, response({ finish: 'cancelled' })];
      case 'incomplete':
        return [...events, response({ finish: 'max_tokens' })];
      case 'completed': {
        const hasPending = isWaiting || pageCalls.size > 0;
        const clientCalls = pageCalls.size > 0 ? { metadata: { clientCalls: [...pageCalls] } } : {};
        return [
          ...events,
          response({ ...clientCalls, finish: refused ? 'error' : hasPending ? 'tool_use' : 'complete' }),
        ];
      }
      default:
        return [...events, fail(next.error ?? { code: next.status }), response({ finish: 'error' })];
    }
  };
  const takeResponse = (next: Response): readonly AdapterEvent[] => {
    const events: AdapterEvent[] = [];
    if (next.status === 'created' || parts.size === 0) {
      if (next.id) id = next.id;
      events.push(response({ message: { id }, metadata: { ...(next.session_id && { sessionId: next.session_id }) } }));
    }
    // The final response repeats the complete reply. Without streaming, it is the only response.
    if (parts.size === 0) events.push(...(next.output ?? []).flatMap(takeMessage));
    return FINAL_STATES.has(next.status ?? '') ? [...events, ...finish(next)] : events;
  };

  return {
    take(json: unknown, frame: Frame): readonly AdapterEvent[] {
      const event = isOver ? undefined : fit(wire, json, frame, report);
      switch (event?.object) {
        case 'response':
          return takeResponse(event);
        case 'message':
          return takeMessage(event);
        case 'content':
          return takeContent(event.msg_id ?? '', event);
        default:
          return [];
      }
    },
  };
}

const FINAL_STATES = new Set(['completed', 'failed', 'canceled', 'rejected', 'incomplete']);

const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Merges a streamed object: `arguments` and `output` are appended, other fields take the newest value. */
function join(
  earlier: Readonly<Record<string, unknown>> | undefined,
  chunk: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
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
  return { ...earlier, ...(Object.fromEntries(joined) as Record<string, unknown>) };
}

function toMedia(item: Content): Extract<Part, { readonly kind: 'media' }>['media'] | undefined {
  const { type, filename, format } = item;
  const source = {
    image: item.image_url,
    audio: typeof item.data === 'string' ? item.data : undefined,
    video: item.video_url,
    file: item.file_url ?? item.file_data,
  }[type ?? ''];
  if (!source || !isMediaKind(type)) return undefined;
  const name = filename ? { name: filename } : {};
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
