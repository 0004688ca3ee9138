/** The AgentScope Runtime's stream: a response, its messages, their contents. Source: `agentscope.md`, A. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { a2uiMessages, collectSurfaces } from '../shared/a2ui-messages.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { maybe, maybeNumber, maybeRecord, maybeText } from '../shared/maybe.ts';
import { fit } from '../shared/read-frames.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';
import type { AdapterEvent, DecodeContext } from '../adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const problem = maybe(z.object({ code: maybe(z.coerce.string()), message: maybeText }));
const usage = maybe(
  z.object({
    input_tokens: maybeNumber,
    output_tokens: maybeNumber,
    prompt_tokens: maybeNumber,
    completion_tokens: maybeNumber,
    total_tokens: maybeNumber,
  }),
);
const content = z.object({
  type: maybeText,
  index: maybeNumber,
  delta: maybe(z.boolean()),
  status: maybeText,
  msg_id: maybeText,
  text: maybeText,
  refusal: maybeText,
  data: z.exactOptional(z.unknown()),
  format: maybeText,
  image_url: maybeText,
  video_url: maybeText,
  file_url: maybeText,
  file_data: maybeText,
  filename: maybeText,
});
const message = z.object({
  id: z.catch(z.string(), ''),
  type: maybeText,
  role: maybeText,
  status: maybeText,
  content: maybe(z.array(content)),
  error: problem,
  code: maybe(z.coerce.string()),
  message: maybeText,
  usage,
});
const wire = z.discriminatedUnion('object', [
  z.object({
    object: z.literal('response'),
    id: maybeText,
    status: maybeText,
    session_id: maybeText,
    error: problem,
    output: maybe(z.array(message)),
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

export function makeRuntimeReply({ eventId, report }: DecodeContext) {
  /** What kind of message each id is. */
  const types = new Map<string, string>();
  /** What is shown, in its order, and what has been told of it. */
  const parts = new Map<string, Part>();
  let told: readonly Part[] = [];
  /** Calls that the server leaves to the page. */
  const client = new Set<string>();
  const data = new Map<string, Record<string, unknown>>();
  const tellSurfaces = collectSurfaces();
  let id = 'reply';
  let refused = false;
  let parked = false;
  let over = false;
  let counted: Response['usage'];

  const response = (fields: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...fields } });
  const fail = (error: { readonly code?: string | null | undefined; readonly message?: string | null | undefined }) => {
    const words = error.message || error.code || 'The agent reports an error.';
    return { type: 'error', data: { eventId, error: words, ...(error.code && { code: error.code }) } } as const;
  };
  /** Whole contents: what was told of them grows, or is told anew. */
  const show = (): readonly AdapterEvent[] => {
    const after = [...parts.values()];
    const events = snapshotEvents({ id }, told, after);
    told = after;
    return events.map((fields) => {
      const remote = fields.tool_call_id !== undefined && !client.has(fields.tool_call_id);
      return response(remote ? { ...fields, tool_call_remote: true } : fields);
    });
  };
  const put = (key: string, part: Part): readonly AdapterEvent[] => {
    parts.set(key, part);
    return show();
  };
  const say = (key: string, kind: 'text' | 'reasoning', { text, refusal, delta }: Content): readonly AdapterEvent[] => {
    const words = text ?? refusal ?? '';
    const known = parts.get(key);
    const before = known?.kind === kind ? known.text : '';
    if (delta !== true) return words === before ? [] : put(key, { kind, text: words });
    if (words === '') return [];
    const next: Part = { kind, text: before + words };
    parts.set(key, next);
    // Told at once where it is the last, which costs less than comparing everything with every piece.
    const lastKey = [...parts.keys()].at(-1);
    if (key !== lastKey || (known && told.length !== parts.size)) return show();
    told = known ? [...told.slice(0, -1), next] : [...told, next];
    return [response({ message: { id }, ...(kind === 'text' ? { content: words } : { reasoning_content: words }) })];
  };
  const callKey = (value: Readonly<Record<string, unknown>>): string => `call ${asText(value['call_id'])}`;
  const takeCall = (type: string, value: Readonly<Record<string, unknown>>): readonly AdapterEvent[] => {
    const key = callKey(value);
    const known = parts.get(key);
    const before = known?.kind === 'tool' ? known : undefined;
    const call = asText(value['call_id']);
    if (type === 'function_call' && before?.response === undefined) client.add(call);
    return put(key, {
      ...before,
      kind: 'tool',
      id: call,
      name: asText(value['name']) || (before?.name ?? ''),
      params: asText(value['arguments']) || (before?.params ?? ''),
    });
  };
  const takeOutput = (value: Readonly<Record<string, unknown>>, whole: boolean): readonly AdapterEvent[] => {
    const call = asText(value['call_id']);
    const known = parts.get(callKey(value));
    const before =
      known?.kind === 'tool' ? known : { kind: 'tool' as const, id: call, name: asText(value['name']), params: '' };
    client.delete(call);
    const output = asText(value['output']);
    if (whole) return put(callKey(value), { ...before, response: output });
    const started = known ? [] : put(callKey(value), before);
    if (output === '') return started;
    const running = { tool_call: 'running', tool_call_id: call, tool_call_remote: true } as const;
    return [...started, response({ ...running, tool_call_response_complete: output })];
  };
  const askFor = (value: Readonly<Record<string, unknown>>): readonly AdapterEvent[] => {
    const request = asText(value['id']);
    const toolName = asText(value['name']);
    parked = true;
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
  const takeData = (type: string, key: string, item: Content, whole: boolean): readonly AdapterEvent[] => {
    const value = maybeRecord.parse(item.data) ?? {};
    const merged = item.delta === true ? join(data.get(key), value) : value;
    data.set(key, merged);
    if (CALL.test(type)) return takeCall(type, merged);
    if (OUTPUT.test(type)) return takeOutput(merged, whole);
    if (!whole) return [];
    switch (type) {
      case 'mcp_approval_request':
        return askFor(merged);
      case 'a2ui_response': {
        const messages = a2uiMessages(merged);
        const surfaces = messages ? tellSurfaces(key, messages) : [{ ui: { ...merged, kind: 'a2ui' }, data_id: key }];
        return surfaces.map((surface) => response({ message: { id }, ...surface }));
      }
      case 'message':
        return put(key, { kind: 'data', id: key, data: { data_type: 'custom', data: merged } });
      default:
        return [];
    }
  };
  const takeContent = (messageId: string, item: Content, place = 0, all = false): readonly AdapterEvent[] => {
    const type = types.get(messageId) ?? 'message';
    if (type === 'user') return [];
    const key = `${messageId}/${String(item.index ?? place)}`;
    const whole = all || item.status === 'completed';
    switch (item.type) {
      case 'data':
        return takeData(type, key, item, whole);
      case 'text':
        return say(key, type === 'reasoning' ? 'reasoning' : 'text', item);
      case 'refusal':
        refused = true;
        return say(key, 'text', item);
      default: {
        const media = whole || item.delta !== true ? toMedia(item) : undefined;
        return media && !parts.has(key) ? put(key, { kind: 'media', media }) : [];
      }
    }
  };
  const takeMessage = (next: Message): readonly AdapterEvent[] => {
    types.set(next.id, next.role === 'user' ? 'user' : (next.type ?? 'message'));
    if (next.usage) counted = next.usage;
    const { error } = next;
    const failed = next.type === 'error' || (next.status === 'failed' && error);
    const said = (next.content ?? []).flatMap((item, place) =>
      takeContent(next.id, item, place, next.status === 'completed'),
    );
    return failed ? [...said, fail(error ?? { code: next.code, message: next.message })] : said;
  };
  const finish = (next: Response): readonly AdapterEvent[] => {
    over = true;
    const used = next.usage ?? counted;
    const events: AdapterEvent[] = [];
    if (used) events.push(response({ message: { id }, totalUsage: toUsage(used) }));
    switch (next.status) {
      case 'canceled':
        return [...events, response({ finish: 'cancelled' })];
      case 'incomplete':
        return [...events, response({ finish: 'max_tokens' })];
      case 'completed': {
        const waits = parked || client.size > 0;
        const clientCalls = client.size > 0 ? { metadata: { clientCalls: [...client] } } : {};
        return [...events, response({ ...clientCalls, finish: refused ? 'error' : waits ? 'tool_use' : 'complete' })];
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
    // The last one repeats everything that was told, and is all there is where nothing was streamed.
    if (parts.size === 0) events.push(...(next.output ?? []).flatMap(takeMessage));
    return ENDS.has(next.status ?? '') ? [...events, ...finish(next)] : events;
  };

  return {
    take(json: unknown, frame: Frame): readonly AdapterEvent[] {
      const event = over ? undefined : fit(wire, json, frame, report);
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

const ENDS = new Set(['completed', 'failed', 'canceled', 'rejected', 'incomplete']);

const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Pieces of strings go on; anything else is as it came last. */
function join(
  before: Readonly<Record<string, unknown>> | undefined,
  piece: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const joined = Object.entries(piece).map(([name, value]) => {
    const known = before?.[name];
    const grows = name === 'arguments' || name === 'output';
    return [name, grows && typeof known === 'string' && typeof value === 'string' ? known + value : (value ?? known)];
  });
  return { ...before, ...(Object.fromEntries(joined) as Record<string, unknown>) };
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

function toUsage(used: NonNullable<Response['usage']>): NonNullable<Data['totalUsage']> {
  const prompt_tokens = used.input_tokens ?? used.prompt_tokens ?? 0;
  const completion_tokens = used.output_tokens ?? used.completion_tokens ?? 0;
  return { prompt_tokens, completion_tokens, total_tokens: used.total_tokens ?? prompt_tokens + completion_tokens };
}
