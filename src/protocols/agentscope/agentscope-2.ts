/**
 * Converts the events of AgentScope 2; those of the Java version are in camelCase. Source: `docs/protocols/agentscope.md`;
 * agentscope-ai/agentscope.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { knownBlocks, msgBlockToMedia, type MsgBlock } from '../../formats/agentscope-msg.ts';
import type { Media } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { joinBase64 } from '../shared/files/join-base64.ts';
import { lenient, lenientNumber, lenientRecord, lenientString } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../core/read-frames.ts';
import type { AdapterEvent, DecodeContext, Turn } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const toolCall = z.looseObject({ id: z.string(), name: z.catch(z.string(), ''), input: z.exactOptional(z.unknown()) });
type WireCall = z.infer<typeof toolCall>;
const calls = lenient(z.array(toolCall));
const named = lenient(z.object({ id: lenientString }));

const wire = z.object({
  type: z.string(),
  id: lenientString,
  reply_id: lenientString,
  session_id: lenientString,
  /** Java only: path of the sub-agent that the event belongs to. */
  source: lenientString,
  hint_source: lenientString,
  name: lenientString,
  block_id: lenientString,
  delta: lenientString,
  data: z.exactOptional(z.unknown()),
  media_type: lenientString,
  url: lenientString,
  hint: z.exactOptional(z.unknown()),
  tool_call_id: lenientString,
  tool_call_name: lenientString,
  state: lenientString,
  tool_calls: calls,
  denied_tool_calls: calls,
  confirm_results: lenient(z.array(z.object({ confirmed: lenient(z.boolean()), tool_call: named, toolCall: named }))),
  model_name: lenientString,
  input_tokens: lenientNumber,
  output_tokens: lenientNumber,
  usage: lenient(z.object({ inputTokens: lenientNumber, outputTokens: lenientNumber })),
  finished_reason: lenientString,
  error: lenient(z.object({ type: lenientString, message: lenientString })),
  value: lenientRecord,
  result: lenientRecord,
});
type Event = z.infer<typeof wire>;

/** Alternative event names used by Java servers. */
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

export function makeNativeDecoder({ eventId, turn, report }: DecodeContext) {
  const isReplay = makeReplayCheck(turn);
  /** The id of the turn's main reply: replies of other agents may run in parallel. */
  let mainReply: string | undefined;
  let isJava = false;
  let isWaiting = false;
  let isOver = false;
  /** The last block, to separate consecutive text blocks. */
  let lastBlock: string | undefined;
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  const started = new Set<string>();
  const openCalls = new Set<string>();
  /** The result text so far, by call id. */
  const results = new Map<string, string>();
  const mediaChunks = new Map<string, { mimeType: string; readonly data: string[] }>();

  const response = ({ reply_id: id, source }: Event, data: Data): AdapterEvent => {
    const name = source?.split('/').at(-1);
    const message = id ? { message: { id, ...(isJava && name && { name }) } } : {};
    return { type: 'response', data: { eventId, ...message, ...data } };
  };
  const emitText = (event: Event, kind: 'content' | 'reasoning_content'): readonly AdapterEvent[] => {
    const key = `${kind} ${event.reply_id ?? ''} ${event.block_id ?? ''}`;
    const startsBlock = kind === 'content' && lastBlock !== key;
    lastBlock = key;
    if (!event.delta) return [];
    return [response(event, { [kind]: event.delta, ...(startsBlock && { content_begins: true }) })];
  };
  const startCall = (event: Event, { id, name, input }: WireCall): readonly AdapterEvent[] => {
    if (started.has(id)) return [];
    started.add(id);
    openCalls.add(id);
    const params = input === undefined ? {} : { tool_call_params: asJson(input) };
    return [response(event, { tool_call: 'start', tool_call_id: id, tool_call_name: name, ...params })];
  };
  const endCall = (event: Event, id: string, state: string): readonly AdapterEvent[] => {
    openCalls.delete(id);
    const text = results.get(id) ?? '';
    results.delete(id);
    const failed = FAILED_STATES.has(state);
    return [
      response(event, {
        tool_call: failed ? 'error' : 'end',
        tool_call_id: id,
        ...(event.tool_call_name && { tool_call_name: event.tool_call_name }),
        tool_call_response_complete: text,
        ...(failed && { tool_call_error: { message: text || state, code: state } }),
      }),
    ];
  };
  const permissionEvents = (event: Event, list: readonly WireCall[]): readonly AdapterEvent[] =>
    list.map((block) =>
      response(event, {
        tool_call: 'permission-required',
        tool_call_id: block.id,
        tool_call_name: block.name,
        tool_call_params_complete: asJson(block.input),
        permission_request: { toolName: block.name, serverName: '', permissionType: 'all', description: '' },
        // The answer must contain the call exactly as the server sent it.
        request: {
          id: block.id,
          extra: { replyId: event.reply_id ?? '', toolCall: JSON.stringify(block), editable: true },
        },
      }),
    );

  const handlers: Readonly<Record<string, (event: Event) => readonly AdapterEvent[]>> = {
    REPLY_START: (event) => {
      if (!(isJava && event.source)) mainReply ??= event.reply_id ?? undefined;
      const message = event.reply_id ? { id: event.reply_id, ...(event.name && { name: event.name }) } : undefined;
      const replyMetadata = {
        ...(event.session_id && { sessionId: event.session_id }),
        ...(event.reply_id && { replyId: event.reply_id }),
        ...(event.id && { replyStart: event.id }),
        dialect: isJava ? 'java' : 'native',
      };
      return [response(event, { ...(message && { message }), metadata: replyMetadata })];
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
    TEXT_BLOCK_DELTA: (event) => emitText(event, 'content'),
    THINKING_BLOCK_DELTA: (event) => emitText(event, 'reasoning_content'),
    DATA_BLOCK_START: (event) => {
      mediaChunks.set(event.block_id ?? '', { mimeType: event.media_type ?? '', data: [] });
      return [];
    },
    DATA_BLOCK_DELTA: (event) => {
      const id = event.block_id ?? '';
      const block = mediaChunks.get(id) ?? { mimeType: '', data: [] };
      block.mimeType ||= event.media_type ?? '';
      const chunk = typeof event.data === 'string' ? event.data : event.delta;
      if (chunk) block.data.push(chunk);
      mediaChunks.set(id, block);
      return [];
    },
    DATA_BLOCK_END: (event) => {
      const block = mediaChunks.get(event.block_id ?? '');
      mediaChunks.delete(event.block_id ?? '');
      // Each chunk is encoded separately, with its own padding.
      const data = joinBase64(block?.data ?? []);
      const { mimeType = '' } = block ?? {};
      return data === undefined ? [] : [response(event, { media: { kind: kindOf(mimeType), data, mimeType } })];
    },
    HINT_BLOCK: (event) => {
      const origin = event.hint_source ?? (isJava ? undefined : event.source);
      const texts = blocksOf(event.hint).map((block) => (block.type === 'text' ? block.text : ''));
      const message = [origin, texts.join('')].filter(Boolean).join(': ');
      const media = blocksOf(event.hint).flatMap((block) => msgBlockToMedia(block) ?? []);
      return [
        ...(message ? [response(event, { phase: { name: 'hint', message } })] : []),
        ...media.map((item) => response(event, { media: item })),
      ];
    },
    TOOL_CALL_START: (event) => startCall(event, { id: event.tool_call_id ?? '', name: event.tool_call_name ?? '' }),
    TOOL_CALL_DELTA: (event) =>
      event.delta ? [response(event, { ...callOf(event), tool_call: 'update', tool_call_params: event.delta })] : [],
    TOOL_RESULT_START: (event) => startCall(event, { id: event.tool_call_id ?? '', name: event.tool_call_name ?? '' }),
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
      const media = block ? msgBlockToMedia(block) : source && { kind: kindOf(mimeType), mimeType, ...source };
      return media ? [response(event, { media })] : [];
    },
    TOOL_RESULT_END: (event) => endCall(event, event.tool_call_id ?? '', event.state ?? 'success'),
    ALL_TOOLS_DENIED: (event) =>
      (event.denied_tool_calls ?? []).flatMap(({ id }) => (openCalls.has(id) ? endCall(event, id, 'denied') : [])),
    REQUIRE_USER_CONFIRM: (event) => {
      const list = event.tool_calls ?? [];
      isWaiting = true;
      return [
        ...list.flatMap((call) => startCall(event, call)),
        ...permissionEvents(event, list),
        response(event, { finish: 'tool_use' }),
      ];
    },
    REQUIRE_EXTERNAL_EXECUTION: (event) => {
      const list = event.tool_calls ?? [];
      const clientIds = list.map(({ id }) => id);
      isWaiting = true;
      // The server runs the other open calls itself.
      const others = [...openCalls].filter((id) => !clientIds.includes(id));
      return [
        ...list.flatMap((call) => startCall(event, call)),
        ...others.map((id) => response(event, { tool_call: 'running', tool_call_id: id, tool_call_remote: true })),
        response(event, { metadata: { clientCalls: clientIds }, finish: 'tool_use' }),
      ];
    },
    // The decision may come from another client.
    USER_CONFIRM_RESULT: (event) => {
      isWaiting = false;
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
      // A member of the team asks; the answer goes to the session of its leader.
      if (event.name !== 'subagent_require_user_confirm' || value['event_type'] !== 'require_user_confirm') return [];
      const parsed = wire.safeParse(isRecord(value['event']) ? snakeKeys(value['event']) : undefined);
      if (!parsed.success) return [];
      const leaderEvent = { ...event, reply_id: mainReply };
      return permissionEvents(parsed.data, parsed.data.tool_calls ?? []).map((permission) =>
        'data' in permission && permission.type === 'response'
          ? response(leaderEvent, withoutMessage(permission.data))
          : permission,
      );
    },
    AGENT_RESULT: (event) => {
      if (lastBlock !== undefined) return [];
      const texts = blocksOf(event.result?.['content']).map((block) => (block.type === 'text' ? block.text : ''));
      return [response({ ...event, reply_id: mainReply }, { content: texts.join('') })];
    },
    REPLY_END: (event) => {
      if ((mainReply !== undefined && event.reply_id && event.reply_id !== mainReply) || (isJava && event.source))
        return [];
      isOver = true;
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
          response(event, { finish: isWaiting ? 'tool_use' : 'complete' }),
        ];
    }
  };

  return {
    take(json: unknown, frame: Frame): readonly AdapterEvent[] {
      isJava ||= isRecord(json) && ['replyId', 'createdAt'].some((name) => Object.hasOwn(json, name));
      const event = fit(wire, isRecord(json) ? snakeKeys(json) : json, frame, report);
      if (!event || isOver || isReplay(event)) return [];
      const type = aliases.get(event.type) ?? event.type;
      const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
      if (!handler && !IGNORED.has(type)) report({ kind: 'unknown', detail: `Unknown event "${event.type}".`, frame });
      return handler?.(event) ?? [];
    },
  };
}

/**
 * Detects replayed events: the stream starts with the events of the previous run until the server has persisted it. They
 * belong to a reply of an earlier turn, or to the part of this one before a question. A reply that is empty here is shown
 * again.
 */
function makeReplayCheck({ messages }: Turn): (event: Event) => boolean {
  const replyStart = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const shown = messages.filter(({ blocks }) => blocks.length > 0);
  const metadataValues = (list: Turn['messages'], name: string) =>
    new Set(list.map(({ metadata }) => metadata?.[name]));
  const shownStarts = metadataValues(shown, 'replyStart');
  const replies = metadataValues(messages.slice(0, replyStart), 'replyId');
  let replaying = false;
  return ({ type, id, reply_id }) => {
    if (type === 'REPLY_START' || type === 'AGENT_START') replaying = Boolean(id) && shownStarts.has(id);
    // A continued run starts with the user's decision.
    else if (type === 'USER_CONFIRM_RESULT' || type === 'EXTERNAL_EXECUTION_RESULT') replaying = false;
    return replaying || (Boolean(reply_id) && replies.has(reply_id));
  };
}

/** Events whose content is also in another event. */
const IGNORED = new Set([
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
const FAILED_STATES = new Set(['error', 'interrupted', 'denied']);

const callOf = (event: Event): Pick<Data, 'tool_call_id' | 'tool_call_name'> => ({
  tool_call_id: event.tool_call_id ?? '',
  ...(event.tool_call_name && { tool_call_name: event.tool_call_name }),
});

const asJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? {}));

function withoutMessage(data: LLMAgentEventData): Data {
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
