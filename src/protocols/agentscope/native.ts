/** The events of AgentScope 2, and Java's in camelCase. Source: `agentscope.md`, B. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { knownBlocks, toMedia, type MsgBlock } from '../../model/agentscope-msg.ts';
import type { Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { joinBase64 } from '../shared/join-base64.ts';
import { maybe, maybeNumber, maybeRecord, maybeText } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../shared/read-frames.ts';
import type { AdapterEvent, DecodeContext, Turn } from '../adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const toolCall = z.looseObject({ id: z.string(), name: z.catch(z.string(), ''), input: z.exactOptional(z.unknown()) });
type WireCall = z.infer<typeof toolCall>;
const calls = maybe(z.array(toolCall));
const named = maybe(z.object({ id: maybeText }));

const wire = z.object({
  type: z.string(),
  id: maybeText,
  reply_id: maybeText,
  session_id: maybeText,
  /** In Java: of which agent's below this one the event is. */
  source: maybeText,
  hint_source: maybeText,
  name: maybeText,
  block_id: maybeText,
  delta: maybeText,
  data: z.exactOptional(z.unknown()),
  media_type: maybeText,
  url: maybeText,
  hint: z.exactOptional(z.unknown()),
  tool_call_id: maybeText,
  tool_call_name: maybeText,
  state: maybeText,
  tool_calls: calls,
  denied_tool_calls: calls,
  confirm_results: maybe(z.array(z.object({ confirmed: maybe(z.boolean()), tool_call: named, toolCall: named }))),
  model_name: maybeText,
  input_tokens: maybeNumber,
  output_tokens: maybeNumber,
  usage: maybe(z.object({ inputTokens: maybeNumber, outputTokens: maybeNumber })),
  finished_reason: maybeText,
  error: maybe(z.object({ type: maybeText, message: maybeText })),
  value: maybeRecord,
  result: maybeRecord,
});
type Event = z.infer<typeof wire>;

/** The names that Java's servers also take. */
const aliases = new Map([
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

export function makeNativeReply({ eventId, turn, report }: DecodeContext) {
  const isReplay = watchReplay(turn);
  /** The reply that the turn is about: those of other agents may run beside it. */
  let main: string | undefined;
  let java = false;
  let parked = false;
  let over = false;
  /** What was said last, to tell a text from one right behind it. */
  let lastBlock: string | undefined;
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  const started = new Set<string>();
  const open = new Set<string>();
  /** By call, the words of its result so far. */
  const results = new Map<string, string>();
  const pieces = new Map<string, { mimeType: string; readonly data: string[] }>();

  const response = ({ reply_id: id, source }: Event, data: Data): AdapterEvent => {
    const name = source?.split('/').at(-1);
    const message = id ? { message: { id, ...(java && name && { name }) } } : {};
    return { type: 'response', data: { eventId, ...message, ...data } };
  };
  const say = (event: Event, kind: 'content' | 'reasoning_content'): readonly AdapterEvent[] => {
    const key = `${kind} ${event.reply_id ?? ''} ${event.block_id ?? ''}`;
    const begins = kind === 'content' && lastBlock !== key;
    lastBlock = key;
    if (!event.delta) return [];
    return [response(event, { [kind]: event.delta, ...(begins && { content_begins: true }) })];
  };
  const start = (event: Event, { id, name, input }: WireCall): readonly AdapterEvent[] => {
    if (started.has(id)) return [];
    started.add(id);
    open.add(id);
    const params = input === undefined ? {} : { tool_call_params: asJson(input) };
    return [response(event, { tool_call: 'start', tool_call_id: id, tool_call_name: name, ...params })];
  };
  const endCall = (event: Event, id: string, state: string): readonly AdapterEvent[] => {
    open.delete(id);
    const words = results.get(id) ?? '';
    results.delete(id);
    const failed = FAILED.has(state);
    return [
      response(event, {
        tool_call: failed ? 'error' : 'end',
        tool_call_id: id,
        ...(event.tool_call_name && { tool_call_name: event.tool_call_name }),
        tool_call_response_complete: words,
        ...(failed && { tool_call_error: { message: words || state, code: state } }),
      }),
    ];
  };
  const askFor = (event: Event, list: readonly WireCall[]): readonly AdapterEvent[] =>
    list.map((block) =>
      response(event, {
        tool_call: 'permission-required',
        tool_call_id: block.id,
        tool_call_name: block.name,
        tool_call_params_complete: asJson(block.input),
        permission_request: { toolName: block.name, serverName: '', permissionType: 'all', description: '' },
        // The answer carries the call as the server has sent it.
        request: {
          id: block.id,
          extra: { replyId: event.reply_id ?? '', toolCall: JSON.stringify(block), editable: true },
        },
      }),
    );

  const takers: Readonly<Record<string, (event: Event) => readonly AdapterEvent[]>> = {
    REPLY_START: (event) => {
      if (!(java && event.source)) main ??= event.reply_id ?? undefined;
      const message = event.reply_id ? { id: event.reply_id, ...(event.name && { name: event.name }) } : undefined;
      const facts = {
        ...(event.session_id && { sessionId: event.session_id }),
        ...(event.reply_id && { replyId: event.reply_id }),
        ...(event.id && { replyStart: event.id }),
        dialect: java ? 'java' : 'native',
      };
      return [response(event, { ...(message && { message }), metadata: facts })];
    },
    MODEL_CALL_START: (event) => (event.model_name ? [response(event, { metadata: { model: event.model_name } })] : []),
    MODEL_CALL_END: (event) => {
      const prompt = event.input_tokens ?? event.usage?.inputTokens ?? 0;
      const completion = event.output_tokens ?? event.usage?.outputTokens ?? 0;
      usage.prompt_tokens += prompt;
      usage.completion_tokens += completion;
      usage.total_tokens += prompt + completion;
      return [response(event, { totalUsage: { ...usage } })];
    },
    TEXT_BLOCK_DELTA: (event) => say(event, 'content'),
    THINKING_BLOCK_DELTA: (event) => say(event, 'reasoning_content'),
    DATA_BLOCK_START: (event) => {
      pieces.set(event.block_id ?? '', { mimeType: event.media_type ?? '', data: [] });
      return [];
    },
    DATA_BLOCK_DELTA: (event) => {
      const id = event.block_id ?? '';
      const block = pieces.get(id) ?? { mimeType: '', data: [] };
      block.mimeType ||= event.media_type ?? '';
      const piece = typeof event.data === 'string' ? event.data : event.delta;
      if (piece) block.data.push(piece);
      pieces.set(id, block);
      return [];
    },
    DATA_BLOCK_END: (event) => {
      const block = pieces.get(event.block_id ?? '');
      pieces.delete(event.block_id ?? '');
      // Each piece was encoded by itself, with a padding of its own.
      const data = joinBase64(block?.data ?? []);
      const { mimeType = '' } = block ?? {};
      return data === undefined ? [] : [response(event, { media: { kind: kindOf(mimeType), data, mimeType } })];
    },
    HINT_BLOCK: (event) => {
      const from = event.hint_source ?? (java ? undefined : event.source);
      const words = blocksOf(event.hint).map((block) => (block.type === 'text' ? block.text : ''));
      const message = [from, words.join('')].filter(Boolean).join(': ');
      const media = blocksOf(event.hint).flatMap((block) => toMedia(block) ?? []);
      return [
        ...(message ? [response(event, { phase: { name: 'hint', message } })] : []),
        ...media.map((item) => response(event, { media: item })),
      ];
    },
    TOOL_CALL_START: (event) => start(event, { id: event.tool_call_id ?? '', name: event.tool_call_name ?? '' }),
    TOOL_CALL_DELTA: (event) =>
      event.delta ? [response(event, { ...callOf(event), tool_call: 'update', tool_call_params: event.delta })] : [],
    TOOL_RESULT_START: (event) => start(event, { id: event.tool_call_id ?? '', name: event.tool_call_name ?? '' }),
    TOOL_RESULT_TEXT_DELTA: (event) => {
      if (!event.delta) return [];
      const id = event.tool_call_id ?? '';
      results.set(id, (results.get(id) ?? '') + event.delta);
      return [response(event, { ...callOf(event), tool_call: 'running', tool_call_response: event.delta })];
    },
    TOOL_RESULT_DATA_DELTA: (event) => {
      const [block] = isRecord(event.data) ? blocksOf([event.data]) : [];
      const source = typeof event.data === 'string' ? { data: event.data } : event.url ? { url: event.url } : undefined;
      const mimeType = event.media_type ?? '';
      const media = block ? toMedia(block) : source && { kind: kindOf(mimeType), mimeType, ...source };
      return media ? [response(event, { media })] : [];
    },
    TOOL_RESULT_END: (event) => endCall(event, event.tool_call_id ?? '', event.state ?? 'success'),
    ALL_TOOLS_DENIED: (event) =>
      (event.denied_tool_calls ?? []).flatMap(({ id }) => (open.has(id) ? endCall(event, id, 'denied') : [])),
    REQUIRE_USER_CONFIRM: (event) => {
      const list = event.tool_calls ?? [];
      parked = true;
      return [
        ...list.flatMap((call) => start(event, call)),
        ...askFor(event, list),
        response(event, { finish: 'tool_use' }),
      ];
    },
    REQUIRE_EXTERNAL_EXECUTION: (event) => {
      const list = event.tool_calls ?? [];
      const ours = list.map(({ id }) => id);
      parked = true;
      // What else is open the server runs itself.
      const others = [...open].filter((id) => !ours.includes(id));
      return [
        ...list.flatMap((call) => start(event, call)),
        ...others.map((id) => response(event, { tool_call: 'running', tool_call_id: id, tool_call_remote: true })),
        response(event, { metadata: { clientCalls: ours }, finish: 'tool_use' }),
      ];
    },
    // Somebody may have decided elsewhere.
    USER_CONFIRM_RESULT: (event) => {
      parked = false;
      return (event.confirm_results ?? []).flatMap(({ confirmed, tool_call, toolCall: other }) => {
        const id = tool_call?.id ?? other?.id;
        const state = confirmed ? 'permission-granted' : 'permission-denied';
        return id ? [response(event, { tool_call: state, tool_call_id: id })] : [];
      });
    },
    EXCEED_MAX_ITERS: (event) => [response(event, { phase: { name: 'exceed_max_iters' } })],
    CUSTOM: (event) => {
      const value = event.value ?? {};
      if (event.name === 'state_updated' && Object.keys(value).length > 0)
        return [response(event, { state: { value } })];
      // A member of the team asks; its leader's session takes the answer.
      if (event.name !== 'subagent_require_user_confirm' || value['event_type'] !== 'require_user_confirm') return [];
      const asked = wire.safeParse(isRecord(value['event']) ? snakeKeys(value['event']) : undefined);
      if (!asked.success) return [];
      const speaker = { ...event, reply_id: main };
      return askFor(asked.data, asked.data.tool_calls ?? []).map((told) =>
        'data' in told && told.type === 'response' ? response(speaker, withoutSpeaker(told.data)) : told,
      );
    },
    AGENT_RESULT: (event) => {
      if (lastBlock !== undefined) return [];
      const words = blocksOf(event.result?.['content']).map((block) => (block.type === 'text' ? block.text : ''));
      return [response({ ...event, reply_id: main }, { content: words.join('') })];
    },
    REPLY_END: (event) => {
      if ((main !== undefined && event.reply_id && event.reply_id !== main) || (java && event.source)) return [];
      over = true;
      return endOf(event);
    },
  };
  const endOf = (event: Event): readonly AdapterEvent[] => {
    switch (event.finished_reason) {
      case 'error': {
        const { type, message } = event.error ?? {};
        const error = message || type || 'The agent reports an error.';
        const code = type ? { code: type, error_type: type } : {};
        return [{ type: 'error', data: { eventId, error, ...code } }, response(event, { finish: 'error' })];
      }
      case 'interrupted':
        return [response(event, { finish: 'cancelled' })];
      default:
        return [
          ...(event.finished_reason === 'exceed_max_iters'
            ? [response(event, { phase: { name: 'exceed_max_iters' } })]
            : []),
          response(event, { finish: parked ? 'tool_use' : 'complete' }),
        ];
    }
  };

  return {
    take(json: unknown, frame: Frame): readonly AdapterEvent[] {
      java ||= isRecord(json) && ['replyId', 'createdAt'].some((name) => Object.hasOwn(json, name));
      const event = fit(wire, isRecord(json) ? snakeKeys(json) : json, frame, report);
      if (!event || over || isReplay(event)) return [];
      const type = aliases.get(event.type) ?? event.type;
      const taker = Object.hasOwn(takers, type) ? takers[type] : undefined;
      if (!taker && !SILENT.has(type)) report({ kind: 'unknown', detail: `The event "${event.type}" is new.`, frame });
      return taker?.(event) ?? [];
    },
  };
}

/**
 * The stream begins with what the run before has told, as long as the server has not put it away. That is a reply of an
 * earlier turn, or the part of this one that was told before the reader was asked. One that is empty is to be told anew.
 */
function watchReplay({ messages }: Turn): (event: Event) => boolean {
  const reply = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const before = messages.filter(({ blocks }) => blocks.length > 0);
  const factsOf = (list: Turn['messages'], name: string) => new Set(list.map(({ metadata }) => metadata?.[name]));
  const starts = factsOf(before, 'replyStart');
  const replies = factsOf(messages.slice(0, reply), 'replyId');
  let replaying = false;
  return ({ type, id, reply_id }) => {
    if (type === 'REPLY_START' || type === 'AGENT_START') replaying = Boolean(id) && starts.has(id);
    // A run that goes on begins with what was decided.
    else if (type === 'USER_CONFIRM_RESULT' || type === 'EXTERNAL_EXECUTION_RESULT') replaying = false;
    return replaying || (Boolean(reply_id) && replies.has(reply_id));
  };
}

/** They say nothing that is not said elsewhere. */
const SILENT = new Set([
  'TEXT_BLOCK_START',
  'TEXT_BLOCK_END',
  'THINKING_BLOCK_START',
  'THINKING_BLOCK_END',
  'TOOL_CALL_END',
  'EXTERNAL_EXECUTION_RESULT',
  'USER_INTERRUPT',
  'REQUEST_STOP',
  'SUBAGENT_EXPOSED',
  'THREAD_EXPOSED',
]);
const FAILED = new Set(['error', 'interrupted', 'denied']);

const callOf = (event: Event): Pick<Data, 'tool_call_id' | 'tool_call_name'> => ({
  tool_call_id: event.tool_call_id ?? '',
  ...(event.tool_call_name && { tool_call_name: event.tool_call_name }),
});

const asJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

function withoutSpeaker(data: LLMAgentEventData): Data {
  const { message: _speaker, eventId: _id, ...rest } = data;
  return rest;
}

const snakeKeys = (json: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

function blocksOf(value: unknown): readonly MsgBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return knownBlocks({ content: list.filter((item): item is { type: string } => isRecord(item) && 'type' in item) });
}

const kindOf = (mimeType: string): Media['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};
