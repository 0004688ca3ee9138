/**
 * Converts the conversation to UIMessages, as `validateUIMessages` and `convertToModelMessages` expect them. Source:
 * `docs/protocols/ai-sdk.md`; AI SDK documentation, "UIMessage".
 */
import { toAttachment } from '../../model/attachment.ts';
import type { AssistantMessageBlock, BlockOf, Citation } from '../../model/blocks.ts';
import { canonicalArguments } from '../../model/canonical-arguments.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { z } from '../../model/schema.ts';
import { asText, isDataPart, isFilePart, isToolPart, toolName, uiPart, type UiPart } from './parts.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { providerRounds } from '../../formats/provider-rounds.ts';
import { isInline, mediaTypeOf, toDataUrl } from '../shared/files/sent-files.ts';
import type { Answer, Turn } from '../core/adapter.ts';

export const AI_SDK = 'ai-sdk';

interface UiMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly metadata?: unknown;
  readonly parts: readonly UiPart[];
}

/** The server's id of the message if it has set one, because the server looks it up by that. */
export const messageIdOf = ({ id, metadata }: ChatMessage): string =>
  typeof metadata?.['messageId'] === 'string' ? metadata['messageId'] : id;

/** The reply that the next stream continues, after tool results or answers of the user. */
export function continuedMessage({ messages }: Turn): ChatMessage | undefined {
  const last = messages.at(-1);
  // A reply with a finish reason is not continued: the next stream sends it from its start.
  return last?.role === 'assistant' && last.blocks.length > 0 && last.finish === undefined ? last : undefined;
}

export function toUiMessages(turn: Turn): readonly UiMessage[] {
  return sentHistory(turn).flatMap((message): readonly UiMessage[] => {
    const { role } = message;
    if (role === 'tool') return [];
    const parts = role === 'assistant' ? uiReplyParts(message, turn) : userParts(message);
    const metadata = message.metadata?.[role === 'assistant' ? 'messageMetadata' : 'data'];
    // The server rejects a message without parts.
    if (parts.every(({ type }) => type === 'step-start')) return [];
    return [{ id: messageIdOf(message), role, ...(metadata !== undefined && { metadata }), parts }];
  });
}

/** Parts of a user message; files come before the text. */
const userParts = ({ blocks }: ChatMessage): readonly UiPart[] => [
  ...blocks.flatMap(filePart),
  ...blocks.flatMap((block) => (block.type === 'content' && block.content ? [textPart('text', block.content)] : [])),
];

const textPart = (type: 'text' | 'reasoning', text: string): UiPart => ({ type, text, state: 'done' });

function filePart(block: AssistantMessageBlock): readonly UiPart[] {
  return toAttachment(block).map((file) => ({
    type: 'file',
    mediaType: mediaTypeOf(file),
    ...(file.name !== undefined && { filename: file.name }),
    url: isInline(file) ? toDataUrl(file) : (file.url ?? ''),
  }));
}

/**
 * The parts of a reply: the original ones if their text equals the rendered text, otherwise parts derived from its
 * blocks.
 */
export function uiReplyParts(message: ChatMessage, turn: Turn): readonly UiPart[] {
  const storedParts = readStoredParts(message);
  const storedText = storedParts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');
  const parts =
    storedParts.length > 0 && storedText === textOf(message) ? withFiles(storedParts, message) : blockParts(message);
  const calls = parts.filter(isToolPart);
  return parts.flatMap((part) => {
    if (!isToolPart(part)) return [part];
    // A server may use the id of a call again in a later round. It knows only the last call and the last decision of that id.
    const ofId = calls.filter(({ toolCallId }) => toolCallId === part.toolCallId);
    const callBlocks = message.blocks.filter(
      (block): block is BlockOf<'tool_call'> =>
        block.type === 'tool_call' && (block.tool_call.id ?? block.id) === part.toolCallId,
    );
    const callBlock = callBlocks.length === ofId.length ? callBlocks[ofId.indexOf(part)] : callBlocks.at(-1);
    return completeCall(part, { message, turn, callBlock, isLast: ofId.at(-1) === part });
  });
}

/** The stored parts of a reply. They may have been imported, so invalid ones are left out. */
const readStoredParts = (message: ChatMessage): readonly UiPart[] =>
  providerRounds(message, AI_SDK).flatMap(({ items }) => z.array(uiPart).safeParse(items).data ?? []);

const MEDIA = new Set(['image', 'audio', 'video', 'file']);

/** Restores file bytes, which only the blocks hold. A refused file has none and is not sent back. */
function withFiles(parts: readonly UiPart[], { blocks }: ChatMessage): readonly UiPart[] {
  const files = blocks.filter(({ type }) => MEDIA.has(type)).values();
  return parts.flatMap((part) => {
    if (!isFilePart(part)) return [part];
    const { value: block } = files.next();
    if (part.url !== undefined) return [part];
    return block?.status === 'success'
      ? toAttachment(block)
          .filter(isInline)
          .map((file) => ({ ...part, url: toDataUrl(file) }))
      : [];
  });
}

/** Text or reasoning after a call starts a new step. */
function blockParts({ blocks }: ChatMessage): readonly UiPart[] {
  let called = false;
  return blocks.flatMap((block) => {
    const parts = partsOf(block);
    const startsStep = called && (block.type === 'content' || block.type === 'reasoning_content') && parts.length > 0;
    called = block.type === 'tool_call' || (called && !startsStep);
    return startsStep ? [{ type: 'step-start' }, ...parts] : parts;
  });
}

function partsOf(block: AssistantMessageBlock): readonly UiPart[] {
  switch (block.type) {
    case 'content':
      return [
        ...(block.content ? [textPart('text', block.content)] : []),
        ...(block.citations ?? []).flatMap(sourcePart),
      ];
    case 'reasoning_content':
      return [textPart('reasoning', block.content)];
    case 'tool_call':
      return [callPart(block)];
    case 'data': {
      const name = block.data.metadata?.['dataType'];
      if (typeof name !== 'string') return [];
      const id = block.extra?.['dataId'];
      const idField = typeof id === 'string' ? { id: id.slice(name.length + 1) } : {};
      return [{ type: `data-${name}`, ...idField, data: block.data.data }];
    }
    default:
      return filePart(block);
  }
}

function sourcePart({ id, url, title, extra }: Citation): readonly UiPart[] {
  if (url !== undefined) return [{ type: 'source-url', sourceId: id, url, ...(title !== undefined && { title }) }];
  const { mediaType, filename } = extra ?? {};
  if (typeof mediaType !== 'string') return [];
  const file = typeof filename === 'string' ? { filename } : {};
  return [{ type: 'source-document', sourceId: id, mediaType, title: title ?? id, ...file }];
}

/** Always a `dynamic-tool`: a server that validates may not know a tool of that name. */
function callPart({ id, tool_call }: BlockOf<'tool_call'>): UiPart {
  const { params = '', response, name = '', id: callId = id } = tool_call;
  const input = params.trim() === '' ? {} : parseJson(params);
  return {
    type: 'dynamic-tool',
    toolName: name,
    toolCallId: callId,
    state: input === undefined && response === undefined ? 'input-streaming' : 'input-available',
    input: input ?? params,
  };
}

const UNFINISHED = 'The call was not finished.';

interface CallContext {
  readonly message: ChatMessage;
  readonly turn: Turn;
  /** The block of the call. */
  readonly callBlock: BlockOf<'tool_call'> | undefined;
  /** Whether no later call has its id. */
  readonly isLast: boolean;
}

/**
 * Completes a call with its result, if the page has run it, or with the user's decision. A call with neither becomes an
 * error, since models reject a call without a result.
 */
function completeCall(part: UiPart, { message, turn, callBlock, isLast }: CallContext): readonly UiPart[] {
  if (part.state?.startsWith('output-')) return [part];
  const decision = decisionOn(part, message, turn.answers);
  const { approval, ...call } = isLast ? withDecision(part, message, decision) : undecided(part);
  const approved = approval?.approved === true ? { approval } : {};
  const { response, params } = callBlock?.tool_call ?? {};
  // The user may have edited the arguments of a page tool.
  const input = params === undefined ? undefined : parseJson(params);
  const editedInput = input === undefined ? {} : { input };
  if (response !== undefined && callBlock?.status === 'success') {
    return [
      { ...call, ...editedInput, ...approved, state: 'output-available', output: parseJson(response) ?? response },
    ];
  }
  if (response !== undefined && callBlock?.status === 'error') {
    return [{ ...call, ...editedInput, ...approved, state: 'output-error', errorText: response }];
  }
  if (approval?.approved === false || (approval?.approved && decision.answer && continuedMessage(turn) === message)) {
    return [{ ...call, approval, state: 'approval-responded' }];
  }
  if (call.state === 'input-streaming') return [];
  return call.providerExecuted ? [call] : [{ ...call, ...approved, state: 'output-error', errorText: UNFINISHED }];
}

/** Removes the decision from a call: in a stored part it may not be the user's. */
function undecided({ approval, ...part }: UiPart): UiPart {
  if (part.state === 'approval-responded') return { ...part, state: 'input-available' };
  if (!approval) return part;
  const { approved: _, ...request } = approval;
  return { ...part, approval: request };
}

function isRequestOf(block: AssistantMessageBlock, part: UiPart): block is BlockOf<'action'> {
  return (
    block.type === 'action' &&
    // The card of another question does not show the call.
    block.action_type === 'tool_call_permission' &&
    block.tool_call?.id === part.toolCallId &&
    // A later step may use the id of a call again.
    block.tool_call?.name === toolName(part) &&
    (part.approval ? block.extra?.['requestId'] === part.approval.id : true)
  );
}

interface Decision {
  readonly request: BlockOf<'action'> | undefined;
  /** Undefined for a stored decision, which may not be the user's. */
  readonly answer: Answer | undefined;
}

/** The question about a call that the user has answered since the last request; without an answer the last one. */
function decisionOn(part: UiPart, { blocks }: ChatMessage, answers: readonly Answer[]): Decision {
  const requests = blocks.filter((block) => isRequestOf(block, part));
  const answerTo = (request: BlockOf<'action'> | undefined): Answer | undefined =>
    answers.findLast(({ blockId }) => blockId === request?.id);
  const answered = requests.filter(answerTo);
  const request = answered.findLast(({ status }) => status === 'denied') ?? answered.at(-1) ?? requests.at(-1);
  return { request, answer: answerTo(request) };
}

/** Adds the user's decision in the form of the server's approval request. */
function withDecision(part: UiPart, { blocks }: ChatMessage, { request, answer }: Decision): UiPart {
  if (part.approval?.approved === false) return part;
  const { requestId: id, signature, note } = request?.extra ?? {};
  if (typeof id !== 'string' || (request?.status !== 'granted' && request?.status !== 'denied')) return undecided(part);
  // The user has allowed the visible arguments, but the server runs the sent ones, so both must be equal.
  const isShown = canonicalArguments(request.tool_call?.params ?? '') === canonicalArguments(asText(part['input']));
  if (request.status === 'granted' && !isShown) return undecided(part);
  const { payload, arguments: editedInput } = answer ?? {};
  const decision = isRecord(payload) ? payload : typeof payload === 'boolean' ? { approved: payload } : {};
  // The server can't tell the decisions about two open calls apart if their requests share an id.
  const openCalls = blocks.flatMap((block) =>
    block.type === 'tool_call' && block.status === 'loading' ? [block.tool_call.id] : [],
  );
  const isRefused = blocks.some(
    (block) =>
      block.type === 'action' &&
      block.status === 'denied' &&
      block.extra?.['requestId'] === id &&
      openCalls.includes(block.tool_call?.id),
  );
  return {
    ...part,
    ...(editedInput !== undefined && { input: editedInput }),
    approval: {
      ...(typeof signature === 'string' && { signature }),
      ...part.approval,
      id,
      approved: request.status === 'granted',
      ...(typeof note === 'string' && note && { reason: note }),
      ...decision,
      ...(isRefused && { approved: false }),
    },
  };
}

/** Whether a part contains data that blocks cannot represent, so that it is stored unchanged. */
export const needsStoring = (part: UiPart): boolean =>
  part['providerMetadata'] !== undefined ||
  isToolPart(part) ||
  isFilePart(part) ||
  isDataPart(part) ||
  /^(?:custom|steering-message)$/.test(part.type);
