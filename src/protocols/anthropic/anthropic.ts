/** Anthropic's Messages and those who speak them (`anthropic`). Source: `anthropic.md`. */
import { createStreamEvent, type StopReason } from '../../model/core-events.ts';
import { textOf } from '../../model/text-of.ts';
import { z } from '../../model/schema.ts';
import { toAnthropicMessages, type Item } from './messages.ts';
import { openPart, type Part, type Respond } from './parts.ts';
import { detectAnthropic } from '../detect/providers.ts';
import { sentHistory } from '../shared/history.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';
import { fit } from '../shared/read-frames.ts';
import { readerOfWords, type Words } from '../shared/read-words.ts';
import { keepRound, roundsOf } from '../../model/rounds.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext } from '../adapter.ts';

const usage = z.object({
  input_tokens: maybeNumber,
  cache_creation_input_tokens: maybeNumber,
  cache_read_input_tokens: maybeNumber,
  output_tokens: maybeNumber,
});
type Usage = Partial<z.infer<typeof usage>>;

const item = z.looseObject({ type: z.string() });
const ending = z.object({
  stop_reason: maybeText,
  stop_details: maybe(z.object({ category: maybeText, explanation: maybeText })),
  container: maybe(z.object({ id: z.string() })),
});
type Ending = Partial<z.infer<typeof ending>>;
const message = z.extend(ending, {
  id: maybeText,
  model: maybeText,
  content: maybe(z.array(item)),
  usage: maybe(usage),
});
type Message = z.infer<typeof message>;

const wire = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message }),
  z.object({ type: z.literal('content_block_start'), index: z.number(), content_block: item }),
  z.object({ type: z.literal('content_block_delta'), index: z.number(), delta: item }),
  z.object({ type: z.literal('content_block_stop'), index: z.number() }),
  z.object({ type: z.literal('message_delta'), delta: maybe(ending), usage: maybe(usage) }),
  z.object({ type: z.literal('message_stop') }),
  z.object({ type: z.literal('ping') }),
  z.object({
    type: z.literal('error'),
    error: z.union([z.string(), z.object({ type: maybeText, message: maybeText })]),
    request_id: maybeText,
  }),
  /** A reply that was not streamed. */
  z.extend(message, { type: z.literal('message') }),
]);
type Wire = z.infer<typeof wire>;

const stopReasons = new Map<string, StopReason>([
  ['max_tokens', 'max_tokens'],
  ['model_context_window_exceeded', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
  ['tool_use', 'tool_use'],
  ['refusal', 'error'],
]);
/** The server wants to be asked to go on. */
const PAUSES: ReadonlySet<unknown> = new Set(['pause_turn', 'compaction']);
const RECOVERABLE = new Set(['rate_limit_error', 'api_error', 'timeout_error', 'overloaded_error']);

/** Every request has to say it. A page's `body` says another. */
const MAX_TOKENS = 4096;

export const anthropic: Adapter = {
  id: 'anthropic',
  label: 'Anthropic Messages',
  kind: 'model',
  detect: detectAnthropic,

  request(turn, { url, headers = {}, model, tools = [], ...options }) {
    const history = sentHistory(turn);
    const last = history.at(-1);
    const system = [systemText(options), ...history.filter(({ role }) => role === 'system').map(textOf)];
    // It lives for minutes: only the reply that has it open goes on in it.
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
    const read = readerOfWords(wordsIn, context.report);
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const said of read(batch)) {
        if ('words' in said) {
          events.push(...reply.take(textDelta(said.facts.index, said.words)));
          continue;
        }
        const { json, frame } = said;
        const data = isBlockDelta(json) ? json : fit(wire, withType(json, frame), frame, context.report);
        if (data) events.push(...reply.take(data));
      }
      yield events;
    }
    yield reply.end();
  },
};

/** What the schema says of this kind, which is nearly all that comes: to look takes a fraction of what the schema takes. */
function isBlockDelta(json: unknown): json is Extract<Wire, { readonly type: 'content_block_delta' }> {
  if (!isRecord(json) || json['type'] !== 'content_block_delta' || !Number.isFinite(json['index'])) return false;
  const { delta } = json;
  return isRecord(delta) && typeof delta['type'] === 'string';
}

/** Words of the answer, and the block they belong to. */
function wordsIn(json: unknown): Words<{ readonly index: number }> | undefined {
  if (!isBlockDelta(json) || json.delta.type !== 'text_delta') return undefined;
  const { text } = json.delta;
  for (const name in json.delta) if (name !== 'type' && name !== 'text') return undefined;
  return typeof text === 'string' ? { words: text, facts: { index: json.index } } : undefined;
}

const textDelta = (index: number, text: string): Extract<Wire, { readonly type: 'content_block_delta' }> => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text },
});

/** Gateways send errors in a form of their own. */
const withType = (json: unknown, { event }: Frame): unknown =>
  isRecord(json) && json['type'] === undefined ? { ...json, type: json['error'] ? 'error' : event } : json;

interface Reply {
  readonly take: (data: Wire) => readonly AdapterEvent[];
  readonly end: () => readonly AdapterEvent[];
}

function makeReply({ eventId, turn, saidDone }: DecodeContext): Reply {
  const last = turn.messages.at(-1);
  /** The reply as the rounds before this one have left it. */
  const before = last?.role === 'assistant' ? last : undefined;
  /** The id of the message that streams, until it has stopped. */
  let current: string | undefined;
  /** By the index, which begins anew with each message. */
  let open = new Map<number, Part>();
  let all: Part[] = [];
  let counted: Usage = {};
  let ending: Ending = {};
  let kept = false;
  let stopped = false;
  /** What is told of a message that had paused and seems to be told again. */
  let held: AdapterEvent[] | undefined;

  const respond: Respond = (data) => ({ type: 'response', data: { eventId, ...data } });
  const fail = (error: string, more: object = {}): AdapterEvent => ({
    type: 'error',
    data: { eventId, error, ...more },
  });

  const items = (): readonly Item[] => all.flatMap((part) => part.item() ?? []);
  /** What has to go back as it came. It is told as soon as it is whole, so that a stop does not lose it. */
  const keep = (): AdapterEvent => {
    kept = true;
    return respond({ metadata: keepRound(turn, { protocol: 'anthropic', items: items() }) });
  };
  const count = (more: Usage | null | undefined): readonly AdapterEvent[] => {
    if (!more) return [];
    // What it does not name stays as it was.
    const named = Object.entries(more).filter(([, tokens]) => typeof tokens === 'number');
    counted = { ...counted, ...Object.fromEntries(named) };
    return [createStreamEvent.usage(toUsage(counted))];
  };
  const note = ({ stop_reason, stop_details, container }: Ending): readonly AdapterEvent[] => {
    ending = { stop_reason: stop_reason ?? ending.stop_reason, stop_details: stop_details ?? ending.stop_details };
    return container ? [respond({ metadata: { containerId: container.id } })] : [];
  };
  const begin = (index: number, block: Item): readonly AdapterEvent[] => {
    const part = openPart(block, respond);
    open.set(index, part);
    all.push(part);
    return part.begin;
  };
  const grow = (index: number, delta: Item): readonly AdapterEvent[] => {
    const part = open.get(index);
    if (part) return part.add(delta);
    // Words count, also where their beginning could not be read.
    return delta.type === 'text_delta'
      ? [...begin(index, { type: 'text' }), ...(open.get(index)?.add(delta) ?? [])]
      : [];
  };
  const close = (index: number): readonly AdapterEvent[] => {
    const part = open.get(index);
    return part ? [...part.close(), ...(part.type === 'text' ? [] : [keep()])] : [];
  };

  /** A proxy that tries again sends the same beginning twice, or another message into the middle of the first. */
  const start = ({ id, model, content, usage: tokens, ...more }: Message): readonly AdapterEvent[] => {
    const events: AdapterEvent[] = [];
    if (current !== undefined && (!id || !current || id === current)) return [];
    if (current !== undefined) {
      if (before && before.blocks.length > 0)
        return [fail('Another reply has begun in the middle of this one.'), ENDED];
      events.push(respond({ message: { id: current, replace: true } }));
      [all, counted, ending] = [[], {}, {}];
    }
    current = id ?? '';
    stopped = false;
    open = new Map();
    if (id && before?.metadata?.['pausedAt'] === id) held = [];
    events.push(respond({ metadata: { ...(id && { messageId: id }), ...(model && { model }) } }));
    events.push(...count(tokens), ...note(more));
    // Where a program calls the tools, the whole reply may be in its beginning.
    for (const [index, block] of (content ?? []).entries()) events.push(...begin(index, block), ...close(index));
    return events;
  };
  const stop = (): readonly AdapterEvent[] => {
    const { stop_reason: reason, stop_details: details } = ending;
    const paused = PAUSES.has(reason);
    const events = all.flatMap((part) => part.close());
    const plain = items().every((item) => item.type === 'text' && !item['citations']);
    if (kept || paused || !plain) events.push(keep());
    for (const call of reason === 'tool_use' ? all.flatMap((part) => part.brokenCall() ?? []) : []) {
      const problem = { message: 'Not run: its arguments are not JSON.', code: 'bad-arguments' };
      events.push(respond({ tool_call: 'error', tool_call_id: call, tool_call_error: problem }));
    }
    if (reason === 'refusal' && details?.explanation) {
      const { explanation, category } = details;
      events.push(fail(explanation, { code: 'refusal', ...(category && { error_type: category }) }));
    }
    if (paused) events.push(respond({ paused: true, metadata: { pausedAt: current ?? '' } }));
    current = undefined;
    stopped = true;
    events.push(createStreamEvent.stop(stopReasons.get(reason ?? '') ?? 'complete'));
    return events;
  };

  const handle = (data: Wire): readonly AdapterEvent[] => {
    switch (data.type) {
      case 'message_start':
        return start(data.message);
      case 'message':
        return [...start(data), ...stop()];
      case 'content_block_start':
        return begin(data.index, data.content_block);
      case 'content_block_delta':
        return grow(data.index, data.delta);
      case 'content_block_stop':
        return close(data.index);
      case 'message_delta':
        return [...note(data.delta ?? {}), ...count(data.usage)];
      case 'message_stop':
        return stopped ? [] : stop();
      case 'ping':
        return [];
      case 'error': {
        const { error, request_id } = data;
        const { type: code, message: words } = typeof error === 'string' ? { type: null, message: error } : error;
        const more = { ...(code && { code, recoverable: RECOVERABLE.has(code) }) };
        return [
          ...(request_id ? [respond({ metadata: { requestId: request_id } })] : []),
          fail(words || code || 'The provider reports an error.', more),
          ENDED,
        ];
      }
    }
  };
  const release = (): readonly AdapterEvent[] => {
    const events = held ?? [];
    held = undefined;
    return events;
  };

  return {
    take(data) {
      const events = handle(data);
      if (!held) return events;
      held.push(...events);
      if (data.type === 'error') return release();
      if (!stopped) return [];
      // A server that only says again what it has said can't go on.
      const said = before && roundsOf(before, 'anthropic').at(-1)?.items;
      if (JSON.stringify(said) !== JSON.stringify(items())) return release();
      held = undefined;
      return [createStreamEvent.stop('complete')];
    },
    end() {
      // Gateways leave the last event out, and say `[DONE]` in its place.
      const over = current !== undefined && ending.stop_reason && saidDone?.();
      return [...release(), ...(over ? stop() : [])];
    },
  };
}

const ENDED = createStreamEvent.stop('error');

/** What was read from a cache, or written to one, is counted apart. */
function toUsage(counted: Usage) {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = counted;
  const prompt = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  const completion = output_tokens ?? 0;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
