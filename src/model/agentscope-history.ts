/** Our messages as AgentScope's, and AgentScope's as ours: what its endpoints are sent, and a form of import and export. */
import {
  callIdOf,
  knownBlocks,
  msgBlock,
  readToolResult,
  resultsIn,
  toMedia,
  type Msg,
  type MsgBlock,
  type MsgSource,
  type MsgToolResult,
} from './agentscope-msg.ts';
import type { AssistantMessageBlock } from './blocks.ts';
import type { ChatMessage } from './message.ts';
import { ownBlocks } from './own-blocks.ts';

/** Where a message of ours came from or went to: kept in its `metadata.msg`, so that nothing is lost on the way back. */
interface Kept {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly timestamp?: string;
  /** The blocks that we don't show, by their place. */
  readonly unknown?: Readonly<Record<string, unknown>>;
  /** All that a message of role TOOL held: what we show of it stands in the blocks of its calls. */
  readonly content?: Msg['content'];
}

const keptOf = (message: ChatMessage): Kept | undefined => message.metadata?.['msg'] as Kept | undefined;

/** Our messages as `Msg`s. A result that came in a message of its own goes back there, and is not told a second time. */
export function toMsgs(messages: readonly ChatMessage[]): readonly Msg[] {
  const held = new Set(messages.flatMap((message) => resultsIn(keptOf(message)?.content ?? []).map(callIdOf)));
  return messages.flatMap((message) => splitMessage(message, held));
}

/** A message of ours as the `Msg`s it takes: a tool's result is a message of its own between what was said before and after. */
function splitMessage(message: ChatMessage, held: ReadonlySet<string | undefined>): readonly Msg[] {
  const kept = keptOf(message);
  const role = msgRoles[message.role];
  const id = (message.metadata?.['messageId'] as string | undefined) ?? message.id;
  const name = message.name ?? role.toLowerCase();
  const timestamp = kept?.timestamp ?? new Date(message.timestamp).toISOString();
  const shared = { id, name, role, timestamp };
  if (kept?.content) return [{ ...shared, content: kept.content, metadata: kept.metadata }];

  const messages: Msg[] = [];
  let content: Msg['content'][number][] = [];
  let results: MsgToolResult[] = [];

  const part = (): string => (messages.length === 0 ? id : `${id}.${String(messages.length)}`);
  const flush = (): void => {
    if (content.length > 0 || messages.length === 0) {
      const first = messages.length === 0;
      for (const [index, block] of first ? Object.entries(kept?.unknown ?? {}) : []) {
        content.splice(Number(index), 0, block as Msg['content'][number]);
      }
      const metadata = { ...kept?.metadata, ...(!first && { part_of: id }) };
      messages.push({ ...shared, id: part(), content, metadata });
    }
    if (results.length > 0) {
      messages.push({
        ...shared,
        id: part(),
        name: 'system',
        role: 'TOOL',
        content: results,
        metadata: { part_of: id },
      });
    }
    content = [];
    results = [];
  };
  for (const block of ownBlocks(message)) {
    if (results.length > 0 && block.type !== 'tool_call') flush();
    content.push(...toMsgBlocks(block));
    const call = block.type === 'tool_call' ? block.tool_call : undefined;
    if (call?.response !== undefined && block.status !== 'loading' && !held.has(call.id)) {
      results.push({
        type: 'tool_result',
        toolUseId: call.id ?? null,
        name: call.name ?? null,
        output: [{ type: 'text', text: call.response }],
        ...(block.status === 'error' && { state: 'error' }),
      });
    }
  }
  if (content.length > 0 || results.length > 0 || messages.length === 0) flush();
  return messages;
}

const msgRoles: Readonly<Record<ChatMessage['role'], Msg['role']>> = {
  system: 'SYSTEM',
  user: 'USER',
  assistant: 'ASSISTANT',
  tool: 'TOOL',
};

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
    const blocks = knownBlocks(message).flatMap((block) => fromBlock(block, message.role));
    if (whole) whole.blocks.push(...blocks);
    else {
      const time = message.timestamp == null ? Number.NaN : Date.parse(message.timestamp);
      const unknown = Object.fromEntries(
        message.content.flatMap((block, index) => {
          const known = msgBlock.safeParse(block);
          return known.success && known.data.type !== 'hint' ? [] : [[index, block]];
        }),
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
    for (const result of resultsIn(message.content)) answerCall(drafts, result);
  }
  return drafts;
}

function answerCall(drafts: readonly Draft[], result: MsgToolResult): void {
  const id = callIdOf(result);
  const { text, failed } = readToolResult(result);
  for (const { blocks } of drafts) {
    for (const [index, block] of blocks.entries()) {
      // One that is answered already is a call of an earlier round with the same id.
      if (block.type !== 'tool_call' || block.tool_call?.id !== id || block.status !== 'loading') continue;
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
