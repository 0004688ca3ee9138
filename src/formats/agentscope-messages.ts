/** Converts messages to and from AgentScope's format, for requests to its endpoints, import and export. */
import {
  callTypeOf,
  isCall,
  resultCallId,
  mediaCallId,
  resultMediaId,
  knownBlocks,
  msgBlock,
  parseToolResult,
  toolResultsIn,
  msgBlockToMedia,
  type Msg,
  type MsgBlock,
  type MsgSource,
  type MsgToolResult,
} from './agentscope-msg.ts';
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** The original AgentScope message, stored in `metadata.msg` so that converting back is lossless. */
interface OriginalMsg {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly timestamp?: string;
  /** The type of its calls, if it is not `tool_use`. */
  readonly callType?: 'tool_call';
  /** Blocks that the chat does not show, by their index. */
  readonly unknown?: Readonly<Record<string, unknown>>;
  /** The metadata of the TOOL messages that answered the calls, by call id. */
  readonly results?: Readonly<Record<string, Msg['metadata']>>;
  /** The ids, names and times of these TOOL messages, by call id. */
  readonly resultHeaders?: Readonly<Record<string, ResultHeader>>;
  /** The complete content of a TOOL message; its visible parts are in the blocks of its calls. */
  readonly content?: Msg['content'];
}

/** What identifies a TOOL message, as far as the server has sent it. */
export type ResultHeader = Partial<Readonly<Record<'id' | 'name' | 'timestamp', string>>>;

export const resultHeader = ({ id, name, timestamp }: Msg): ResultHeader => ({
  ...(id != null && { id }),
  ...(name != null && { name }),
  ...(timestamp != null && { timestamp }),
});

const originalOf = (message: ChatMessage): OriginalMsg | undefined =>
  message.metadata?.['msg'] as OriginalMsg | undefined;

/** Converts messages to `Msg`s. A result that came in its own message is exported there, and only there. */
export function toMsgs(messages: readonly ChatMessage[]): readonly Msg[] {
  const ownResultIds = new Set(
    messages.flatMap((message) => toolResultsIn(originalOf(message)?.content ?? []).map(resultCallId)),
  );
  const usedIds = new Set(messages.map(messageId));
  return messages.flatMap((message) => splitMessage(message, ownResultIds, usedIds));
}

/** The server's id of a message. A text that the user has edited is another message, with the widget's id. */
const messageId = (message: ChatMessage): string =>
  (!isEdited(message, originalOf(message)) && (message.metadata?.['messageId'] as string | undefined)) || message.id;

/**
 * The messages of a request. Leaves out calls without a result, such as one that the user has stopped, and replies without
 * any content, such as an image that the chat has refused: models reject them, and with them every later turn.
 */
export function toSentMsgs(messages: readonly ChatMessage[]): readonly Msg[] {
  const all = toMsgs(withDistinctIds(messages));
  const answered = new Set<unknown>();
  // From the end: a server may use the id of a stopped call again, and that later call has a result.
  const sent = all.toReversed().flatMap((message) => {
    for (const result of toolResultsIn(message.content)) answered.add(resultCallId(result));
    const content = message.content.filter((block) => !isCall(block) || answered.delete(block['id']));
    if (content.length === 0 && message.role !== 'USER') return [];
    return [content.length === message.content.length ? message : { ...message, content }];
  });
  return sent.toReversed();
}

/**
 * Gives the widget's id to a message whose id was used before: a server may count its messages from one in each reply, and a
 * memory by id would then drop later replies.
 */
function withDistinctIds(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const ids = new Set<unknown>();
  return messages.map((message) => {
    const id = message.metadata?.['messageId'] ?? message.id;
    if (!ids.has(id)) {
      ids.add(id);
      return message;
    }
    return { ...message, metadata: { ...message.metadata, messageId: message.id } };
  });
}

/** Splits a message into `Msg`s: each tool result becomes its own message between the text before and after it. */
function splitMessage(
  message: ChatMessage,
  ownResultIds: ReadonlySet<string | undefined>,
  usedIds: Set<string>,
): readonly Msg[] {
  const original = originalOf(message);
  const role = msgRoles[message.role];
  const isOriginal = !isEdited(message, original);
  const id = messageId(message);
  const name = message.name ?? role.toLowerCase();
  const timestamp = (isOriginal && original?.timestamp) || new Date(message.timestamp).toISOString();
  const shared = { id, name, role, timestamp };
  if (original?.content) return [{ ...shared, content: original.content, metadata: original.metadata }];

  const messages: Msg[] = [];
  let content: Msg['content'][number][] = [];
  /** Results that came in different messages stay in messages of their own. */
  let results: {
    readonly header: ResultHeader;
    readonly metadata: Msg['metadata'];
    readonly content: MsgToolResult[];
  }[] = [];
  /** The output of each result by its call, for the media that follow it. */
  const outputs = new Map<string, Msg['content'][number][]>();

  const nextId = (): string => (messages.length === 0 ? id : `${id}.${String(messages.length)}`);
  const flush = (): void => {
    if (content.length > 0 || messages.length === 0) {
      const isFirst = messages.length === 0;
      for (const [index, block] of isFirst ? Object.entries(original?.unknown ?? {}) : []) {
        content.splice(Number(index), 0, block as Msg['content'][number]);
      }
      const metadata = { ...original?.metadata, ...(!isFirst && { part_of: id }) };
      messages.push({ ...shared, id: nextId(), content, metadata });
    }
    for (const group of results) {
      // Servers may count their messages from one in each reply.
      const ownId = group.header.id === undefined || usedIds.has(group.header.id) ? nextId() : group.header.id;
      usedIds.add(ownId);
      messages.push({
        ...shared,
        name: 'system',
        ...group.header,
        id: ownId,
        role: 'TOOL',
        content: group.content,
        metadata: { ...group.metadata, part_of: id },
      });
    }
    content = [];
    results = [];
  };
  for (const block of ownBlocks(message)) {
    const resultId = callOfMedia(block);
    if (ownResultIds.has(resultId)) continue;
    const mediaOutput = resultId === undefined ? undefined : outputs.get(resultId);
    if (mediaOutput) {
      mediaOutput.push(...toMsgBlocks(block));
      continue;
    }
    if (results.length > 0 && block.type !== 'tool_call') flush();
    content.push(...toMsgBlocks(block, original));
    const call = block.type === 'tool_call' ? block.tool_call : undefined;
    if (call?.response !== undefined && block.status !== 'loading' && !ownResultIds.has(call.id)) {
      const metadata = byCall(original?.results, call.id);
      const header = byCall(original?.resultHeaders, call.id);
      const group = results.at(-1);
      const isSameMessage =
        group && JSON.stringify([group.header, group.metadata]) === JSON.stringify([header, metadata]);
      const groupContent = isSameMessage ? group.content : [];
      if (!isSameMessage) results.push({ header, metadata, content: groupContent });
      // Some models refuse an empty text.
      const output: Msg['content'][number][] = call.response === '' ? [] : [{ type: 'text', text: call.response }];
      if (call.id !== undefined) outputs.set(call.id, output);
      groupContent.push({
        type: 'tool_result',
        // AgentScope's Java and Python classes read `id`; its documentation calls the field `toolUseId`.
        id: call.id ?? null,
        toolUseId: call.id ?? null,
        name: call.name ?? null,
        output,
        ...(block.status === 'error' && { state: 'error' }),
      });
    }
  }
  if (content.length > 0 || results.length > 0 || messages.length === 0) flush();
  return messages;
}

/** Whether the user has edited an imported message: the new text is not the one of that id and time. */
function isEdited({ role, timestamp }: ChatMessage, original: OriginalMsg | undefined): boolean {
  const time = Date.parse(original?.timestamp ?? '');
  return role === 'user' && Number.isFinite(time) && time !== timestamp;
}

const byCall = <Value extends object>(
  values: Readonly<Record<string, Value>> | undefined,
  callId: string | undefined,
): Value | Readonly<Record<string, never>> =>
  (values && callId !== undefined && Object.hasOwn(values, callId) && values[callId]) || {};

/** The call whose result an image or recording was part of. */
function callOfMedia({ type, extra }: AssistantMessageBlock): string | undefined {
  const dataId = /^(?:image|audio|video|file)$/.test(type) ? extra?.['dataId'] : undefined;
  return typeof dataId === 'string' ? mediaCallId(dataId) : undefined;
}

const msgRoles: Readonly<Record<ChatMessage['role'], Msg['role']>> = {
  system: 'SYSTEM',
  user: 'USER',
  assistant: 'ASSISTANT',
  tool: 'TOOL',
};

function toMsgBlocks(block: AssistantMessageBlock, original?: OriginalMsg): readonly Msg['content'][number][] {
  switch (block.type) {
    case 'content':
      return [{ type: 'text', text: block.content }];
    case 'reasoning_content':
      return [{ type: 'thinking', thinking: block.content }];
    case 'tool_call': {
      const { id = block.id, name = '', params = '', response } = block.tool_call;
      if (original?.callType === undefined) return [{ type: 'tool_use', id, name, input: parseObject(params) }];
      const state = response === undefined ? {} : { state: 'finished' };
      return [{ type: original.callType, id, name, input: params || '{}', ...state }];
    }
    case 'image':
      return toSources(block, block.image_data).map((source) => ({ type: 'image', source }));
    case 'audio':
    case 'video':
      return toSources(block, block).map((source) => ({ type: block.type, source }));
    case 'file':
      return toSources(block, block).map((source) => ({
        type: 'data',
        source,
        ...(block.name !== undefined && { name: block.name }),
      }));
    default:
      return [];
  }
}

/**
 * The source of an image, a recording or a file. If the chat refused its URL, such as that of a file on the server, the agent
 * gets this URL back. Without a URL and data there is nothing to send, because models refuse an empty source.
 */
function toSources(
  { url, extra }: Pick<MediaBlock, 'url' | 'extra'>,
  { data, mimeType = 'application/octet-stream' }: { readonly data?: string; readonly mimeType?: string } = {},
): readonly MsgSource[] {
  const address = url ?? extra?.['url'];
  if (typeof address === 'string') return [{ type: 'url', url: address }];
  return data === undefined ? [] : [{ type: 'base64', media_type: mimeType, data }];
}

type MediaBlock = BlockOf<'image'> | BlockOf<'audio'> | BlockOf<'video'> | BlockOf<'file'>;

function parseObject(text = ''): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A message without its id and timestamp. */
type Draft = Pick<ChatMessage, 'role'> & {
  readonly name?: string;
  timestamp?: number;
  metadata: Record<string, unknown>;
  readonly blocks: Partial<AssistantMessageBlock>[];
};

/** A message with what its results have besides their text: entries by the id of the call. */
type DraftWithResults = Draft & {
  readonly resultHeaders: (readonly [id: string, header: ResultHeader])[];
  readonly results: (readonly [id: string, metadata: Msg['metadata']])[];
};

const roles: Readonly<Record<Msg['role'], ChatMessage['role']>> = {
  SYSTEM: 'system',
  USER: 'user',
  ASSISTANT: 'assistant',
  TOOL: 'tool',
};

/** Converts `Msg`s to messages: results go into the block of their call, and split messages are joined again. */
export function fromMsgs(messages: readonly Msg[]): readonly Draft[] {
  const drafts: DraftWithResults[] = [];
  // Servers may use an id again in a later reply: the last draft with it counts.
  const draftsById = new Map<unknown, DraftWithResults>();
  const calls = new WaitingCalls<DraftWithResults>();
  for (const message of messages) {
    const partOf = message.metadata['part_of'];
    const splitDraft = partOf === undefined ? undefined : draftsById.get(partOf);
    const blocks = knownBlocks(message).flatMap((block) => fromBlock(block, message.role));
    let draft = splitDraft;
    if (draft) draft.blocks.push(...blocks);
    else {
      const time = message.timestamp == null ? Number.NaN : Date.parse(message.timestamp);
      const unknown = Object.fromEntries(
        message.content.flatMap((block, index) => {
          const known = msgBlock.safeParse(block);
          return known.success && known.data.type !== 'hint' ? [] : [[index, block]];
        }),
      );
      draft = {
        role: roles[message.role],
        ...(message.name != null && { name: message.name }),
        blocks,
        ...(Number.isFinite(time) && { timestamp: time }),
        resultHeaders: [],
        results: [],
        metadata: {
          ...(message.id != null && { messageId: message.id }),
          msg: {
            metadata: message.metadata,
            ...(message.timestamp != null && { timestamp: message.timestamp }),
            ...callTypeOf(message),
            ...(Object.keys(unknown).length > 0 && { unknown }),
            ...(message.role === 'TOOL' && { content: message.content }),
          },
        },
      };
      drafts.push(draft);
      if (message.id != null) draftsById.set(message.id, draft);
    }
    calls.add(draft, blocks);
    for (const result of toolResultsIn(message.content)) answerCall(calls, result, message);
  }
  return drafts.map(withResults);
}

/** Moves what is known about results into the metadata. Each of them is there once, also if there are thousands. */
function withResults({ resultHeaders, results, ...draft }: DraftWithResults): Draft {
  if (resultHeaders.length === 0) return draft;
  const msg = {
    ...(draft.metadata['msg'] as OriginalMsg),
    resultHeaders: Object.fromEntries(resultHeaders),
    ...(results.length > 0 && { results: Object.fromEntries(results) }),
  };
  return { ...draft, metadata: { ...draft.metadata, msg } };
}

function answerCall(calls: WaitingCalls<DraftWithResults>, result: MsgToolResult, message: Msg): void {
  const {
    role,
    metadata: { part_of: _, ...ownMetadata },
  } = message;
  const id = resultCallId(result);
  const { text, failed } = parseToolResult(result);
  const output = typeof result.output === 'string' ? [] : result.output;
  const media = knownBlocks({ content: output })
    .filter((block) => 'source' in block)
    .flatMap((block) => fromBlock(block, 'TOOL'))
    .map((block, index) => ({ ...block, extra: { dataId: resultMediaId(id, index) } }));
  for (const { draft, block } of calls.answer(id, failed ? 'error' : 'success', text)) {
    if (media.length > 0) draft.blocks.splice(draft.blocks.indexOf(block) + 1, 0, ...media);
    if (role === 'ASSISTANT' || id === undefined) continue;
    draft.resultHeaders.push([id, resultHeader(message)]);
    if (Object.keys(ownMetadata).length > 0) draft.results.push([id, ownMetadata]);
  }
}

function fromBlock(block: MsgBlock, role: Msg['role']): readonly Partial<AssistantMessageBlock>[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'content', content: block.text, ...(role === 'USER' && { format: 'text' as const }) }];
    case 'thinking':
      return [{ type: 'reasoning_content', content: block.thinking }];
    case 'tool_use':
      return [
        {
          type: 'tool_call',
          status: 'loading',
          tool_call: { id: block.id, name: block.name, params: JSON.stringify(block.input) },
        },
      ];
    case 'hint':
    case 'tool_result':
      return [];
    default: {
      const media = msgBlockToMedia(block);
      if (!media) return [];
      const { kind, url, data, mimeType, name } = media;
      const shared = { ...(url !== undefined && { url }), ...(name !== undefined && { name }) };
      if (kind === 'image') {
        return [
          { type: 'image', ...shared, ...(data !== undefined && { image_data: { data, mimeType: mimeType ?? '' } }) },
        ];
      }
      return [
        { type: kind, ...shared, ...(data !== undefined && { data }), ...(mimeType !== undefined && { mimeType }) },
      ];
    }
  }
}
