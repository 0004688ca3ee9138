/**
 * AgentScope's `Msg`, which its endpoints speak; `agentscope-history.ts` makes our messages of it and the other way round.
 * Source: the "message system architecture" document, page `seed-agentscope-msg.md`; key spellings of real servers included.
 */
import type { Media } from './blocks.ts';
import type { Immutable } from './immutable.ts';
import { z } from './schema.ts';

const optional = z.exactOptional;

const msgSource = z.union([
  z.object({ type: z.literal('url'), url: z.string(), mime_type: optional(z.string()) }),
  z.object({
    type: z.literal('base64'),
    data: z.string(),
    media_type: optional(z.string()),
    mediaType: optional(z.string()),
  }),
]);
/** Where the bytes of a part are: in it as base64, or at an address. */
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

/** The schema of {@link Msg}. */
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
/** A message of AgentScope: who has said it, and its parts. */
export type Msg = Immutable<z.infer<typeof msg>>;

/** The blocks of a message that we know. */
export const knownBlocks = ({ content }: Pick<Msg, 'content'>): readonly MsgBlock[] => knownAmong(content);

const knownAmong = (content: Msg['content']): readonly MsgBlock[] =>
  content.flatMap((block) => {
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

/** Whether it calls a tool. */
export const hasToolCall = (message: Msg): boolean => getToolCalls(message).length > 0;

export type MsgToolResult = Extract<MsgBlock, { type: 'tool_result' }>;

/** The results among blocks. */
export const resultsIn = (content: Msg['content']): readonly MsgToolResult[] =>
  knownAmong(content).flatMap((block) => (block.type === 'tool_result' ? [block] : []));

/** The call a result belongs to; the spelling differs by product. */
export const callIdOf = (result: MsgToolResult): string | undefined =>
  result.toolUseId ?? result.tool_use_id ?? result.tool_call_id ?? result.id ?? undefined;

const FAILED = new Set(['error', 'interrupted', 'denied']);

/** A result's words, whether it is a failure, and the media in it. */
export function readToolResult(result: MsgToolResult): {
  readonly text: string;
  readonly failed: boolean;
  readonly media: readonly Media[];
} {
  const blocks =
    typeof result.output === 'string'
      ? [{ type: 'text' as const, text: result.output }]
      : knownAmong([...result.output]);
  const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return {
    text,
    failed: result.state == null ? /^(?:\[ERROR\]|Error:)/.test(text) : FAILED.has(result.state),
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
