/**
 * Converts the chunks of an AI SDK server to events. Source: `docs/protocols/ai-sdk.md`; AI SDK documentation, "Stream
 * Protocols".
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { continuedMessage, AI_SDK, uiReplyParts, needsStoring } from './history.ts';
import {
  dataName,
  DENIED_MESSAGE,
  isDataPart,
  isFilePart,
  isToolPart,
  toolCallEvent,
  partEvents,
  permissionEvent,
  resultEvents,
  type UiPart,
} from './parts.ts';
import { usageSchema, type UiUsage, type UiChunk, type UiChunkOf, type DataChunk } from './reply-schema.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { serializeParts } from './serialize-parts.ts';
import { isRecord } from '../../model/json.ts';
import type { DecodeContext } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
/** The events of a chunk, or a description of its problem. */
type Decoded = readonly Data[] | string;
type Kind = 'text' | 'reasoning';
type TextPart = Omit<UiChunkOf<'text-start'>, 'type'>;
type Call = Omit<UiChunkOf<'tool-input-start'>, 'type'>;
type Result = Omit<UiChunkOf<'tool-output-error'>, 'type' | 'errorText'>;
/** Chunks that become parts of the message unchanged. */
type AddedChunk =
  | UiChunkOf<'source-url' | 'source-document' | 'custom' | 'steering-message'>
  | UiChunkOf<'file' | 'reasoning-file'>;
type Context = Pick<DecodeContext, 'turn' | 'newId' | 'hasDoneMark'>;

/** The state of one reply, and what a chunk changes in it. */
export class UiReply {
  readonly #context: Context;
  readonly #parts: UiPart[];
  /** How many parts the message had before this stream. */
  readonly #firstNew: number;
  /** The page's state: the data by name. */
  readonly #state: Map<string, unknown>;
  readonly #queues = { text: serializeParts<UiPart>(), reasoning: serializeParts<UiPart>() };
  #messageId: unknown;
  #metadata: unknown;
  /** Whether a step has begun and not ended. */
  #isInStep = false;
  #hasFailed = false;
  #isFinished = false;

  constructor(context: Context) {
    const { turn } = context;
    // A reply that the user has answered continues in the same message.
    const continued = continuedMessage(turn);
    this.#context = context;
    this.#parts = continued ? uiReplyParts(continued, turn).map((part) => ({ ...part })) : [];
    this.#firstNew = this.#parts.length;
    this.#state = new Map(this.#parts.filter(isDataPart).map((part) => [dataName(part), part['data']]));
    this.#messageId = continued?.metadata?.['messageId'];
    this.#metadata = continued?.metadata?.['messageMetadata'];
  }

  take(chunk: UiChunk): Decoded {
    // TypeScript cannot relate the key to the argument type; the mapped type of the table guarantees it.
    return HANDLERS[chunk.type](this, chunk as never);
  }

  takeData({ type, id, data, transient }: DataChunk): readonly Data[] {
    const part: UiPart = { type, ...(id && { id }), data };
    this.#state.set(dataName(part), data);
    const shared = { state: { value: Object.fromEntries(this.#state) } };
    if (transient) return [shared];
    const existing = id ? this.#parts.find((other) => other.type === type && other.id === id) : undefined;
    if (existing) existing['data'] = data;
    else this.#parts.push(part);
    return [shared, ...partEvents(part)];
  }

  /** The remaining events when the body ends without a `finish`. */
  end(): readonly Data[] {
    if (this.#isFinished) return [];
    if (this.#hasFailed) return [...this.#flush(), ...this.#storeRound()];
    // A server need not send a finish reason, but without one the page would not run the calls.
    if (this.#context.hasDoneMark?.() && this.#parts.some(isOpen)) return this.finish('tool_use');
    // Many servers send no `finish`; the reply is complete if everything in it has ended.
    return this.#isComplete() ? this.finish('complete') : [...this.#flush(), ...this.#storeRound()];
  }

  start({ messageId, messageMetadata }: UiChunkOf<'start'>): readonly Data[] {
    if (messageId) this.#messageId = messageId;
    return [...(messageId ? [{ metadata: { messageId } }] : []), ...this.addMetadata(messageMetadata)];
  }

  startStep(): readonly Data[] {
    this.#isInStep = true;
    this.#parts.push({ type: 'step-start' });
    return [];
  }

  /** Ends the open texts: the next step may reuse their ids. */
  endStep(): readonly Data[] {
    this.#isInStep = false;
    return this.#flush();
  }

  resetStep(): readonly Data[] {
    const removed = this.#parts.splice(this.#stepStart);
    for (const queue of Object.values(this.#queues)) queue.endAll();
    if (removed.length === 0) return [];
    const before = this.#messageId;
    const id = typeof before === 'string' ? before : this.#context.newId();
    this.#messageId = id;
    return [
      ...removed
        .filter(needsApproval)
        .map((part): Data => ({ tool_call: 'permission-denied', tool_call_id: part.toolCallId ?? '' })),
      ...(id === before ? [] : [{ metadata: { messageId: id } }]),
      { message: { id, replace: true } },
      ...this.#parts.flatMap(partEvents),
    ];
  }

  addMetadata(added: unknown): readonly Data[] {
    if (added === undefined || added === null) return [];
    this.#metadata = merge(this.#metadata, added);
    const usage = isRecord(added) ? usageSchema.safeParse(added['totalUsage'] ?? added['usage']).data : undefined;
    return [{ metadata: { messageMetadata: this.#metadata }, ...(usage && { totalUsage: toUsage(usage) }) }];
  }

  addPart({ type, ...fields }: AddedChunk): readonly Data[] {
    const part: UiPart = { type, ...present(fields) };
    this.#parts.push(part);
    return partEvents(part);
  }

  startText(kind: Kind, { id, providerMetadata }: TextPart): readonly Data[] {
    const part: UiPart = {
      type: kind,
      ...(kind === 'reasoning' && { id }),
      text: '',
      state: 'done',
      ...present({ providerMetadata }),
    };
    this.#parts.push(part);
    return textEvents(kind, this.#queues[kind].begin(id, part));
  }

  /**
   * Appends text to an open part. Returns the text that may be rendered now, or undefined if no open part has this id. It is a
   * string, since an array per chunk would cost more than the chunk.
   */
  grow({ type, id, delta, providerMetadata }: UiChunkOf<'text-delta' | 'reasoning-delta'>): string | undefined {
    const queue = this.#queues[type === 'text-delta' ? 'text' : 'reasoning'];
    const part = queue.find(id);
    if (!part) return undefined;
    part.text = (part.text ?? '') + delta;
    if (providerMetadata) Object.assign(part, { providerMetadata });
    return queue.grow(id, delta);
  }

  append(kind: Kind, chunk: UiChunkOf<'text-delta' | 'reasoning-delta'>): Decoded {
    const shown = this.grow(chunk);
    return shown === undefined ? unknownIdMessage(chunk.id) : textEvents(kind, shown);
  }

  endText(kind: Kind, { id, providerMetadata }: TextPart): Decoded {
    const part = this.#queues[kind].find(id);
    if (!part) return unknownIdMessage(id);
    Object.assign(part, present({ providerMetadata }));
    return textEvents(kind, this.#queues[kind].end(id));
  }

  findCall(id: string): UiPart | undefined {
    return this.#parts.findLast((part) => isToolPart(part) && part.toolCallId === id);
  }

  /** Updates the call of this step, or adds a new one. */
  putCall(call: Call, change: Partial<UiPart>): Data {
    const { toolCallId, toolName, dynamic, title, toolMetadata, providerExecuted, providerMetadata } = call;
    const existing = this.#parts
      .slice(this.#stepStart)
      .findLast((part) => isToolPart(part) && part.toolCallId === toolCallId);
    const part: UiPart = existing ?? {
      ...(dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }),
      toolCallId,
    };
    if (!existing) this.#parts.push(part);
    Object.assign(
      part,
      present({ title, toolMetadata, providerExecuted, callProviderMetadata: providerMetadata }),
      change,
    );
    return toolCallEvent(part, existing ? 'running' : 'start');
  }

  appendInput({ toolCallId, inputTextDelta }: UiChunkOf<'tool-input-delta'>): Decoded {
    const part = this.findCall(toolCallId);
    if (!part) return unknownIdMessage(toolCallId);
    // Deltas after the complete input are ignored.
    if (part.state !== 'input-streaming' || !inputTextDelta) return [];
    return [{ tool_call: 'update', tool_call_id: toolCallId, tool_call_params: inputTextDelta }];
  }

  failInput({ input, errorText, ...call }: UiChunkOf<'tool-input-error'>): Decoded {
    const callEvent = this.putCall(call, { state: 'output-error', errorText, input });
    const part = this.findCall(call.toolCallId);
    if (part && part.type !== 'dynamic-tool') Object.assign(part, { input: undefined, rawInput: input });
    return [callEvent, ...(part ? resultEvents(part) : [])];
  }

  requestApproval(chunk: UiChunkOf<'tool-approval-request'>): Decoded {
    const { approvalId, toolCallId, isAutomatic, signature } = chunk;
    const part = this.findCall(toolCallId);
    if (!part) return unknownIdMessage(toolCallId);
    part.state = 'approval-requested';
    part.approval = { id: approvalId, ...(isAutomatic && { isAutomatic }), ...(signature && { signature }) };
    return [toolCallEvent(part, 'running'), ...(isAutomatic ? [] : [permissionEvent(part)])];
  }

  takeDecision(chunk: UiChunkOf<'tool-approval-response'>): Decoded {
    const { approvalId, approved, reason, providerExecuted, providerMetadata } = chunk;
    const part = this.#parts.findLast(({ approval }) => approval?.id === approvalId);
    if (!part) return unknownIdMessage(approvalId);
    const wasAsked = needsApproval(part);
    Object.assign(part, present({ providerExecuted, callProviderMetadata: providerMetadata }));
    part.state = 'approval-responded';
    part.approval = { ...part.approval, id: approvalId, approved, ...(reason && { reason }) };
    const decision = approved ? 'permission-granted' : 'permission-denied';
    return wasAsked ? [{ tool_call: decision, tool_call_id: part.toolCallId ?? '' }] : [];
  }

  setResult({ toolCallId, providerExecuted, providerMetadata }: Result, change: Partial<UiPart>): Decoded {
    const part = this.findCall(toolCallId);
    if (!part) return unknownIdMessage(toolCallId);
    delete part.preliminary;
    Object.assign(part, change, present({ providerExecuted, resultProviderMetadata: providerMetadata }));
    // A call that has run was approved, and the server checks that its approval says so.
    if (part.approval) part.approval = { ...part.approval, approved: part.state !== 'output-denied' };
    return resultEvents(part);
  }

  /** The error itself is emitted by the adapter. */
  fail(): readonly Data[] {
    this.#hasFailed = true;
    return this.#flush();
  }

  complete({ finishReason, messageMetadata, totalUsage }: UiChunkOf<'finish'>): readonly Data[] {
    const reason = this.#hasFailed
      ? 'error'
      : (replyEnd(finishReason) ?? (this.#parts.some(isOpen) ? 'tool_use' : 'complete'));
    return [
      ...this.addMetadata(messageMetadata),
      ...(totalUsage ? [{ totalUsage: toUsage(totalUsage) }] : []),
      ...this.finish(reason),
    ];
  }

  finish(reason: ReplyEnd): readonly Data[] {
    if (this.#isFinished) return [];
    this.#isFinished = true;
    return [...this.#flush(), ...this.#storeRound(), endData(reason)];
  }

  /** The index of the first part of the current step. */
  get #stepStart(): number {
    return Math.max(this.#firstNew, this.#parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  }

  #flush(): readonly Data[] {
    const { text, reasoning } = this.#queues;
    return [...textEvents('reasoning', reasoning.endAll()), ...textEvents('text', text.endAll())];
  }

  /**
   * Whether the reply has content and no open text, step or call. If the server marks its steps, a step that ends with a result
   * is followed by another one, unless the end mark has come.
   */
  #isComplete(): boolean {
    const added = this.#parts.slice(this.#firstNew);
    const last = added.at(-1);
    const hasSteps = added.some(({ type }) => type === 'step-start');
    const expectsStep = hasSteps && last !== undefined && isToolPart(last) && this.#context.hasDoneMark?.() !== true;
    return (
      !expectsStep &&
      added.some(({ type }) => type !== 'step-start') &&
      !this.#isInStep &&
      !this.#queues.text.isOpen() &&
      !this.#queues.reasoning.isOpen() &&
      added.every((part) => !isToolPart(part) || part.state?.startsWith('output-'))
    );
  }

  #storeRound(): readonly Data[] {
    const items = this.#parts.filter(isStorable).map(withoutBytes);
    return items.some(needsStoring) ? [{ metadata: { rounds: [{ protocol: AI_SDK, items }] } }] : [];
  }
}

const ignore = (): Decoded => [];
const addPart = (reply: UiReply, chunk: AddedChunk): Decoded => reply.addPart(chunk);

/** What each type of chunk does. */
const HANDLERS: { readonly [Type in UiChunk['type']]: (reply: UiReply, chunk: UiChunkOf<Type>) => Decoded } = {
  start: (reply, chunk) => reply.start(chunk),
  'start-step': (reply) => reply.startStep(),
  'finish-step': (reply) => reply.endStep(),
  'reset-step': (reply) => reply.resetStep(),
  'text-start': (reply, chunk) => reply.startText('text', chunk),
  'text-delta': (reply, chunk) => reply.append('text', chunk),
  'text-end': (reply, chunk) => reply.endText('text', chunk),
  'reasoning-start': (reply, chunk) => reply.startText('reasoning', chunk),
  'reasoning-delta': (reply, chunk) => reply.append('reasoning', chunk),
  'reasoning-end': (reply, chunk) => reply.endText('reasoning', chunk),
  'tool-input-start': (reply, call) => [reply.putCall(call, { state: 'input-streaming' })],
  'tool-input-delta': (reply, chunk) => reply.appendInput(chunk),
  'tool-input-end': ignore,
  'tool-input-available': (reply, { input, ...call }) => [reply.putCall(call, { state: 'input-available', input })],
  'tool-input-error': (reply, chunk) => reply.failInput(chunk),
  'tool-approval-request': (reply, chunk) => reply.requestApproval(chunk),
  'tool-approval-response': (reply, chunk) => reply.takeDecision(chunk),
  'tool-output-available': (reply, { output, preliminary, ...result }) =>
    reply.setResult(result, { state: 'output-available', output, ...(preliminary && { preliminary }) }),
  'tool-output-error': (reply, { errorText, ...result }) =>
    reply.setResult(result, { state: 'output-error', errorText }),
  // The server accepts the state `output-denied` only for a call with an approval, so any other denied call becomes an error.
  'tool-output-denied': (reply, { toolCallId }) =>
    reply.setResult(
      { toolCallId },
      reply.findCall(toolCallId)?.approval === undefined
        ? { state: 'output-error', errorText: DENIED_MESSAGE }
        : { state: 'output-denied' },
    ),
  'source-url': addPart,
  'source-document': addPart,
  file: addPart,
  'reasoning-file': addPart,
  custom: addPart,
  'steering-message': addPart,
  'message-metadata': (reply, { messageMetadata }) => reply.addMetadata(messageMetadata),
  error: (reply) => reply.fail(),
  abort: (reply) => reply.finish('cancelled'),
  finish: (reply, chunk) => reply.complete(chunk),
  raw: ignore,
};

export const unknownIdMessage = (id: string): string => `There is no part "${id}".`;

const textEvents = (kind: Kind, text: string): readonly Data[] =>
  text === '' ? [] : [kind === 'text' ? { content: text } : { reasoning_content: text }];

const needsApproval = ({ state, approval }: UiPart): boolean =>
  state === 'approval-requested' && approval?.isAutomatic !== true;

/** Whether a call waits for the page or the user. */
const isOpen = (part: UiPart): boolean =>
  isToolPart(part) && (needsApproval(part) || (part.state === 'input-available' && part.providerExecuted !== true));

/** Models reject an empty text. */
const isStorable = ({ type, text, ...part }: UiPart): boolean =>
  (type !== 'text' && type !== 'reasoning') || Boolean(text) || part['providerMetadata'] !== undefined;

/** Removes the bytes of a file, which its block holds. */
function withoutBytes(part: UiPart): UiPart {
  const { url, ...rest } = part;
  return isFilePart(part) && url !== undefined && parseDataUrl(url) ? rest : { ...part };
}

/** The fields with a value: the server rejects null. */
const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };

const toUsage = ({ inputTokens, outputTokens, totalTokens }: UiUsage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: totalTokens ?? inputTokens + outputTokens,
});

/** Objects nested deeper than this are replaced instead of merged. */
const MAX_DEPTH = 16;

/**
 * Merges metadata recursively. Source: AI SDK documentation, "Message Metadata"; vercel/ai,
 * `packages/ai/src/util/merge-objects.ts`.
 */
function merge(current: unknown, added: unknown, depth = 0): unknown {
  if (!isRecord(current) || !isRecord(added) || depth > MAX_DEPTH) return added;
  const fields = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(added)) fields.set(name, merge(fields.get(name), value, depth + 1));
  return Object.fromEntries(fields);
}
