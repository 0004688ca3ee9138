/**
 * Converts messages to OpenAI's chat completions format, for requests to model providers and for the export.
 * Source: `docs/protocols/openai-chat.md`.
 */
import type { AssistantMessageBlock, BlockOf } from '../model/blocks.ts';
import { attachmentNote, isPdf, namedFileText } from './attached-file.ts';
import type { Immutable } from '../model/immutable.ts';
import type { ChatMessage } from '../model/message.ts';
import { splitRounds } from './split-rounds.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import { providerRounds } from './provider-rounds.ts';
import { textOf } from '../model/message-text.ts';
import { recordOf, z } from '../model/schema.ts';
import type { OpenAiMessage, OpenAiPart } from './openai-message.ts';

const optional = z.exactOptional;

/** The only item of an `openai-chat` round: data that is not a message itself, but must go back with the right one. */
const openAiRound = z.object({
  /** Ids of the round's calls; empty for the final answer. */
  calls: z.array(z.string()),
  reasoning_details: optional(z.array(z.unknown())),
  /** By call id. */
  extra_content: optional(recordOf(z.unknown())),
});
export type OpenAiRound = Immutable<z.infer<typeof openAiRound>>;

/** The id of the adapter that uses this format. */
export const OPENAI_CHAT_PROTOCOL = 'openai-chat';

/**
 * Whether messages need the names of their agents: in a conversation of several agents, each named agent's text is sent
 * with its name.
 */
const hasSeveralAgents = (messages: readonly ChatMessage[]): boolean =>
  new Set(messages.flatMap((message) => (message.role === 'assistant' && message.name ? [message.name] : []))).size > 1;

interface HistoryOptions {
  readonly system?: string;
  /**
   * The reasoning to send. `all`: for exports. `unfinished-turn`: only that after the last user message, for providers that return
   * it in this field. Older models of DeepSeek expect it between tool calls, and reject it anywhere else, as others do. `always`:
   * every message of the assistant has the field, even if it is empty, which DeepSeek V4 requires.
   */
  readonly reasoning?: 'all' | 'unfinished-turn' | 'always';
  /**
   * The files to send: `all` for exports, or those that the provider accepts. These are PDFs with their bytes
   * (`inline`) or also by URL (`by-url`). Text files are then sent as text, and other files as a note.
   */
  readonly files?: Files;
}

type Files = 'all' | 'inline' | 'by-url';

/**
 * Converts the history to a provider's messages. With several named agents, AgentScope's formatter applies: another
 * agent's text becomes a user message with the name in front. Every answered tool call is followed by its result.
 * Source: `docs/protocols/openai-chat.md`, `docs/protocols/agentscope-msg.md`.
 */
export function toOpenAiMessages(
  messages: readonly ChatMessage[],
  { system = '', reasoning = 'all', files = 'all' }: HistoryOptions = {},
): readonly OpenAiMessage[] {
  const several = hasSeveralAgents(messages);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const history = messages.flatMap((message, index): readonly OpenAiMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: textOf(message) }];
    if (message.role === 'user') return [{ role: 'user', content: toContent(message.blocks, files) }];
    if (message.role === 'tool') return [];
    const isWanted = reasoning === 'all' || (index > lastUser && expectsReasoning(message));
    const sent = reasoning === 'always' ? 'always' : isWanted ? 'if-any' : 'never';
    return toAssistantMessages(message, sent, several ? message.name : undefined);
  });
  return system ? [{ role: 'system', content: system }, ...history] : history;
}

/** Whether the provider expects the reasoning back in the field in which it sent it. */
const expectsReasoning = ({ metadata }: ChatMessage): boolean => metadata?.['thoughtsAs'] === 'reasoning_content';

/** Text only is sent as a string: many local servers reject lists. */
function toContent(blocks: readonly AssistantMessageBlock[], files: Files): string | readonly OpenAiPart[] {
  const parts = blocks.flatMap((block): readonly OpenAiPart[] => {
    switch (block.type) {
      case 'content':
        return [{ type: 'text', text: block.content }];
      case 'image': {
        const inline = block.image_data && `data:${block.image_data.mimeType};base64,${block.image_data.data}`;
        const url = inline ?? block.url;
        return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
      }
      case 'audio':
        return block.data === undefined
          ? noteOf(block, files)
          : [
              {
                type: 'input_audio',
                input_audio: { data: block.data, format: audioFormat(block.mimeType) },
              },
            ];
      case 'video':
        return noteOf(block, files);
      case 'file':
        return files === 'all' ? exportedFile(block) : sentFile(block, files);
      default:
        return [];
    }
  });
  const texts = parts.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}

type FileBlock = BlockOf<'file'>;

function exportedFile({ data, url, mimeType = '', name }: FileBlock): readonly OpenAiPart[] {
  const file_data = data === undefined ? url : `data:${mimeType};base64,${data}`;
  return file_data === undefined ? [] : [{ type: 'file', file: { ...(name && { filename: name }), file_data } }];
}

/** OpenAI rejects any file but PDF, and every later turn with it. Source: platform.openai.com, "File inputs". */
function sentFile(block: FileBlock, files: Files): readonly OpenAiPart[] {
  const { data, url, name } = block;
  const text = namedFileText(block);
  if (text !== undefined) return [{ type: 'text', text }];
  if (isPdf(block) && data !== undefined) {
    return [{ type: 'file', file: { filename: name || 'file.pdf', file_data: `data:application/pdf;base64,${data}` } }];
  }
  if (files === 'by-url' && data === undefined && url !== undefined) return exportedFile(block);
  return noteOf(block, files);
}

/** The note to the model about a file that it cannot receive. */
const noteOf = (block: Parameters<typeof attachmentNote>[0], files: Files): readonly OpenAiPart[] =>
  files === 'all' ? [] : [{ type: 'text', text: attachmentNote(block) }];

/** OpenAI's format name, `mp3` or `wav`, for browser types such as `audio/mpeg` or `audio/x-wav`. */
function audioFormat(mimeType = 'audio/wav'): string {
  const [, name = ''] = /^audio\/(?:x-|vnd\.)?([\w.+-]+)/.exec(mimeType) ?? [];
  return { mpeg: 'mp3', wave: 'wav', '': 'wav' }[name] ?? name;
}

/** Each round of a turn is a message with its calls, then the results; the text after them starts the next message. */
function toAssistantMessages(
  message: ChatMessage,
  sentReasoning: 'always' | 'if-any' | 'never',
  speaker: string | undefined,
): readonly OpenAiMessage[] {
  const rounds = providerRounds(message, OPENAI_CHAT_PROTOCOL).flatMap(
    ({ items }) => z.array(openAiRound).safeParse(items).data ?? [],
  );
  return splitRounds(ownBlocks(message)).flatMap(({ text, calls, reasoning: reasoning }): readonly OpenAiMessage[] => {
    const ids = calls.map(({ id, tool_call }) => tool_call.id ?? id);
    const index = rounds.findIndex((known) =>
      ids.length > 0 ? ids.some((id) => known.calls.includes(id)) : known.calls.length === 0,
    );
    // Removed from the list, because a later round may have the same ids.
    const [round] = index < 0 ? [] : rounds.splice(index, 1);
    const spoken = speaker && text ? [{ role: 'user', content: `[${speaker}]: ${text}` } as const] : [];
    const content = spoken.length === 0 ? text : '';
    if (!content && calls.length === 0) return spoken;
    return [
      ...spoken,
      {
        role: 'assistant',
        content: content || null,
        ...((sentReasoning === 'always' || (sentReasoning === 'if-any' && reasoning)) && {
          reasoning_content: reasoning,
        }),
        ...(round?.reasoning_details && { reasoning_details: round.reasoning_details }),
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ id, tool_call }) => {
            const extra = round?.extra_content?.[tool_call.id ?? id];
            return {
              id: tool_call.id ?? id,
              type: 'function' as const,
              function: { name: tool_call.name ?? '', arguments: tool_call.params || '{}' },
              ...(extra !== undefined && { extra_content: extra }),
            };
          }),
        }),
      },
      ...calls.map(({ id, tool_call }) => ({
        role: 'tool' as const,
        tool_call_id: tool_call.id ?? id,
        content: tool_call.response ?? '',
      })),
    ];
  });
}
