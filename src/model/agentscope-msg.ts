/**
 * AgentScope's `Msg`, which its endpoints speak and conversations are imported from and exported to.
 * Source: the "message system architecture" document, page `seed-agentscope-msg.md`; key spellings of real servers included.
 */
import type { AssistantMessageBlock, Media } from './blocks.ts';
import type { Immutable } from './immutable.ts';
import type { ChatMessage } from './message.ts';
import { z } from './schema.ts';

const optional = z.exactOptional;

export const msgSource = z.union([
  z.object({ type: z.literal('url'), url: z.string(), mime_type: optional(z.string()) }),
  z.object({
    type: z.literal('base64'),
    data: z.string(),
    media_type: optional(z.string()),
    mediaType: optional(z.string()),
  }),
]);
export type MsgSource = Immutable<z.infer<typeof msgSource>>;

const resultId = optional(z.nullable(z.string()));
export const msgBlock = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.enum(['image', 'audio', 'video']), source: msgSource }),
  z.object({ type: z.literal('data'), source: msgSource, name: optional(z.nullable(z.string())) }),
  z.object({ type: z.literal('hint'), hint: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.catch(z.record(z.string(), z.unknown()), {}),
  }),
  z.object({
    type: z.literal('tool_result'),
    toolUseId: resultId,
    tool_use_id: resultId,
    tool_call_id: resultId,
    id: resultId,
    name: optional(z.nullable(z.string())),
    state: optional(z.nullable(z.string())),
    output: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  }),
]);
/** One part of a message. A type that is not in the list is kept by import and export and shown as nothing. */
export type MsgBlock = Immutable<z.infer<typeof msgBlock>>;

export const msg = z.object({
  id: optional(z.string()),
  name: z.string(),
  role: z.pipe(
    z.pipe(
      z.string(),
      z.transform((role) => role.toUpperCase()),
    ),
    z.enum(['SYSTEM', 'USER', 'ASSISTANT', 'TOOL']),
  ),
  content: z.pipe(
    z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
    z.transform((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)),
  ),
  metadata: z.catch(z.record(z.string(), z.unknown()), {}),
  timestamp: optional(z.nullable(z.string())),
});
export type Msg = Immutable<z.infer<typeof msg>>;

/** The blocks of a message that we know. */
export const knownBlocks = (message: Msg): readonly MsgBlock[] =>
  message.content.flatMap((block) => {
    const known = msgBlock.safeParse(block);
    return known.success ? [known.data] : [];
  });

/** All its words. */
export const getTextContent = (message: Msg): string =>
  knownBlocks(message)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');

/** The calls it asks for. */
export const getToolCalls = (message: Msg): readonly Extract<MsgBlock, { type: 'tool_use' }>[] =>
  knownBlocks(message).flatMap((block) => (block.type === 'tool_use' ? [block] : []));

export const hasToolCall = (message: Msg): boolean => getToolCalls(message).length > 0;

type MsgToolResult = Extract<MsgBlock, { type: 'tool_result' }>;

/** The call a result belongs to; the spelling differs by product. */
export const callIdOf = (result: MsgToolResult): string | undefined =>
  result.toolUseId ?? result.tool_use_id ?? result.tool_call_id ?? result.id ?? undefined;

/** A result's words, whether it is a failure, and the media in it. */
export function readToolResult(result: MsgToolResult): {
  readonly text: string;
  readonly failed: boolean;
  readonly media: readonly Media[];
} {
  const blocks =
    typeof result.output === 'string'
      ? [{ type: 'text' as const, text: result.output }]
      : knownBlocks({ name: '', role: 'TOOL', content: [...result.output], metadata: {} });
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return {
    text,
    failed: result.state === 'error' || (result.state == null && /^(?:\[ERROR\]|Error:)/.test(text)),
    media: blocks.flatMap((block) => toMedia(block) ?? []),
  };
}

/** A media block as media, whatever its source; undefined for the others. */
export function toMedia(block: MsgBlock): Media | undefined {
  if (!('source' in block)) return undefined;
  const { source } = block;
  const mimeType = source.type === 'url' ? source.mime_type : (source.media_type ?? source.mediaType);
  const kind = block.type === 'data' ? kindOf(mimeType) : block.type;
  const name = block.type === 'data' && block.name ? { name: block.name } : {};
  const type = mimeType === undefined ? {} : { mimeType };
  return source.type === 'url'
    ? { kind, url: source.url, ...type, ...name }
    : { kind, data: source.data, ...type, ...name };
}

const kindOf = (mimeType = ''): Media['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};

/** Where a message of ours came from or went to: kept in its `metadata.msg`, so that nothing is lost on the way back. */
interface Kept {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly timestamp?: string;
  /** The blocks that we don't show, by their place. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

const keptOf = (message: ChatMessage): Kept | undefined => message.metadata?.['msg'] as Kept | undefined;

/** A message of ours as the `Msg`s it takes: a tool's result is a message of its own between what was said before and after. */
export function toMsgs(message: ChatMessage): readonly Msg[] {
  const kept = keptOf(message);
  const role =
    message.role === 'tool' ? 'TOOL' : message.role === 'system' ? 'SYSTEM' : isUser(message) ? 'USER' : 'ASSISTANT';
  const id = (message.metadata?.['messageId'] as string | undefined) ?? message.id;
  const name = message.name ?? role.toLowerCase();
  const timestamp = kept?.timestamp ?? new Date(message.timestamp).toISOString();
  const messages: Msg[] = [];
  let content: Msg['content'][number][] = [];
  let results: MsgToolResult[] = [];

  const part = (): string => (messages.length === 0 ? id : `${id}.${String(messages.length)}`);
  const flush = (): void => {
    const metadata = { ...kept?.metadata, ...(messages.length > 0 && { part_of: id }) };
    if (content.length > 0 || messages.length === 0) {
      messages.push({ id: part(), name, role, content, metadata, timestamp });
    }
    if (results.length > 0) {
      messages.push({
        id: part(),
        name: 'system',
        role: 'TOOL',
        content: results,
        metadata: { part_of: id },
        timestamp,
      });
    }
    content = [];
    results = [];
  };
  for (const block of message.blocks) {
    if (results.length > 0 && block.type !== 'tool_call') flush();
    content.push(...toMsgBlocks(block));
    const call = block.type === 'tool_call' ? block.tool_call : undefined;
    if (call?.response !== undefined && block.status !== 'loading') {
      results.push({
        type: 'tool_result',
        toolUseId: call.id ?? null,
        name: call.name ?? null,
        output: [{ type: 'text', text: call.response }],
        ...(block.status === 'error' && { state: 'error' }),
      });
    }
  }
  const unknown = Object.entries(kept?.unknown ?? {});
  for (const [index, block] of unknown) content.splice(Number(index), 0, block as Msg['content'][number]);
  if (content.length > 0 || results.length > 0 || messages.length === 0) flush();
  return messages;
}

const isUser = (message: ChatMessage): boolean => message.role === 'user';

function toMsgBlocks(block: AssistantMessageBlock): readonly Msg['content'][number][] {
  switch (block.type) {
    case 'content':
      return [{ type: 'text', text: block.content }];
    case 'reasoning_content':
      return [{ type: 'thinking', thinking: block.content }];
    case 'tool_call':
      return [
        {
          type: 'tool_use',
          id: block.tool_call.id ?? block.id,
          name: block.tool_call.name ?? '',
          input: parseObject(block.tool_call.params),
        },
      ];
    case 'image':
      return [{ type: 'image', source: toSource(block.url, block.image_data?.data, block.image_data?.mimeType) }];
    case 'audio':
    case 'video':
      return [{ type: block.type, source: toSource(block.url, block.data, block.mimeType) }];
    case 'file':
      return [
        {
          type: 'data',
          source: toSource(block.url, block.data, block.mimeType),
          ...(block.name !== undefined && { name: block.name }),
        },
      ];
    default:
      return [];
  }
}

const toSource = (url: string | undefined, data = '', mimeType = 'application/octet-stream'): MsgSource =>
  url === undefined ? { type: 'base64', media_type: mimeType, data } : { type: 'url', url };

function parseObject(text = ''): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A message of ours before it has an id and a time of its own. */
type Draft = Pick<ChatMessage, 'role'> & {
  readonly name: string;
  timestamp?: number;
  metadata: Record<string, unknown>;
  readonly blocks: Partial<AssistantMessageBlock>[];
};

const roles: Readonly<Record<Msg['role'], ChatMessage['role']>> = {
  SYSTEM: 'system',
  USER: 'user',
  ASSISTANT: 'assistant',
  TOOL: 'tool',
};

/** `Msg`s as messages of ours: results go into the block of their call, and what one of ours was split into is one again. */
export function fromMsgs(messages: readonly Msg[]): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const message of messages) {
    const partOf = message.metadata['part_of'];
    const whole = drafts.find(({ metadata }) => partOf !== undefined && metadata['messageId'] === partOf);
    if (message.role === 'TOOL') {
      for (const block of knownBlocks(message)) if (block.type === 'tool_result') answerCall(drafts, block);
      if (whole) continue;
    }
    const blocks = knownBlocks(message).flatMap((block) => fromBlock(block, message.role));
    if (whole) whole.blocks.push(...blocks);
    else {
      const time = message.timestamp == null ? Number.NaN : Date.parse(message.timestamp);
      const unknown = Object.fromEntries(
        message.content.flatMap((block, index) => (msgBlock.safeParse(block).success ? [] : [[index, block]])),
      );
      drafts.push({
        role: roles[message.role],
        name: message.name,
        blocks,
        ...(Number.isFinite(time) && { timestamp: time }),
        metadata: {
          ...(message.id !== undefined && { messageId: message.id }),
          msg: {
            metadata: message.metadata,
            ...(message.timestamp != null && { timestamp: message.timestamp }),
            ...(Object.keys(unknown).length > 0 && { unknown }),
            ...(message.role === 'TOOL' && { content: message.content }),
          },
        },
      });
    }
  }
  return drafts;
}

function answerCall(drafts: readonly Draft[], result: MsgToolResult): void {
  const id = callIdOf(result);
  const { text, failed } = readToolResult(result);
  for (const { blocks } of drafts) {
    for (const [index, block] of blocks.entries()) {
      if (block.type !== 'tool_call' || block.tool_call?.id !== id) continue;
      blocks[index] = {
        ...block,
        status: failed ? 'error' : 'success',
        tool_call: { ...block.tool_call, response: text },
      };
    }
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
      const media = toMedia(block);
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
