/** Converts the events of Anthropic's Messages API to the events of one reply. */
import { enumerate } from '../../enumerate.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import { providerRounds, roundsMetadata } from '../../formats/provider-rounds.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { endEvents, replyEnd } from '../core/finish-reasons.ts';
import type { AnthropicBlock } from './messages.ts';
import { makeBlockDecoder, type BlockDecoder, type EmitResponse } from './content-blocks.ts';
import type { AnthropicEvent, Ending, Message, Usage } from './reply-schema.ts';
import { errorMessage } from '../shared/error-message.ts';
import type { EventOf, Handlers } from '../shared/handlers.ts';

/**
 * Stop reasons after which the reply goes on with another request. What the others mean is in `core/finish-reasons.ts`.
 */
const CONTINUE_REASONS: ReadonlySet<unknown> = new Set(['pause_turn', 'compaction']);
const RECOVERABLE = new Set(['rate_limit_error', 'api_error', 'timeout_error', 'overloaded_error']);
const ERROR_STOP = createStreamEvent.stop('error');

/** The state of one reply, and what an event changes in it. */
export class AnthropicReply {
  readonly #context: DecodeContext;
  /** The reply so far, if this stream continues one. */
  readonly #earlierReply: ChatMessage | undefined;
  /** The id of the streaming message; undefined after its stop. */
  #currentId: string | undefined;
  /** The open parts by index; the index restarts with each message. */
  #openParts = new Map<number, BlockDecoder>();
  #allParts: BlockDecoder[] = [];
  #totals: Usage = {};
  #ending: Ending = {};
  #isStored = false;
  #hasStopped = false;
  /** Buffered events of a message that had paused and seems to be repeated. */
  #buffered: AdapterEvent[] | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
    const last = context.turn.messages.at(-1);
    this.#earlierReply = last?.role === 'assistant' ? last : undefined;
  }

  take(event: AnthropicEvent): readonly AdapterEvent[] {
    // TypeScript cannot relate the key to the argument type; the mapped type guarantees it.
    const events = HANDLERS[event.type](this, event as never);
    if (!this.#buffered) return events;
    this.#buffered.push(...events);
    if (event.type === 'error') return this.#release();
    if (!this.#hasStopped) return [];
    // A server that only repeats its last message cannot continue.
    const lastItems = this.#earlierReply && providerRounds(this.#earlierReply, 'anthropic').at(-1)?.items;
    if (JSON.stringify(lastItems) !== JSON.stringify(this.#items())) return this.#release();
    this.#buffered = undefined;
    return [createStreamEvent.stop('complete')];
  }

  end(): readonly AdapterEvent[] {
    // Some gateways leave the last event out. The stop reason shows that the message is complete.
    const isComplete = this.#currentId !== undefined && this.#ending.stop_reason;
    return [...this.#release(), ...(isComplete ? this.stop() : [])];
  }

  /** A retrying proxy repeats the same start, or sends another message in the middle of the first. */
  start({ id, model, content, usage, ...ending }: Message): readonly AdapterEvent[] {
    const current = this.#currentId;
    if (current !== undefined && (!id || !current || id === current)) return [];
    if (current !== undefined && this.#earlierReply && this.#earlierReply.blocks.length > 0)
      return [this.#fail('Another reply started in the middle of this one.'), ERROR_STOP];
    if (current !== undefined) [this.#allParts, this.#totals, this.#ending] = [[], {}, {}];
    this.#currentId = id ?? '';
    this.#hasStopped = false;
    this.#openParts = new Map();
    if (id && this.#earlierReply?.metadata?.['pausedAt'] === id) this.#buffered = [];
    return [
      ...(current === undefined ? [] : [this.#respond({ message: { id: current, replace: true } })]),
      this.#respond({ metadata: { ...(id && { messageId: id }), ...(model && { model }) } }),
      ...this.#addUsage(usage),
      ...this.#takeEnding(ending),
      // With programmatic tool calling (tools called by code) the start may already contain the complete reply.
      ...[...enumerate(content ?? [])].flatMap(([index, block]) => [
        ...this.#beginPart(index, block),
        ...this.closePart({ index }),
      ]),
    ];
  }

  beginPart({ index, content_block: block }: EventOf<AnthropicEvent, 'content_block_start'>): readonly AdapterEvent[] {
    return this.#beginPart(index, block);
  }

  addDelta({ index, delta }: EventOf<AnthropicEvent, 'content_block_delta'>): readonly AdapterEvent[] {
    const part = this.#openParts.get(index);
    if (part) return part.add(delta);
    // Text is rendered even if the start of its block could not be parsed.
    return delta.type === 'text_delta'
      ? [...this.#beginPart(index, { type: 'text' }), ...(this.#openParts.get(index)?.add(delta) ?? [])]
      : [];
  }

  closePart({ index }: Pick<EventOf<AnthropicEvent, 'content_block_stop'>, 'index'>): readonly AdapterEvent[] {
    const part = this.#openParts.get(index);
    return part ? [...part.close(), ...(part.type === 'text' ? [] : [this.#storeRound()])] : [];
  }

  change({ delta, usage }: EventOf<AnthropicEvent, 'message_delta'>): readonly AdapterEvent[] {
    return [...this.#takeEnding(delta ?? {}), ...this.#addUsage(usage)];
  }

  stop(): readonly AdapterEvent[] {
    if (this.#hasStopped) return [];
    const { stop_reason: reason, stop_details: details } = this.#ending;
    const paused = CONTINUE_REASONS.has(reason);
    const events = this.#allParts.flatMap((part) => part.close());
    const isPlainText = this.#items().every((item) => item.type === 'text' && !item['citations']);
    if (this.#isStored || paused || !isPlainText) events.push(this.#storeRound());
    const named = replyEnd(reason) ?? 'complete';
    // Some gateways send `end_turn` with calls too.
    const hasCalls = !paused && named === 'complete' && this.#items().some(({ type }) => type === 'tool_use');
    const end = hasCalls ? 'tool_use' : named;
    for (const call of end === 'tool_use' ? this.#allParts.flatMap((part) => part.brokenCall() ?? []) : []) {
      const problem = { message: 'Not run: its arguments are not JSON.', code: 'bad-arguments' };
      events.push(this.#respond({ tool_call: 'error', tool_call_id: call, tool_call_error: problem }));
    }
    const explanation = end === 'filtered' ? details?.explanation : undefined;
    if (explanation) {
      const category = details?.category;
      events.push(this.#fail(explanation, { code: 'refusal', ...(category && { error_type: category }) }));
    }
    if (paused) events.push(this.#respond({ paused: true, metadata: { pausedAt: this.#currentId ?? '' } }));
    this.#currentId = undefined;
    this.#hasStopped = true;
    return [...events, ...endEvents(explanation ? 'error' : end, this.#context.eventId)];
  }

  takeError({ error, message, request_id: requestId }: EventOf<AnthropicEvent, 'error'>): readonly AdapterEvent[] {
    const code = isRecord(error) && typeof error['type'] === 'string' ? error['type'] : undefined;
    const own = isRecord(error) ? error['message'] : error;
    const text = typeof own === 'string' ? own : (errorMessage(error) ?? errorMessage(message));
    const reason = text || code || 'The provider reports an error.';
    return [
      ...(requestId ? [this.#respond({ metadata: { requestId } })] : []),
      this.#fail(reason, { ...(code && { code, recoverable: RECOVERABLE.has(code) }) }),
      ERROR_STOP,
    ];
  }

  #beginPart(index: number, block: AnthropicBlock): readonly AdapterEvent[] {
    const part = makeBlockDecoder(block, this.#respond);
    this.#openParts.set(index, part);
    this.#allParts.push(part);
    return part.startEvents;
  }

  #items(): readonly AnthropicBlock[] {
    return this.#allParts.flatMap((part) => part.item() ?? []);
  }

  /**
   * Stores the blocks that must be sent back unchanged. Each is stored as soon as it is complete, so that a stop does
   * not lose it.
   */
  #storeRound(): AdapterEvent {
    this.#isStored = true;
    const round = { protocol: 'anthropic', items: this.#items() } as const;
    return this.#respond({ metadata: roundsMetadata(this.#context.turn, round) });
  }

  #addUsage(usage: Usage | null | undefined): readonly AdapterEvent[] {
    if (!usage) return [];
    // Missing counts keep their previous value.
    const present = Object.entries(usage).filter(([, tokens]) => typeof tokens === 'number');
    this.#totals = { ...this.#totals, ...Object.fromEntries(present) };
    return [createStreamEvent.usage(toUsage(this.#totals))];
  }

  #takeEnding({ stop_reason: reason, stop_details: details, container }: Ending): readonly AdapterEvent[] {
    const before = this.#ending;
    this.#ending = { stop_reason: reason ?? before.stop_reason, stop_details: details ?? before.stop_details };
    return container ? [this.#respond({ metadata: { containerId: container.id } })] : [];
  }

  #release(): readonly AdapterEvent[] {
    const events = this.#buffered ?? [];
    this.#buffered = undefined;
    return events;
  }

  readonly #respond: EmitResponse = (data) => ({
    type: 'response',
    data: { eventId: this.#context.eventId, ...data },
  });

  #fail(error: string, more: object = {}): AdapterEvent {
    return { type: 'error', data: { eventId: this.#context.eventId, error, ...more } };
  }
}

/** What each event does. */
const HANDLERS: Handlers<AnthropicReply, AnthropicEvent, readonly AdapterEvent[], []> = {
  message_start: (reply, { message }) => reply.start(message),
  // A complete reply without streaming.
  message: (reply, message) => [...reply.start(message), ...reply.stop()],
  content_block_start: (reply, event) => reply.beginPart(event),
  content_block_delta: (reply, event) => reply.addDelta(event),
  content_block_stop: (reply, event) => reply.closePart(event),
  message_delta: (reply, event) => reply.change(event),
  message_stop: (reply) => reply.stop(),
  ping: () => [],
  error: (reply, event) => reply.takeError(event),
};

/** The API counts tokens that were read from a cache, or written to one, separately. */
function toUsage(counted: Usage) {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = counted;
  const prompt = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  const completion = output_tokens ?? 0;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
