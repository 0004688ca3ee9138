/**
 * Builders for AgentScope messages, and the format in which a model reads a conversation of several agents.
 * Source: `docs/protocols/agentscope-msg.md`.
 */
import type { Media } from '../model/blocks.ts';
import { withoutDataUrl } from '../model/text/without-data-url.ts';
import {
  getToolCalls,
  knownBlocks,
  msgBlockToMedia,
  resultCallId,
  toolResultsIn,
  type Msg,
  type MsgBlock,
  type MsgSource,
} from './agentscope-msg.ts';
import type { OpenAiMessage, OpenAiPart } from './openai-message.ts';

type Block<Type extends MsgBlock['type']> = Extract<MsgBlock, { readonly type: Type }>;

/** Factories for the two kinds of media source. */
export const createMsgSource = {
  /** A URL. A `file:` URL is a file on the server: a browser shows only its name. */
  url: (url: string): MsgSource => ({ type: 'url', url }),
  /** Base64 without a prefix. */
  base64: (mediaType: string, data: string): MsgSource => ({ type: 'base64', media_type: mediaType, data }),
} as const;

/**
 * Factories for the blocks of a message, one per type.
 *
 * @example createMsgBlock.toolUse('call_1', 'get_weather', { city: 'Oslo' })
 */
export const createMsgBlock = {
  text: (text: string): Block<'text'> => ({ type: 'text', text }),
  image: (source: MsgSource) => ({ type: 'image', source }) as const,
  audio: (source: MsgSource) => ({ type: 'audio', source }) as const,
  video: (source: MsgSource) => ({ type: 'video', source }) as const,
  thinking: (thinking: string): Block<'thinking'> => ({ type: 'thinking', thinking }),
  toolUse: (id: string, name: string, input: Readonly<Record<string, unknown>>): Block<'tool_use'> => ({
    type: 'tool_use',
    id,
    name,
    input,
  }),
  /** The result of the call with that id: text, or blocks. */
  toolResult: (toolUseId: string, output: string | readonly MsgBlock[]): Block<'tool_result'> => ({
    type: 'tool_result',
    toolUseId,
    output: typeof output === 'string' ? [{ type: 'text', text: output }] : output,
  }),
  /** The failure of the call with that id. */
  toolError: (toolUseId: string, message: string): Block<'tool_result'> => ({
    type: 'tool_result',
    toolUseId,
    output: [{ type: 'text', text: message }],
    state: 'error',
  }),
} as const;

interface MsgDraftBase {
  readonly name?: string;
  /** Default: `USER`. */
  readonly role?: Msg['role'];
  readonly id?: string;
  readonly metadata?: Msg['metadata'];
  /** ISO 8601. */
  readonly timestamp?: string;
}

/** The fields of a message to create. `textContent` is short for one text block. */
export type MsgDraft = MsgDraftBase &
  (
    | { readonly textContent: string; readonly content?: never }
    | { readonly content: readonly MsgBlock[]; readonly textContent?: never }
  );

/**
 * Creates a message.
 *
 * @example createMsg({ name: 'Planner', role: 'ASSISTANT', textContent: 'Two steps are left.' })
 */
export const createMsg = ({ role = 'USER', textContent, content, metadata = {}, ...fields }: MsgDraft): Msg => ({
  ...fields,
  role,
  content: content ?? [createMsgBlock.text(textContent)],
  metadata,
});

/**
 * Converts messages to those that a model reads. With several named agents, an agent's text becomes a user message with
 * the name in front (`[Planner]: …`), so that the model can tell them apart; calls and results keep their form. Media
 * that the format has no place for become a note in the text, such as `[video: https://…]`.
 */
export function formatMsgs(messages: readonly Msg[]): readonly OpenAiMessage[] {
  const names = new Set(messages.flatMap(({ role, name }) => (role === 'ASSISTANT' && name ? [name] : [])));
  return messages.flatMap((message) => formatMsg(message, names.size > 1));
}

function formatMsg(message: Msg, severalAgents: boolean): readonly OpenAiMessage[] {
  const blocks = knownBlocks(message);
  switch (message.role) {
    case 'SYSTEM':
      return [{ role: 'system', content: textWithNotes(blocks) }];
    case 'USER':
      return [{ role: 'user', content: userContent(blocks) }];
    case 'TOOL':
      return toolMessages(message);
    case 'ASSISTANT': {
      const text = textWithNotes(blocks);
      const results = toolMessages(message);
      const tool_calls = getToolCalls(message).map(({ id, name, input }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: JSON.stringify(input) },
      }));
      if (severalAgents && message.name && text) {
        const spoken = { role: 'user', content: withSpeaker(userContent(blocks), message.name) } as const;
        return tool_calls.length > 0
          ? [spoken, { role: 'assistant', content: null, tool_calls }, ...results]
          : [spoken, ...results];
      }
      if (!text && tool_calls.length === 0) return results;
      return [{ role: 'assistant', content: text || null, ...(tool_calls.length > 0 && { tool_calls }) }, ...results];
    }
  }
}

/** Puts the name of the agent before its first text. */
function withSpeaker(content: string | readonly OpenAiPart[], name: string): string | readonly OpenAiPart[] {
  if (typeof content === 'string') return `[${name}]: ${content}`;
  const [first, ...others] = content;
  return first?.type === 'text'
    ? [{ type: 'text', text: `[${name}]: ${first.text}` }, ...others]
    : [{ type: 'text', text: `[${name}]:` }, ...content];
}

/** The results of a model's calls are text. */
const toolMessages = ({ content }: Msg): readonly OpenAiMessage[] =>
  toolResultsIn(content).map((result) => ({
    role: 'tool',
    tool_call_id: resultCallId(result) ?? '',
    content: typeof result.output === 'string' ? result.output : textWithNotes(knownBlocks({ content: result.output })),
  }));

/** A user's message may have text, images and recordings. Text only is sent as a string. */
function userContent(blocks: readonly MsgBlock[]): string | readonly OpenAiPart[] {
  const parts = blocks.flatMap((block): readonly OpenAiPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    const media = msgBlockToMedia(block);
    return media ? [toPart(media)] : [];
  });
  return parts.every((part) => part.type === 'text') ? textWithNotes(blocks) : parts;
}

function toPart(media: Media): OpenAiPart {
  const { kind, url, mimeType = '', data } = media;
  const inline = data === undefined ? undefined : withoutDataUrl(data);
  if (kind === 'image') {
    if (inline !== undefined)
      return { type: 'image_url', image_url: { url: `data:${mimeType || 'image/png'};base64,${inline}` } };
    // The model's server can't load a file of the agent's server.
    if (url !== undefined && LOADABLE_IMAGE.test(url)) return { type: 'image_url', image_url: { url } };
  }
  const format = AUDIO_FORMAT.find(([type]) => type.test(mimeType))?.[1];
  if (kind === 'audio' && inline !== undefined && format !== undefined)
    return { type: 'input_audio', input_audio: { data: inline, format } };
  return { type: 'text', text: noteOf(media) };
}

const LOADABLE_IMAGE = /^(?:https?:|data:image\/)/i;
/** The formats that OpenAI's models accept. Source: platform.openai.com, "Audio and speech". */
const AUDIO_FORMAT: readonly (readonly [type: RegExp, format: string])[] = [
  [/^audio\/(?:x-|vnd\.)?wave?\b/i, 'wav'],
  [/^audio\/(?:x-)?(?:mpeg|mp3)\b/i, 'mp3'],
];

/** The text of blocks, with a line for each image or recording. */
function textWithNotes(blocks: readonly MsgBlock[]): string {
  let text = '';
  let isAfterNote = false;
  for (const block of blocks) {
    const media = msgBlockToMedia(block);
    const words = media ? noteOf(media) : block.type === 'text' ? block.text : '';
    if (words === '') continue;
    text += text && (media || isAfterNote) ? `\n${words}` : words;
    isAfterNote = media !== undefined;
  }
  return text;
}

/** A note such as `[audio]`, with the name or the address. Of a file on the server, only its name is given. */
function noteOf({ kind, url = '', name }: Media): string {
  const where = name ?? (/^https?:/i.test(url) ? url : /^file:.*\/([^/]+)$/i.exec(url)?.[1]);
  return where === undefined ? `[${kind}]` : `[${kind}: ${where}]`;
}
