/**
 * Converts the chunks of an AI SDK server to events. Source: `docs/protocols/ai-sdk.md`; AI SDK documentation, "Stream
 * Protocols".
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
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
  resultEvent,
  type UiPart,
} from './parts.ts';
import { usageSchema, type UiUsage, type UiChunk, type UiChunkOf, type DataChunk } from './wire.ts';
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
type TextDelta = TextPart & { readonly delta: string };
type Call = Omit<UiChunkOf<'tool-input-start'>, 'type'>;
type Result = Omit<UiChunkOf<'tool-output-error'>, 'type' | 'errorText'>;
type Handlers = { readonly [T in UiChunk['type']]: (chunk: UiChunkOf<T>) => Decoded };

export function makeUiChunkDecoder({ turn, newId, saidDone }: Pick<DecodeContext, 'turn' | 'newId' | 'saidDone'>) {
  // A reply that the user has answered continues in the same message.
  const continued = continuedMessage(turn);
  const parts: UiPart[] = continued ? uiReplyParts(continued, turn).map((part) => ({ ...part })) : [];
  const firstNew = parts.length;
  const state = new Map(parts.filter(isDataPart).map((part) => [dataName(part), part['data']]));
  let messageId = continued?.metadata?.['messageId'];
  let metadata: unknown = continued?.metadata?.['messageMetadata'];
  const queues = { text: serializeParts<UiPart>(), reasoning: serializeParts<UiPart>() };
  let failed = false;
  let finished = false;
  /** Whether a step has begun and not ended. */
  let inStep = false;

  const stepStart = (): number => Math.max(firstNew, parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  const findCall = (id: string): UiPart | undefined =>
    parts.findLast((part) => isToolPart(part) && part.toolCallId === id);
  const addPart = (part: UiPart): readonly Data[] => {
    parts.push(part);
    return partEvents(part);
  };
  const flush = (): readonly Data[] => [
    ...textEvents('reasoning', queues.reasoning.endAll()),
    ...textEvents('text', queues.text.endAll()),
  ];
  const metadataEvents = (added: unknown): readonly Data[] => {
    if (added === undefined || added === null) return [];
    metadata = merge(metadata, added);
    const usage = isRecord(added) ? usageSchema.safeParse(added['totalUsage'] ?? added['usage']).data : undefined;
    return [{ metadata: { messageMetadata: metadata }, ...(usage && { totalUsage: toUsage(usage) }) }];
  };

  const beginText = (kind: Kind, { id, providerMetadata }: TextPart): readonly Data[] => {
    const part: UiPart = {
      type: kind,
      ...(kind === 'reasoning' && { id }),
      text: '',
      state: 'done',
      ...present({ providerMetadata }),
    };
    parts.push(part);
    return textEvents(kind, queues[kind].begin(id, part));
  };
  /** Returns the text that may be rendered now, or undefined if there is no such part. */
  const appendToPart = (kind: Kind, { id, delta, providerMetadata }: TextDelta): string | undefined => {
    const part = queues[kind].find(id);
    if (!part) return undefined;
    part.text = (part.text ?? '') + delta;
    if (providerMetadata) Object.assign(part, { providerMetadata });
    return queues[kind].grow(id, delta);
  };
  const append = (kind: Kind, chunk: TextDelta): Decoded => {
    const shown = appendToPart(kind, chunk);
    return shown === undefined ? unknownIdMessage(chunk.id) : textEvents(kind, shown);
  };
  const endText = (kind: Kind, { id, providerMetadata }: TextPart): Decoded => {
    const part = queues[kind].find(id);
    if (!part) return unknownIdMessage(id);
    Object.assign(part, present({ providerMetadata }));
    return textEvents(kind, queues[kind].end(id));
  };

  /** Updates the call of this step, or adds a new one. */
  const putCall = (call: Call, change: Partial<UiPart>): Data => {
    const { toolCallId, toolName, dynamic, title, toolMetadata, providerExecuted, providerMetadata } = call;
    const existing = parts.slice(stepStart()).findLast((part) => isToolPart(part) && part.toolCallId === toolCallId);
    const part: UiPart = existing ?? {
      ...(dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }),
      toolCallId,
    };
    if (!existing) parts.push(part);
    Object.assign(
      part,
      present({ title, toolMetadata, providerExecuted, callProviderMetadata: providerMetadata }),
      change,
    );
    return toolCallEvent(part, existing ? 'running' : 'start');
  };
  const setResult = ({ toolCallId, providerExecuted, providerMetadata }: Result, change: Partial<UiPart>): Decoded => {
    const part = findCall(toolCallId);
    if (!part) return unknownIdMessage(toolCallId);
    delete part.preliminary;
    Object.assign(part, change, present({ providerExecuted, resultProviderMetadata: providerMetadata }));
    // A call that has run was approved, and the server checks that its approval says so.
    if (part.approval) part.approval = { ...part.approval, approved: part.state !== 'output-denied' };
    return [resultEvent(part)];
  };

  const handlers: Handlers = {
    start: ({ messageId: id, messageMetadata }) => {
      if (id) messageId = id;
      return [...(id ? [{ metadata: { messageId: id } }] : []), ...metadataEvents(messageMetadata)];
    },
    'start-step': () => {
      inStep = true;
      parts.push({ type: 'step-start' });
      return [];
    },
    // The next step may reuse their ids.
    'finish-step': () => {
      inStep = false;
      return flush();
    },
    'reset-step': () => {
      const removed = parts.splice(stepStart());
      for (const kind of ['text', 'reasoning'] as const) queues[kind].endAll();
      if (removed.length === 0) return [];
      const newMessageId = typeof messageId === 'string' ? messageId : newId();
      const idEvents = newMessageId === messageId ? [] : [{ metadata: { messageId: newMessageId } }];
      messageId = newMessageId;
      return [
        ...removed
          .filter(needsApproval)
          .map((part): Data => ({ tool_call: 'permission-denied', tool_call_id: part.toolCallId ?? '' })),
        ...idEvents,
        { message: { id: newMessageId, replace: true } },
        ...parts.flatMap(partEvents),
      ];
    },
    'text-start': (data) => beginText('text', data),
    'text-delta': (data) => append('text', data),
    'text-end': (data) => endText('text', data),
    'reasoning-start': (data) => beginText('reasoning', data),
    'reasoning-delta': (data) => append('reasoning', data),
    'reasoning-end': (data) => endText('reasoning', data),
    'tool-input-start': (data) => [putCall(data, { state: 'input-streaming' })],
    'tool-input-delta': ({ toolCallId, inputTextDelta }) => {
      const part = findCall(toolCallId);
      if (!part) return unknownIdMessage(toolCallId);
      // Deltas after the complete input are ignored.
      if (part.state !== 'input-streaming' || !inputTextDelta) return [];
      return [{ tool_call: 'update', tool_call_id: toolCallId, tool_call_params: inputTextDelta }];
    },
    'tool-input-available': ({ input, ...data }) => [putCall(data, { state: 'input-available', input })],
    'tool-input-error': ({ input, errorText, ...data }) => {
      const callEvent = putCall(data, { state: 'output-error', errorText, input });
      const part = findCall(data.toolCallId);
      if (part && part.type !== 'dynamic-tool') Object.assign(part, { input: undefined, rawInput: input });
      return [callEvent, ...(part ? [resultEvent(part)] : [])];
    },
    'tool-approval-request': ({ approvalId, toolCallId, isAutomatic, signature }) => {
      const part = findCall(toolCallId);
      if (!part) return unknownIdMessage(toolCallId);
      part.state = 'approval-requested';
      part.approval = { id: approvalId, ...(isAutomatic && { isAutomatic }), ...(signature && { signature }) };
      return [toolCallEvent(part, 'running'), ...(isAutomatic ? [] : [permissionEvent(part)])];
    },
    'tool-approval-response': ({ approvalId, approved, reason, providerExecuted, providerMetadata }) => {
      const part = parts.findLast(({ approval }) => approval?.id === approvalId);
      if (!part) return unknownIdMessage(approvalId);
      const wasAsked = needsApproval(part);
      Object.assign(part, present({ providerExecuted, callProviderMetadata: providerMetadata }));
      part.state = 'approval-responded';
      part.approval = { ...part.approval, id: approvalId, approved, ...(reason && { reason }) };
      const decision = approved ? 'permission-granted' : 'permission-denied';
      return wasAsked ? [{ tool_call: decision, tool_call_id: part.toolCallId ?? '' }] : [];
    },
    'tool-output-available': ({ output, preliminary, ...data }) =>
      setResult(data, { state: 'output-available', output, ...(preliminary && { preliminary }) }),
    'tool-output-error': ({ errorText, ...data }) => setResult(data, { state: 'output-error', errorText }),
    'tool-output-denied': ({ toolCallId }) => {
      const hasApproval = findCall(toolCallId)?.approval !== undefined;
      // The server accepts a denial only with an approval, otherwise an error.
      const change = hasApproval ? { state: 'output-denied' } : { state: 'output-error', errorText: DENIED_MESSAGE };
      return setResult({ toolCallId }, change);
    },
    'source-url': ({ type, ...data }) => addPart({ type, ...present(data) }),
    'source-document': ({ type, ...data }) => addPart({ type, ...present(data) }),
    file: ({ type, ...data }) => addPart({ type, ...present(data) }),
    'reasoning-file': ({ type, ...data }) => addPart({ type, ...present(data) }),
    custom: ({ type, ...data }) => addPart({ type, ...present(data) }),
    'message-metadata': ({ messageMetadata }) => metadataEvents(messageMetadata),
    error: () => {
      failed = true;
      return flush();
    },
    abort: () => end('cancelled'),
    'tool-input-end': () => [],
    'steering-message': ({ type, ...data }) => addPart({ type, ...present(data) }),
    raw: () => [],
    finish: ({ finishReason, messageMetadata, totalUsage }) => [
      ...metadataEvents(messageMetadata),
      ...(totalUsage ? [{ totalUsage: toUsage(totalUsage) }] : []),
      ...end(failed ? 'error' : (replyEnd(finishReason) ?? (parts.some(isOpen) ? 'tool_use' : 'complete'))),
    ],
  };

  /** Whether the reply has content and no open text, step or call. */
  const isComplete = (): boolean => {
    const added = parts.slice(firstNew);
    return (
      added.some(({ type }) => type !== 'step-start') &&
      !inStep &&
      !queues.text.isOpen() &&
      !queues.reasoning.isOpen() &&
      added.every((part) => !isToolPart(part) || part.state?.startsWith('output-'))
    );
  };
  const storeRound = (): readonly Data[] => {
    const items = parts.filter(isStorable).map(withoutBytes);
    return items.some(needsStoring) ? [{ metadata: { rounds: [{ protocol: AI_SDK, items }] } }] : [];
  };
  const end = (reason: ReplyEnd): readonly Data[] => {
    if (finished) return [];
    finished = true;
    return [...flush(), ...storeRound(), endData(reason)];
  };

  return {
    /**
     * Appends text. Returns the part that may be rendered now, or undefined if there is no such part. Returns a string,
     * since an array per chunk would cost more than the chunk.
     */
    grow: (chunk: UiChunkOf<'text-delta' | 'reasoning-delta'>): string | undefined =>
      appendToPart(chunk.type === 'text-delta' ? 'text' : 'reasoning', chunk),
    take(chunk: UiChunk): Decoded {
      // TypeScript cannot relate the key to the argument type; the mapped type above guarantees it.
      return handlers[chunk.type](chunk as never);
    },
    takeData({ type, id, data, transient }: DataChunk): readonly Data[] {
      const part: UiPart = { type, ...(id && { id }), data };
      state.set(dataName(part), data);
      const shared = { state: { value: Object.fromEntries(state) } };
      if (transient) return [shared];
      const existing = id ? parts.find((other) => other.type === type && other.id === id) : undefined;
      if (existing) existing['data'] = data;
      else parts.push(part);
      return [shared, ...partEvents(part)];
    },
    /** The remaining events when the body ends without a `finish`. */
    end: (): readonly Data[] => {
      // A server need not send a finish reason, but without one the page would not run the calls.
      if (saidDone?.() && !failed && parts.some(isOpen)) return end('tool_use');
      // Many servers send no `finish`; the reply is complete if everything in it has ended.
      if (!finished && !failed && isComplete()) return end('complete');
      return finished ? [] : [...flush(), ...storeRound()];
    },
  };
}

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
