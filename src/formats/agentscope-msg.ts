/**
 * The schema of AgentScope's `Msg`. `agentscope-messages.ts` converts it to and from our messages.
 * Source: `docs/protocols/agentscope-msg.md`; includes the field spellings of real servers.
 */
import type { Media } from '../model/blocks.ts';
import type { Immutable } from '../model/immutable.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { recordOf, z } from '../model/schema.ts';
import { toolFailureFields, isToolFailure } from '../model/tool-failure.ts';

const optional = z.exactOptional;
/** Jackson, the JSON library of AgentScope's Java servers, writes a field that is not set as null. */
const optionalText = optional(z.nullable(z.string()));
/** An id or a name, which servers without types may send as a number. */
const idText = z.union([z.string(), z.pipe(z.number(), z.transform(String))]);
const optionalId = optional(z.nullable(idText));
/** The arguments of a call. The later `tool_call` has them as JSON text, which is incomplete while the call streams. */
const callInput = z.transform((input): Record<string, unknown> => {
  const value = typeof input === 'string' ? parseJson(input) : input;
  return isRecord(value) ? value : {};
});

const msgSource = z.union([
  z.object({ type: z.literal('url'), url: z.string(), mime_type: optionalText }),
  z.object({ type: z.literal('base64'), data: z.string(), media_type: optionalText, mediaType: optionalText }),
]);
/** The bytes of a part: base64, or a URL. */
export type MsgSource = Immutable<z.infer<typeof msgSource>>;

const anyBlock = z.looseObject({ type: z.string() });
export const msgBlock = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.enum(['image', 'audio', 'video']), source: msgSource }),
  z.object({ type: z.literal('data'), source: msgSource, name: optionalText }),
  z.object({ type: z.literal('hint'), hint: z.union([z.string(), z.array(anyBlock)]) }),
  z.object({
    // `tool_call` is the name of AgentScope 2.
    type: z.pipe(
      z.enum(['tool_use', 'tool_call']),
      z.transform(() => 'tool_use' as const),
    ),
    id: idText,
    name: z.string(),
    input: z.catch(z.pipe(z.unknown(), callInput), {}),
  }),
  z.object({
    type: z.literal('tool_result'),
    toolUseId: optionalId,
    tool_use_id: optionalId,
    tool_call_id: optionalId,
    id: optionalId,
    name: optionalText,
    ...toolFailureFields,
    // Servers of earlier versions send one block instead of a list, and no output as null.
    output: z.catch(
      z.union([
        z.string(),
        z.array(anyBlock),
        z.pipe(
          anyBlock,
          z.transform((block) => [block]),
        ),
      ]),
      [],
    ),
  }),
]);
/** One part of a message. Unknown types are kept by import and export, but not shown. */
export type MsgBlock = Immutable<z.infer<typeof msgBlock>>;

/** A point in time: as text, or as a number of seconds or milliseconds (Jackson's default). */
const instant = z.pipe(
  z.unknown(),
  z.transform((time) => {
    if (typeof time === 'string') return time;
    // AgentScope Java sends numbers; values of ten digits are seconds.
    const date = typeof time === 'number' ? new Date(time < 1e11 ? time * 1000 : time) : undefined;
    return date && Number.isFinite(date.getTime()) ? date.toISOString() : null;
  }),
);

/** The schema of {@link Msg}. */
export const msg = z.object({
  id: optionalId,
  /** Missing if the message has no name; then the role identifies the author. */
  name: optionalId,
  role: z.pipe(
    z.pipe(
      z.string(),
      z.transform((role) => role.toUpperCase()),
    ),
    z.enum(['SYSTEM', 'USER', 'ASSISTANT', 'TOOL']),
  ),
  content: z.pipe(
    z.nullable(z.union([z.string(), z.array(anyBlock)])),
    z.transform((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []))),
  ),
  metadata: z.catch(recordOf(z.unknown()), {}),
  timestamp: optional(instant),
});
/** An AgentScope message: its author and its parts. */
export type Msg = Immutable<z.infer<typeof msg>>;

/** Returns the blocks of a message with a known type. */
export const knownBlocks = ({ content }: Pick<Msg, 'content'>): readonly MsgBlock[] => knownAmong(content);

/** Whether a block is a call, by its name in any version. */
export const isCall = ({ type }: Msg['content'][number]): boolean => type === 'tool_use' || type === 'tool_call';

/** The type of a message's calls that is sent back, if it is the one of AgentScope 2, which knows no other. */
export const callTypeOf = ({ content }: Pick<Msg, 'content'>): { readonly callType?: 'tool_call' } =>
  content.some(({ type }) => type === 'tool_call') ? { callType: 'tool_call' } : {};

const knownAmong = (content: Msg['content']): readonly MsgBlock[] =>
  content.flatMap((block) => {
    const known = msgBlock.safeParse(block);
    return known.success ? [known.data] : [];
  });

/** Returns the texts of a message, joined by line breaks as AgentScope's own method does. */
export const getTextContent = ({ content }: Pick<Msg, 'content'>): string => joinTexts(knownAmong(content));

const joinTexts = (blocks: readonly MsgBlock[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** Returns the tool calls of a message. */
export const getToolCalls = (message: Msg): readonly Extract<MsgBlock, { type: 'tool_use' }>[] =>
  knownBlocks(message).flatMap((block) => (block.type === 'tool_use' ? [block] : []));

/** Whether the message has a tool call. */
export const hasToolCall = (message: Msg): boolean => getToolCalls(message).length > 0;

export type MsgToolResult = Extract<MsgBlock, { type: 'tool_result' }>;

/** Returns the tool results among the blocks. */
export const toolResultsIn = (content: Msg['content']): readonly MsgToolResult[] =>
  knownAmong(content).flatMap((block) => (block.type === 'tool_result' ? [block] : []));

/** Returns the id of a result's call; the field name differs between products. */
export const resultCallId = (result: MsgToolResult): string | undefined =>
  result.toolUseId ?? result.tool_use_id ?? result.tool_call_id ?? result.id ?? undefined;

/** Returns the id of an image or recording in a result; requests and exports put it back into the output of its call. */
export const resultMediaId = (callId: string | undefined, index: number): string => `${callId ?? ''} ${String(index)}`;

/** Returns the call that is named in such an id, if it is one. */
export const mediaCallId = (mediaId: string): string | undefined =>
  mediaId.includes(' ') ? mediaId.slice(0, mediaId.lastIndexOf(' ')) : undefined;

/** Returns a result's joined text, its media, and whether it is a failure. */
export function parseToolResult(result: MsgToolResult): {
  readonly text: string;
  readonly failed: boolean;
  readonly media: readonly Media[];
} {
  const blocks =
    typeof result.output === 'string'
      ? [{ type: 'text' as const, text: result.output }]
      : knownAmong([...result.output]);
  const text = joinTexts(blocks);
  return {
    text,
    failed: isToolFailure(result, text),
    media: blocks.flatMap((block) => msgBlockToMedia(block) ?? []),
  };
}

/** Converts a media block of any source type; undefined for other blocks. */
export function msgBlockToMedia(block: MsgBlock): Media | undefined {
  if (!('source' in block)) return undefined;
  const { source } = block;
  const mimeType = source.type === 'url' ? source.mime_type : (source.media_type ?? source.mediaType);
  const kind = block.type === 'data' ? kindOf(mimeType ?? '') : block.type;
  const name = block.type === 'data' && block.name ? { name: block.name } : {};
  const type = mimeType == null ? {} : { mimeType };
  return source.type === 'url'
    ? { kind, url: source.url, ...type, ...name }
    : { kind, data: source.data, ...type, ...name };
}

const kindOf = (mimeType: string): Media['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};
