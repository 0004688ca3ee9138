/**
 * Anthropic's Messages API and compatible servers (`anthropic`). Source: `docs/protocols/anthropic.md`; Anthropic API
 * reference, "Messages".
 */
import { enumerate } from '../../enumerate.ts';
import { createStreamEvent } from '../../model/core-events.ts';
import { textOf } from '../../model/message-text.ts';
import { z } from '../../model/schema.ts';
import { toAnthropicMessages, type AnthropicBlock } from './messages.ts';
import { makeBlockDecoder, type BlockDecoder, type EmitResponse } from './parts.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../core/read-frames.ts';
import { makeTextFrameReader, type FrameText } from '../shared/fast-text-frames.ts';
import { roundsMetadata, providerRounds } from '../../formats/provider-rounds.ts';
import { endEvents, replyEnd } from '../core/finish-reasons.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../core/adapter.ts';

const usage = z.object({
  input_tokens: lenientNumber,
  cache_creation_input_tokens: lenientNumber,
  cache_read_input_tokens: lenientNumber,
  output_tokens: lenientNumber,
});
type Usage = Partial<z.infer<typeof usage>>;

const item = z.looseObject({ type: z.string() });
const ending = z.object({
  stop_reason: lenientString,
  stop_details: lenient(z.object({ category: lenientString, explanation: lenientString })),
  container: lenient(z.object({ id: z.string() })),
});
type Ending = Partial<z.infer<typeof ending>>;
const message = z.extend(ending, {
  id: lenientString,
  model: lenientString,
  content: lenient(z.array(item)),
  usage: lenient(usage),
});
type Message = z.infer<typeof message>;

const wire = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message }),
  z.object({ type: z.literal('content_block_start'), index: z.number(), content_block: item }),
  z.object({ type: z.literal('content_block_delta'), index: z.number(), delta: item }),
  z.object({ type: z.literal('content_block_stop'), index: z.number() }),
  z.object({ type: z.literal('message_delta'), delta: lenient(ending), usage: lenient(usage) }),
  z.object({ type: z.literal('message_stop') }),
  z.object({ type: z.literal('ping') }),
  z.object({
    type: z.literal('error'),
    error: z.union([z.string(), z.object({ type: lenientString, message: lenientString })]),
    request_id: lenientString,
  }),
  /** A complete reply without streaming. */
  z.extend(message, { type: z.literal('message') }),
]);
type Wire = z.infer<typeof wire>;

/** Stop reasons after which the server expects a request to continue. */
const PAUSE_REASONS: ReadonlySet<unknown> = new Set(['pause_turn', 'compaction']);
const RECOVERABLE = new Set(['rate_limit_error', 'api_error', 'timeout_error', 'overloaded_error']);

/** Default of `max_tokens`, which every request must set. The page's `body` can override it. */
const MAX_TOKENS = 4096;

export const anthropic: Adapter = {
  id: 'anthropic',
  label: 'Anthropic Messages',
  kind: 'model',

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const history = sentHistory(turn);
    const last = history.at(-1);
    const system = [systemText(options), ...history.filter(({ role }) => role === 'system').map(textOf)];
    // A container lives for minutes: only the reply that uses it continues in it.
    const container = last?.role === 'assistant' ? last.metadata?.['containerId'] : undefined;
    return {
      url,
      init: {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'anthropic-version': '2023-06-01',
          'anthropic-dangerous-direct-browser-access': 'true',
          ...headers,
        },
        body: {
          ...(model !== undefined && { model }),
          max_tokens: MAX_TOKENS,
          stream: true,
          ...(system.some(Boolean) && { system: system.filter(Boolean).join('\n\n') }),
          messages: toAnthropicMessages(history),
          ...(tools.length > 0 && {
            tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
          }),
          ...(typeof container === 'string' && { container }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const reply = makeReply(context);
    const read = makeTextFrameReader(wordsIn, context.report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const item of read(batch)) {
        if ('text' in item) {
          events.push(...reply.take(textDelta(item.fields.index, item.text)));
          continue;
        }
        const { json, frame } = item;
        const data = isBlockDelta(json) ? json : fit(wire, withType(json, frame), frame, context.report);
        if (data) events.push(...reply.take(data));
      }
      yield events;
    }
    yield reply.end();
  },
};

/**
 * Checks a `content_block_delta` without the schema. Nearly all events are of this kind, and this check costs a fraction of
 * the schema.
 */
function isBlockDelta(json: unknown): json is Extract<Wire, { readonly type: 'content_block_delta' }> {
  if (!isRecord(json) || json['type'] !== 'content_block_delta' || !Number.isFinite(json['index'])) return false;
  const { delta } = json;
  return isRecord(delta) && typeof delta['type'] === 'string';
}

/** Reads a text delta of the answer, and the index of its content block. */
function wordsIn(json: unknown): FrameText<{ readonly index: number }> | undefined {
  if (!isBlockDelta(json) || json.delta.type !== 'text_delta') return undefined;
  const { text } = json.delta;
  for (const name in json.delta) if (name !== 'type' && name !== 'text') return undefined;
  return typeof text === 'string' ? { text, fields: { index: json.index } } : undefined;
}

const textDelta = (index: number, text: string): Extract<Wire, { readonly type: 'content_block_delta' }> => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
});

/** Gateways send errors in a different form, without `type`. */
const withType = (json: unknown, { event }: Frame): unknown =>
  isRecord(json) && json['type'] === undefined ? { ...json, type: json['error'] ? 'error' : event } : json;

interface ReplyDecoder {
  readonly take: (data: Wire) => readonly AdapterEvent[];
  readonly end: () => readonly AdapterEvent[];
}

function makeReply({ eventId, turn }: DecodeContext): ReplyDecoder {
  const last = turn.messages.at(-1);
  /** The reply so far, if this stream continues one. */
  const earlierReply = last?.role === 'assistant' ? last : undefined;
  /** The id of the streaming message; undefined after its stop. */
  let currentId: string | undefined;
  /** The open parts by index; the index restarts with each message. */
  let openParts = new Map<number, BlockDecoder>();
  let allParts: BlockDecoder[] = [];
  let totals: Usage = {};
  let ending: Ending = {};
  let isStored = false;
  let stopped = false;
  /** Buffered events of a message that had paused and seems to be repeated. */
  let buffered: AdapterEvent[] | undefined;

  const respond: EmitResponse = (data) => ({ type: 'response', data: { eventId, ...data } });
  const fail = (error: string, more: object = {}): AdapterEvent => ({
    type: 'error',
    data: { eventId, error, ...more },
  });

  const items = (): readonly AnthropicBlock[] => allParts.flatMap((part) => part.item() ?? []);
  /**
   * Stores the blocks that must be sent back unchanged. Each is stored as soon as it is complete, so that a stop does
   * not lose it.
   */
  const storeRound = (): AdapterEvent => {
    isStored = true;
    return respond({ metadata: roundsMetadata(turn, { protocol: 'anthropic', items: items() }) });
  };
  const addUsage = (more: Usage | null | undefined): readonly AdapterEvent[] => {
    if (!more) return [];
    // Missing counts keep their previous value.
    const present = Object.entries(more).filter(([, tokens]) => typeof tokens === 'number');
    totals = { ...totals, ...Object.fromEntries(present) };
    return [createStreamEvent.usage(toUsage(totals))];
  };
  const takeEnding = ({ stop_reason, stop_details, container }: Ending): readonly AdapterEvent[] => {
    ending = { stop_reason: stop_reason ?? ending.stop_reason, stop_details: stop_details ?? ending.stop_details };
    return container ? [respond({ metadata: { containerId: container.id } })] : [];
  };
  const beginPart = (index: number, block: AnthropicBlock): readonly AdapterEvent[] => {
    const part = makeBlockDecoder(block, respond);
    openParts.set(index, part);
    allParts.push(part);
    return part.startEvents;
  };
  const addDelta = (index: number, delta: AnthropicBlock): readonly AdapterEvent[] => {
    const part = openParts.get(index);
    if (part) return part.add(delta);
    // Text is rendered even if the start of its block could not be parsed.
    return delta.type === 'text_delta'
      ? [...beginPart(index, { type: 'text' }), ...(openParts.get(index)?.add(delta) ?? [])]
      : [];
  };
  const closePart = (index: number): readonly AdapterEvent[] => {
    const part = openParts.get(index);
    return part ? [...part.close(), ...(part.type === 'text' ? [] : [storeRound()])] : [];
  };

  /** A retrying proxy repeats the same start, or sends another message in the middle of the first. */
  const start = ({ id, model, content, usage: tokens, ...more }: Message): readonly AdapterEvent[] => {
    const events: AdapterEvent[] = [];
    if (currentId !== undefined && (!id || !currentId || id === currentId)) return [];
    if (currentId !== undefined) {
      if (earlierReply && earlierReply.blocks.length > 0)
        return [fail('Another reply started in the middle of this one.'), ENDED];
      events.push(respond({ message: { id: currentId, replace: true } }));
      [allParts, totals, ending] = [[], {}, {}];
    }
    currentId = id ?? '';
    stopped = false;
    openParts = new Map();
    if (id && earlierReply?.metadata?.['pausedAt'] === id) buffered = [];
    events.push(respond({ metadata: { ...(id && { messageId: id }), ...(model && { model }) } }));
    events.push(...addUsage(tokens), ...takeEnding(more));
    // With programmatic tool calling the start may already contain the complete reply.
    for (const [index, block] of enumerate(content ?? [])) events.push(...beginPart(index, block), ...closePart(index));
    return events;
  };
  const stop = (): readonly AdapterEvent[] => {
    const { stop_reason: reason, stop_details: details } = ending;
    const paused = PAUSE_REASONS.has(reason);
    const events = allParts.flatMap((part) => part.close());
    const isPlainText = items().every((item) => item.type === 'text' && !item['citations']);
    if (isStored || paused || !isPlainText) events.push(storeRound());
    for (const call of reason === 'tool_use' ? allParts.flatMap((part) => part.brokenCall() ?? []) : []) {
      const problem = { message: 'Not run: its arguments are not JSON.', code: 'bad-arguments' };
      events.push(respond({ tool_call: 'error', tool_call_id: call, tool_call_error: problem }));
    }
    const end = replyEnd(reason) ?? 'complete';
    if (end === 'filtered' && details?.explanation) {
      const { explanation, category } = details;
      events.push(fail(explanation, { code: 'refusal', ...(category && { error_type: category }) }));
    }
    if (paused) events.push(respond({ paused: true, metadata: { pausedAt: currentId ?? '' } }));
    currentId = undefined;
    stopped = true;
    events.push(...endEvents(end === 'filtered' && details?.explanation ? 'error' : end, eventId));
    return events;
  };

  const handle = (data: Wire): readonly AdapterEvent[] => {
    switch (data.type) {
      case 'message_start':
        return start(data.message);
      case 'message':
        return [...start(data), ...stop()];
      case 'content_block_start':
        return beginPart(data.index, data.content_block);
      case 'content_block_delta':
        return addDelta(data.index, data.delta);
      case 'content_block_stop':
        return closePart(data.index);
      case 'message_delta':
        return [...takeEnding(data.delta ?? {}), ...addUsage(data.usage)];
      case 'message_stop':
        return stopped ? [] : stop();
      case 'ping':
        return [];
      case 'error': {
        const { error, request_id } = data;
        const { type: code, message: reason } = typeof error === 'string' ? { type: null, message: error } : error;
        const more = { ...(code && { code, recoverable: RECOVERABLE.has(code) }) };
        return [
          ...(request_id ? [respond({ metadata: { requestId: request_id } })] : []),
          fail(reason || code || 'The provider reports an error.', more),
          ENDED,
        ];
      }
    }
  };
  const release = (): readonly AdapterEvent[] => {
    const events = buffered ?? [];
    buffered = undefined;
    return events;
  };

  return {
    take(data) {
      const events = handle(data);
      if (!buffered) return events;
      buffered.push(...events);
      if (data.type === 'error') return release();
      if (!stopped) return [];
      // A server that only repeats its last message cannot continue.
      const lastItems = earlierReply && providerRounds(earlierReply, 'anthropic').at(-1)?.items;
      if (JSON.stringify(lastItems) !== JSON.stringify(items())) return release();
      buffered = undefined;
      return [createStreamEvent.stop('complete')];
    },
    end() {
      // Gateways leave the last event out; the stop reason arrives only when the message is complete.
      const isComplete = currentId !== undefined && ending.stop_reason;
      return [...release(), ...(isComplete ? stop() : [])];
    },
  };
}

const ENDED = createStreamEvent.stop('error');

/** The API counts tokens that were read from a cache, or written to one, separately. */
function toUsage(counted: Usage) {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = counted;
  const prompt = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  const completion = output_tokens ?? 0;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
