/**
 * Builders for AgentScope messages, and the format in which a model reads a conversation of several agents.
 * Source: `docs/protocols/agentscope-msg.md`.
 */
import {
  getTextContent,
  getToolCalls,
  knownBlocks,
  msgBlockToMedia,
  parseToolResult,
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
 * the name in front (`[Planner]: …`), so that the model can tell them apart; calls and results keep their form.
 */
export function formatMsgs(messages: readonly Msg[]): readonly OpenAiMessage[] {
  const names = new Set(messages.flatMap(({ role, name }) => (role === 'ASSISTANT' && name ? [name] : [])));
  return messages.flatMap((message) => formatMsg(message, names.size > 1));
}

function formatMsg(message: Msg, severalAgents: boolean): readonly OpenAiMessage[] {
  switch (message.role) {
    case 'SYSTEM':
      return [{ role: 'system', content: getTextContent(message) }];
    case 'USER':
      return [{ role: 'user', content: userContent(message) }];
    case 'TOOL':
      return toolMessages(message);
    case 'ASSISTANT': {
      const text = getTextContent(message);
      const results = toolMessages(message);
      const tool_calls = getToolCalls(message).map(({ id, name, input }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: JSON.stringify(input) },
      }));
      const prefix = severalAgents && message.name ? `[${message.name}]: ` : undefined;
      if (prefix !== undefined && text) {
        const spoken = { role: 'user', content: prefix + text } as const;
        return tool_calls.length > 0
          ? [spoken, { role: 'assistant', content: null, tool_calls }, ...results]
          : [spoken, ...results];
      }
      if (!text && tool_calls.length === 0) return results;
      return [{ role: 'assistant', content: text || null, ...(tool_calls.length > 0 && { tool_calls }) }, ...results];
    }
  }
}

const toolMessages = ({ content }: Msg): readonly OpenAiMessage[] =>
  toolResultsIn(content).map((result) => ({
    role: 'tool',
    tool_call_id: resultCallId(result) ?? '',
    content: parseToolResult(result).text,
  }));

/** Text and images. A model has no place for the other media of a user. */
function userContent(message: Msg): string | readonly OpenAiPart[] {
  const parts = knownBlocks(message).flatMap((block): readonly OpenAiPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    const media = msgBlockToMedia(block);
    if (media?.kind !== 'image') return [];
    const url = media.url ?? `data:${media.mimeType ?? 'image/png'};base64,${media.data ?? ''}`;
    return [{ type: 'image_url', image_url: { url } }];
  });
  return parts.every((part) => part.type === 'text') ? getTextContent(message) : parts;
}
