/**
 * The conversation as UIMessages, in the form that `validateUIMessages` and `convertToModelMessages` take.
 * Source: `ai-sdk-ui-message-stream.md`, "Request" and "Next turn".
 */
import { toAttachment } from '../../model/attachment.ts';
import type { AssistantMessageBlock, BlockOf, Citation } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/text-of.ts';
import { z } from '../../model/schema.ts';
import { isData, isFile, isTool, uiPart, type UiPart } from './parts.ts';
import { sentHistory } from '../shared/history.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { roundsOf } from '../../model/rounds.ts';
import { isInline, toDataUrl } from '../shared/sent-files.ts';
import type { Answer, Turn } from '../adapter.ts';

export const PROTOCOL = 'ai-sdk';

interface UiMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly metadata?: unknown;
  readonly parts: readonly UiPart[];
}

/** The server's own id where it has given one: it finds the message by it. */
export const messageIdOf = ({ id, metadata }: ChatMessage): string =>
  typeof metadata?.['messageId'] === 'string' ? metadata['messageId'] : id;

/** The reply that the next stream goes on with, after results of tools or answers of the reader. */
export function continuedMessage({ messages }: Turn): ChatMessage | undefined {
  const last = messages.at(-1);
  // One that has its finish is to be told again from its start.
  return last?.role === 'assistant' && last.blocks.length > 0 && last.finish === undefined ? last : undefined;
}

export function toUiMessages(turn: Turn): readonly UiMessage[] {
  return sentHistory(turn).flatMap((message): readonly UiMessage[] => {
    const { role } = message;
    if (role === 'tool') return [];
    const parts = role === 'assistant' ? replyParts(message, turn) : userParts(message);
    const metadata = message.metadata?.[role === 'assistant' ? 'messageMetadata' : 'data'];
    // The server refuses a message without a part.
    if (parts.every(({ type }) => type === 'step-start')) return [];
    return [{ id: messageIdOf(message), role, ...(metadata !== undefined && { metadata }), parts }];
  });
}

/** Files come before the words. */
const userParts = ({ blocks }: ChatMessage): readonly UiPart[] => [
  ...blocks.flatMap(filePart),
  ...blocks.flatMap((block) => (block.type === 'content' && block.content ? [textPart('text', block.content)] : [])),
];

const textPart = (type: 'text' | 'reasoning', text: string): UiPart => ({ type, text, state: 'done' });

function filePart(block: AssistantMessageBlock): readonly UiPart[] {
  return toAttachment(block).map((file) => ({
    type: 'file',
    mediaType: file.mimeType ?? (file.kind === 'file' ? 'application/octet-stream' : `${file.kind}/*`),
    ...(file.name !== undefined && { filename: file.name }),
    url: isInline(file) ? toDataUrl(file) : (file.url ?? ''),
  }));
}

/** The parts of a reply: as they came, where they still say what the reader sees, else what its blocks can say. */
export function replyParts(message: ChatMessage, turn: Turn): readonly UiPart[] {
  const kept = keptParts(message);
  const said = kept.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');
  const parts = kept.length > 0 && said === textOf(message) ? withFiles(kept, message) : blockParts(message);
  return parts.flatMap((part) => (isTool(part) ? settle(part, message, turn) : [part]));
}

/** They may have been stored or imported: what is no part is left out. */
const keptParts = (message: ChatMessage): readonly UiPart[] =>
  roundsOf(message, PROTOCOL).flatMap(({ items }) => z.array(uiPart).safeParse(items).data ?? []);

const MEDIA = new Set(['image', 'audio', 'video', 'file']);

/** The bytes of files stand in their blocks alone. One that was refused has none and does not go back. */
function withFiles(parts: readonly UiPart[], { blocks }: ChatMessage): readonly UiPart[] {
  const files = blocks.filter(({ type }) => MEDIA.has(type)).values();
  return parts.flatMap((part) => {
    if (!isFile(part)) return [part];
    const { value: block } = files.next();
    if (part.url !== undefined) return [part];
    return block?.status === 'success'
      ? toAttachment(block)
          .filter(isInline)
          .map((file) => ({ ...part, url: toDataUrl(file) }))
      : [];
  });
}

/** Words or thoughts behind a call are another step. */
function blockParts({ blocks }: ChatMessage): readonly UiPart[] {
  let called = false;
  return blocks.flatMap((block) => {
    const parts = partsOf(block);
    const begins = called && (block.type === 'content' || block.type === 'reasoning_content') && parts.length > 0;
    called = block.type === 'tool_call' || (called && !begins);
    return begins ? [{ type: 'step-start' }, ...parts] : parts;
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
      const own = typeof id === 'string' ? { id: id.slice(name.length + 1) } : {};
      return [{ type: `data-${name}`, ...own, data: block.data.data }];
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

/** Not by its name, since a server that validates may not know that tool. */
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

/**
 * A call with what has become of it: its result, if the page has run it, or the reader's decision. A call that has neither
 * fails, since no model takes one without a result.
 */
function settle(part: UiPart, message: ChatMessage, turn: Turn): readonly UiPart[] {
  if (part.state?.startsWith('output-')) return [part];
  const card = message.blocks.findLast(
    (block): block is BlockOf<'tool_call'> =>
      block.type === 'tool_call' && (block.tool_call.id ?? block.id) === part.toolCallId,
  );
  const { approval, ...call } = decide(part, message, turn.answers);
  const approved = approval?.approved === true ? { approval } : {};
  const { response, params } = card?.tool_call ?? {};
  if (response !== undefined && card?.status === 'success') {
    // The reader may have changed the arguments of a tool of the page.
    const input = params === undefined ? undefined : parseJson(params);
    const ran = input === undefined ? {} : { input };
    return [{ ...call, ...ran, ...approved, state: 'output-available', output: parseJson(response) ?? response }];
  }
  if (response !== undefined && card?.status === 'error') {
    return [{ ...call, ...approved, state: 'output-error', errorText: response }];
  }
  if (approval?.approved === false || (approval?.approved && continuedMessage(turn) === message)) {
    return [{ ...call, approval, state: 'approval-responded' }];
  }
  if (call.state === 'input-streaming') return [];
  return call.providerExecuted ? [call] : [{ ...call, ...approved, state: 'output-error', errorText: UNFINISHED }];
}

/** The reader's decision, in the place where the server had asked for it. */
function decide(part: UiPart, { blocks }: ChatMessage, answers: readonly Answer[]): UiPart {
  if (part.state === 'approval-responded') return part;
  const asked = blocks.findLast(
    (block): block is BlockOf<'action'> => block.type === 'action' && block.tool_call?.id === part.toolCallId,
  );
  const { requestId: id, signature, note } = asked?.extra ?? {};
  if (typeof id !== 'string' || (asked?.status !== 'granted' && asked?.status !== 'denied')) return part;
  const { payload, arguments: changed } = answers.find(({ blockId }) => blockId === asked.id) ?? {};
  const given = isRecord(payload) ? payload : typeof payload === 'boolean' ? { approved: payload } : {};
  return {
    ...part,
    ...(changed !== undefined && { input: changed }),
    approval: {
      ...(typeof signature === 'string' && { signature }),
      ...part.approval,
      id,
      approved: asked.status === 'granted',
      ...(typeof note === 'string' && note && { reason: note }),
      ...given,
    },
  };
}

/** What blocks cannot say: then the parts are kept as they came. */
export const saysMore = (part: UiPart): boolean =>
  part['providerMetadata'] !== undefined || isTool(part) || isFile(part) || isData(part) || part.type === 'custom';
