/** Converts the chunks of the assistant transport to events. Source: `docs/protocols/assistant-transport.md`. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Frame } from '../../transport/frame.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { isAffordable } from '../shared/change-budget.ts';
import { errorMessage } from '../shared/error-message.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import type { EventOf, Handlers } from '../shared/handlers.ts';
import { applyStateOperation } from '../shared/state-operations.ts';
import { stateBefore } from './request.ts';
import { trackStateMessages } from './state-messages.ts';
import type { Chunk, KnownPart, TransportPart, TransportUsage } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type ChunkOf<Type> = EventOf<Chunk, Type>;
type PartOf<Type> = EventOf<KnownPart, Type>;

/** The state of one reply, and what a chunk changes in it. */
export class AssistantTransportReply {
  readonly #context: DecodeContext;
  readonly #parts: TransportPart[] = [];
  /** The ids of the calls without a result. */
  readonly #openCalls = new Set<string>();
  readonly #annotations: unknown[] = [];
  /** The state that the server and the page share. */
  #state: unknown;
  #hasStateChanged = false;
  readonly #stateMessages: ReturnType<typeof trackStateMessages>;
  #messageId: string;
  readonly #tokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  #hasFailed = false;
  #isFinished = false;
  /** Finish reason of the last step, unless another part or step has begun since. */
  #stepEnd: ReplyEnd | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#state = stateBefore(context.turn);
    this.#stateMessages = trackStateMessages(this.#state);
    this.#messageId = context.newId();
  }

  take(chunk: Chunk, frame: Frame): readonly AdapterEvent[] {
    if (chunk.type.startsWith('part-') || chunk.type === 'step-start') this.#stepEnd = undefined;
    // TypeScript cannot relate the key to the argument type; the mapped type guarantees it.
    const items = CHUNK_HANDLERS[chunk.type](this, chunk as never, frame);
    return isCritical(chunk) ? [this.#error(chunk)] : this.#respond(items);
  }

  shareState(): readonly AdapterEvent[] {
    if (!this.#hasStateChanged) return [];
    this.#hasStateChanged = false;
    const state = this.#state;
    // Some servers send only state changes, and the state contains their messages.
    const items = this.#parts.length === 0 ? this.#stateMessages.take(state, this.#messageId) : [];
    return this.#respond([{ state: { value: state }, metadata: { agentState: state } }, ...items]);
  }

  /** The end of the stream. The last finished step has the reason; without one, open calls after `[DONE]` are the page's. */
  end(): readonly AdapterEvent[] {
    if (this.#isFinished) return [];
    if (this.#stepEnd) return this.#respond(this.#finish(this.#hasFailed ? 'error' : this.#stepEnd));
    const isWaiting = this.#context.hasDoneMark?.() && !this.#hasFailed && this.#openCalls.size > 0;
    // Emitted even if empty: it replaces the list of the previous round, whose calls have results now.
    return this.#respond(isWaiting ? this.#finish('tool_use') : [{ metadata: { openCalls: [...this.#openCalls] } }]);
  }

  startStep({ messageId }: ChunkOf<'step-start'>): readonly Data[] {
    if (!messageId) return [];
    this.#messageId = messageId;
    return [{ metadata: { messageId } }];
  }

  startPart(part: TransportPart, frame: Frame): readonly Data[] {
    this.#parts.push(part);
    if (part.type === 'unknown') {
      this.#context.report({ kind: 'unknown', detail: 'This kind of part is unknown.', frame });
      return [];
    }
    return PART_HANDLERS[part.type](this, part as never, frame);
  }

  startCall({ toolCallId: id, toolName }: PartOf<'tool-call'>): readonly Data[] {
    this.#openCalls.add(id);
    return [{ tool_call: 'start', tool_call_id: id, tool_call_name: toolName }];
  }

  appendText({ path, textDelta }: ChunkOf<'text-delta'>, frame: Frame): readonly Data[] {
    const part = this.#partAt(path, frame);
    return part ? textEvents(part, textDelta) : [];
  }

  /** A preliminary result is followed by another one. */
  endCall({ path, result, isError, isPreliminary }: ChunkOf<'result'>, frame: Frame): readonly Data[] {
    const part = this.#partAt(path, frame);
    if (part?.type !== 'tool-call') return [];
    const { toolCallId: id } = part;
    if (!isPreliminary) this.#openCalls.delete(id);
    const response = result === undefined ? '' : typeof result === 'string' ? result : JSON.stringify(result);
    const state = isPreliminary ? 'running' : isError ? 'error' : 'end';
    return [{ tool_call: state, tool_call_id: id, tool_call_response_complete: response }];
  }

  annotate({ annotations }: ChunkOf<'annotations'>): readonly Data[] {
    this.#annotations.push(...annotations);
    return [{ metadata: { annotations: [...this.#annotations] } }];
  }

  changeState({ operations }: ChunkOf<'update-state'>, frame: Frame): readonly Data[] {
    if (!isAffordable(this.#state, operations.length)) {
      this.#reportMalformed(frame, 'These are too many changes of the state.');
      return [];
    }
    for (const operation of operations) {
      const next = applyStateOperation(this.#state, operation);
      if (next === undefined) this.#reportMalformed(frame, 'This state change can’t be applied.');
      else [this.#state, this.#hasStateChanged] = [next, true];
    }
    return [];
  }

  endStep({ usage, isContinued, finishReason }: ChunkOf<'step-finish'>): readonly Data[] {
    if (!isContinued) this.#stepEnd = this.#reasonOf(finishReason);
    const step = usageOf(usage);
    if (!step) return [];
    this.#tokens.prompt_tokens += step.prompt_tokens;
    this.#tokens.completion_tokens += step.completion_tokens;
    this.#tokens.total_tokens += step.total_tokens;
    return [{ totalUsage: { ...this.#tokens } }];
  }

  endMessage({ usage, finishReason }: ChunkOf<'message-finish'>): readonly Data[] {
    const totalUsage = usageOf(usage);
    return [...(totalUsage ? [{ totalUsage }] : []), ...this.#finish(this.#reasonOf(finishReason))];
  }

  #respond(items: readonly Data[]): readonly AdapterEvent[] {
    const { eventId } = this.#context;
    return items.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  }

  #error({ error, message, code }: ChunkOf<'error'>): AdapterEvent {
    this.#hasFailed = true;
    const text = typeof error === 'string' ? error : (errorMessage(error) ?? errorMessage(message) ?? UNKNOWN_ERROR);
    return { type: 'error', data: { eventId: this.#context.eventId, error: text, ...(code && { code }) } };
  }

  #finish(reason: ReplyEnd): readonly Data[] {
    this.#isFinished = true;
    const { finish, metadata } = endData(reason);
    return [{ metadata: { openCalls: [...this.#openCalls], ...metadata }, ...(finish && { finish }) }];
  }

  #reasonOf(reason: string | null | undefined): ReplyEnd {
    if (this.#hasFailed) return 'error';
    return replyEnd(reason) ?? (this.#openCalls.size > 0 ? 'tool_use' : 'complete');
  }

  /** Parts are not nested, so the first index of the path counts. */
  #partAt([index = -1]: readonly number[], frame: Frame): TransportPart | undefined {
    const part = this.#parts[index];
    if (!part) this.#reportMalformed(frame, 'There is no such part.');
    return part;
  }

  #reportMalformed(frame: Frame, detail: string): void {
    this.#context.report({ kind: 'malformed', detail, frame });
  }
}

const UNKNOWN_ERROR = 'The agent reported an error.';

const NOTHING = (): readonly Data[] => [];

/** What each type of chunk does. */
const CHUNK_HANDLERS: Handlers<AssistantTransportReply, Chunk, readonly Data[]> = {
  'step-start': (reply, step) => reply.startStep(step),
  'part-start': (reply, { part }, frame) => reply.startPart(part, frame),
  'text-delta': (reply, delta, frame) => reply.appendText(delta, frame),
  'tool-call-args-text-finish': NOTHING,
  'part-finish': NOTHING,
  result: (reply, result, frame) => reply.endCall(result, frame),
  data: (_, { data }) => data.map((item) => dataOf(item)),
  annotations: (reply, annotations) => reply.annotate(annotations),
  'update-state': (reply, update, frame) => reply.changeState(update, frame),
  'step-finish': (reply, step) => reply.endStep(step),
  'message-finish': (reply, message) => reply.endMessage(message),
  // Warnings and notices are not shown.
  error: NOTHING,
};

/** What the start of each type of part shows. */
const PART_HANDLERS: Handlers<AssistantTransportReply, KnownPart, readonly Data[]> = {
  text: NOTHING,
  reasoning: NOTHING,
  'tool-call': (reply, call) => reply.startCall(call),
  source: (_, { id, url, title }) => [{ citation: { id: id ?? url, url, ...(title && { title }) } }],
  file: (_, { data, mimeType }) => [{ media: mediaOf(data, mimeType ?? '') }],
  data: (_, { data, name }) => [dataOf(data, name ?? undefined)],
};

const isCritical = (chunk: Chunk): chunk is ChunkOf<'error'> =>
  chunk.type === 'error' && (chunk.severity ?? 'critical') === 'critical';

/** The text of a part, or the arguments of a call. */
function textEvents(part: TransportPart, text: string): readonly Data[] {
  if (part.type === 'text') return [{ content: text }];
  if (part.type === 'reasoning') return [{ reasoning_content: text }];
  return part.type === 'tool-call'
    ? [{ tool_call: 'update', tool_call_id: part.toolCallId, tool_call_params: text }]
    : [];
}

function usageOf(counts: TransportUsage) {
  if (typeof counts?.inputTokens !== 'number' && typeof counts?.outputTokens !== 'number') return undefined;
  const [prompt_tokens, completion_tokens] = [counts.inputTokens ?? 0, counts.outputTokens ?? 0];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function dataOf(item: unknown, name?: string): Data {
  return { data: { data_type: 'custom', data: item, ...(name && { metadata: { dataType: name } }) } };
}

/** Reads base64 data, which is sometimes a complete data URL. */
function mediaOf(data: string, mimeType: string): NonNullable<Data['media']> {
  const inline = parseDataUrl(data) ?? { data, mimeType };
  const type = mimeType || inline.mimeType;
  const [kind = ''] = type.split('/');
  return {
    kind: kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file',
    data: inline.data,
    mimeType: type,
  };
}
