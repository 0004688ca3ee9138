/** A reply of an AI SDK server as it comes. Source: `ai-sdk-ui-message-stream.md`, "Chunks" and "Gotchas". */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { FinishReason } from '../../model/message.ts';
import { continuedMessage, PROTOCOL, replyParts, saysMore } from './history.ts';
import {
  dataName,
  DENIED,
  isData,
  isFile,
  isTool,
  tellCall,
  tellPart,
  tellRequest,
  tellResult,
  type UiPart,
} from './parts.ts';
import { totals, type Totals, type Chunk, type ChunkOf, type DataChunk } from './wire.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { inTurn } from './in-turn.ts';
import { isRecord } from '../../model/json.ts';
import type { DecodeContext } from '../adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
/** What is to be told, or what is wrong with a chunk. */
type Told = readonly Data[] | string;
type Kind = 'text' | 'reasoning';
type Piece = Omit<ChunkOf<'text-start'>, 'type'>;
type Grown = Piece & { readonly delta: string };
type Call = Omit<ChunkOf<'tool-input-start'>, 'type'>;
type Result = Omit<ChunkOf<'tool-output-error'>, 'type' | 'errorText'>;
type Handlers = { readonly [T in Chunk['type']]: (chunk: ChunkOf<T>) => Told };

const finishReasons = new Map<string, FinishReason>([
  ['length', 'max_tokens'],
  ['tool-calls', 'tool_use'],
  ['content-filter', 'error'],
  ['error', 'error'],
]);

export function makeReply({ turn, newId, saidDone }: Pick<DecodeContext, 'turn' | 'newId' | 'saidDone'>) {
  // An answered reply goes on in the same message.
  const before = continuedMessage(turn);
  const parts: UiPart[] = before ? replyParts(before, turn).map((part) => ({ ...part })) : [];
  const floor = parts.length;
  const state = new Map(parts.filter(isData).map((part) => [dataName(part), part['data']]));
  let messageId = before?.metadata?.['messageId'];
  let metadata: unknown = before?.metadata?.['messageMetadata'];
  const words = { text: inTurn<UiPart>(), reasoning: inTurn<UiPart>() };
  let failed = false;
  let finished = false;

  const stepStart = (): number => Math.max(floor, parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  const findCall = (id: string): UiPart | undefined => parts.findLast((part) => isTool(part) && part.toolCallId === id);
  const add = (part: UiPart): readonly Data[] => {
    parts.push(part);
    return tellPart(part);
  };
  const flush = (): readonly Data[] => [
    ...say('reasoning', words.reasoning.endAll()),
    ...say('text', words.text.endAll()),
  ];
  const facts = (given: unknown): readonly Data[] => {
    if (given === undefined || given === null) return [];
    metadata = merge(metadata, given);
    const used = isRecord(given) ? totals.safeParse(given['totalUsage'] ?? given['usage']).data : undefined;
    return [{ metadata: { messageMetadata: metadata }, ...(used && { totalUsage: toUsage(used) }) }];
  };

  const begin = (kind: Kind, { id, providerMetadata }: Piece): readonly Data[] => {
    const part: UiPart = {
      type: kind,
      ...(kind === 'reasoning' && { id }),
      text: '',
      state: 'done',
      ...present({ providerMetadata }),
    };
    parts.push(part);
    return say(kind, words[kind].begin(id, part));
  };
  /** What may be told of it; undefined when there is no such part. */
  const growPart = (kind: Kind, { id, delta, providerMetadata }: Grown): string | undefined => {
    const part = words[kind].find(id);
    if (!part) return undefined;
    part.text = (part.text ?? '') + delta;
    if (providerMetadata) Object.assign(part, { providerMetadata });
    return words[kind].grow(id, delta);
  };
  const grow = (kind: Kind, piece: Grown): Told => {
    const told = growPart(kind, piece);
    return told === undefined ? unknownId(piece.id) : say(kind, told);
  };
  const close = (kind: Kind, { id, providerMetadata }: Piece): Told => {
    const part = words[kind].find(id);
    if (!part) return unknownId(id);
    Object.assign(part, present({ providerMetadata }));
    return say(kind, words[kind].end(id));
  };

  /** The call of this step, or a new one. */
  const putCall = (call: Call, change: Partial<UiPart>): Data => {
    const { toolCallId, toolName, dynamic, title, toolMetadata, providerExecuted, providerMetadata } = call;
    const known = parts.slice(stepStart()).findLast((part) => isTool(part) && part.toolCallId === toolCallId);
    const part: UiPart = known ?? {
      ...(dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }),
      toolCallId,
    };
    if (!known) parts.push(part);
    Object.assign(
      part,
      present({ title, toolMetadata, providerExecuted, callProviderMetadata: providerMetadata }),
      change,
    );
    return tellCall(part, known ? 'running' : 'start');
  };
  const result = ({ toolCallId, providerExecuted, providerMetadata }: Result, change: Partial<UiPart>): Told => {
    const part = findCall(toolCallId);
    if (!part) return unknownId(toolCallId);
    delete part.preliminary;
    Object.assign(part, change, present({ providerExecuted, resultProviderMetadata: providerMetadata }));
    // What has run was allowed, and the server checks that it says so.
    if (part.approval) part.approval = { ...part.approval, approved: part.state !== 'output-denied' };
    return [tellResult(part)];
  };

  const handlers: Handlers = {
    start: ({ messageId: id, messageMetadata }) => {
      if (id) messageId = id;
      return [...(id ? [{ metadata: { messageId: id } }] : []), ...facts(messageMetadata)];
    },
    'start-step': () => {
      parts.push({ type: 'step-start' });
      return [];
    },
    // Their ids may come again in the next step.
    'finish-step': flush,
    'reset-step': () => {
      const gone = parts.splice(stepStart());
      for (const kind of ['text', 'reasoning'] as const) words[kind].endAll();
      if (gone.length === 0) return [];
      const named = typeof messageId === 'string' ? messageId : newId();
      const naming = named === messageId ? [] : [{ metadata: { messageId: named } }];
      messageId = named;
      return [
        ...gone
          .filter(isAsked)
          .map((part): Data => ({ tool_call: 'permission-denied', tool_call_id: part.toolCallId ?? '' })),
        ...naming,
        { message: { id: named, replace: true } },
        ...parts.flatMap(tellPart),
      ];
    },
    'text-start': (data) => begin('text', data),
    'text-delta': (data) => grow('text', data),
    'text-end': (data) => close('text', data),
    'reasoning-start': (data) => begin('reasoning', data),
    'reasoning-delta': (data) => grow('reasoning', data),
    'reasoning-end': (data) => close('reasoning', data),
    'tool-input-start': (data) => [putCall(data, { state: 'input-streaming' })],
    'tool-input-delta': ({ toolCallId, inputTextDelta }) => {
      const part = findCall(toolCallId);
      if (!part) return unknownId(toolCallId);
      // What comes behind the whole input is late.
      if (part.state !== 'input-streaming' || !inputTextDelta) return [];
      return [{ tool_call: 'update', tool_call_id: toolCallId, tool_call_params: inputTextDelta }];
    },
    'tool-input-available': ({ input, ...data }) => [putCall(data, { state: 'input-available', input })],
    'tool-input-error': ({ input, errorText, ...data }) => {
      const told = putCall(data, { state: 'output-error', errorText, input });
      const part = findCall(data.toolCallId);
      if (part && part.type !== 'dynamic-tool') Object.assign(part, { input: undefined, rawInput: input });
      return [told, ...(part ? [tellResult(part)] : [])];
    },
    'tool-approval-request': ({ approvalId, toolCallId, isAutomatic, signature }) => {
      const part = findCall(toolCallId);
      if (!part) return unknownId(toolCallId);
      part.state = 'approval-requested';
      part.approval = { id: approvalId, ...(isAutomatic && { isAutomatic }), ...(signature && { signature }) };
      return [tellCall(part, 'running'), ...(isAutomatic ? [] : [tellRequest(part)])];
    },
    'tool-approval-response': ({ approvalId, approved, reason, providerExecuted, providerMetadata }) => {
      const part = parts.findLast(({ approval }) => approval?.id === approvalId);
      if (!part) return unknownId(approvalId);
      const asked = isAsked(part);
      Object.assign(part, present({ providerExecuted, callProviderMetadata: providerMetadata }));
      part.state = 'approval-responded';
      part.approval = { ...part.approval, id: approvalId, approved, ...(reason && { reason }) };
      const decision = approved ? 'permission-granted' : 'permission-denied';
      return asked ? [{ tool_call: decision, tool_call_id: part.toolCallId ?? '' }] : [];
    },
    'tool-output-available': ({ output, preliminary, ...data }) =>
      result(data, { state: 'output-available', output, ...(preliminary && { preliminary }) }),
    'tool-output-error': ({ errorText, ...data }) => result(data, { state: 'output-error', errorText }),
    'tool-output-denied': ({ toolCallId }) => {
      const asked = findCall(toolCallId)?.approval !== undefined;
      // Without a request the server takes no denial, only an error.
      const change = asked ? { state: 'output-denied' } : { state: 'output-error', errorText: DENIED };
      return result({ toolCallId }, change);
    },
    'source-url': ({ type, ...data }) => add({ type, ...present(data) }),
    'source-document': ({ type, ...data }) => add({ type, ...present(data) }),
    file: ({ type, ...data }) => add({ type, ...present(data) }),
    'reasoning-file': ({ type, ...data }) => add({ type, ...present(data) }),
    custom: ({ type, ...data }) => add({ type, ...present(data) }),
    'message-metadata': ({ messageMetadata }) => facts(messageMetadata),
    error: () => {
      failed = true;
      return flush();
    },
    abort: () => end('cancelled'),
    finish: ({ finishReason, messageMetadata }) => [
      ...facts(messageMetadata),
      // No filter, and nothing more is told of it.
      ...(finishReason === 'error' && !failed ? [{ metadata: { failed: true } }] : []),
      ...end(
        failed ? 'error' : (finishReasons.get(finishReason ?? '') ?? (parts.some(isOpen) ? 'tool_use' : 'complete')),
      ),
    ],
  };

  const keep = (): readonly Data[] => {
    const items = parts.filter(isWorthKeeping).map(withoutBytes);
    return items.some(saysMore) ? [{ metadata: { rounds: [{ protocol: PROTOCOL, items }] } }] : [];
  };
  const end = (finish: FinishReason): readonly Data[] => {
    if (finished) return [];
    finished = true;
    return [...flush(), ...keep(), { finish }];
  };

  return {
    /** Words alone: what may be told of them, undefined when there is no such part. A list for each would cost more than they do. */
    grow: (piece: ChunkOf<'text-delta' | 'reasoning-delta'>): string | undefined =>
      growPart(piece.type === 'text-delta' ? 'text' : 'reasoning', piece),
    take(chunk: Chunk): Told {
      // TypeScript cannot tie the key to the argument; the mapped type above is the proof.
      return handlers[chunk.type](chunk as never);
    },
    takeData({ type, id, data, transient }: DataChunk): readonly Data[] {
      const part: UiPart = { type, ...(id && { id }), data };
      state.set(dataName(part), data);
      const shared = { state: { value: Object.fromEntries(state) } };
      if (transient) return [shared];
      const known = id ? parts.find((other) => other.type === type && other.id === id) : undefined;
      if (known) known['data'] = data;
      else parts.push(part);
      return [shared, ...tellPart(part)];
    },
    /** What there is to tell when the body ends without a word about it. */
    end: (): readonly Data[] => {
      // A server need not say how it has ended. Without a word the page would not run what it is asked for.
      if (saidDone?.() && !failed && parts.some(isOpen)) return end('tool_use');
      return finished ? [] : [...flush(), ...keep()];
    },
  };
}

export const unknownId = (id: string): string => `Nothing has the id "${id}".`;

const say = (kind: Kind, text: string): readonly Data[] =>
  text === '' ? [] : [kind === 'text' ? { content: text } : { reasoning_content: text }];

const isAsked = ({ state, approval }: UiPart): boolean =>
  state === 'approval-requested' && approval?.isAutomatic !== true;

/** A call that waits for the page or for the reader. */
const isOpen = (part: UiPart): boolean =>
  isTool(part) && (isAsked(part) || (part.state === 'input-available' && part.providerExecuted !== true));

/** Models refuse a text that is empty. */
const isWorthKeeping = ({ type, text, ...part }: UiPart): boolean =>
  (type !== 'text' && type !== 'reasoning') || Boolean(text) || part['providerMetadata'] !== undefined;

/** A file's bytes stand in its block alone. */
function withoutBytes(part: UiPart): UiPart {
  const { url, ...rest } = part;
  return isFile(part) && url !== undefined && parseDataUrl(url) ? rest : { ...part };
}

/** The fields that say something: the server refuses a null. */
const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };

const toUsage = ({ inputTokens, outputTokens, totalTokens }: Totals) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: totalTokens ?? inputTokens + outputTokens,
});

/** Deeper than this, what is new takes the place of what was there. */
const MAX_DEPTH = 16;

/** Source: "Chunks", `message-metadata`. */
function merge(before: unknown, given: unknown, depth = 0): unknown {
  if (!isRecord(before) || !isRecord(given) || depth > MAX_DEPTH) return given;
  const fields = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(given)) fields.set(name, merge(fields.get(name), value, depth + 1));
  return Object.fromEntries(fields);
}
