/**
 * The messages of OpenAI's chat completions: what model providers are sent, and a form of import and export.
 * Source: `openai-chat.md`, "Request".
 */
import type { AssistantMessageBlock } from './blocks.ts';
import type { Immutable } from './immutable.ts';
import type { ChatMessage } from './message.ts';
import { splitRounds } from './reply-rounds.ts';
import { ownBlocks } from './own-blocks.ts';
import { roundsOf } from './rounds.ts';
import { textOf } from './text-of.ts';
import { z } from './schema.ts';

const optional = z.exactOptional;

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({ type: z.literal('input_audio'), input_audio: z.object({ data: z.string(), format: z.string() }) }),
  z.object({
    type: z.literal('file'),
    file: z.object({ filename: optional(z.string()), file_data: z.string() }),
  }),
]);
/** One part of such a message: a text, a picture, a sound, a file. */
export type OpenAiPart = Immutable<z.infer<typeof part>>;

const openAiToolCall = z.object({
  id: z.string(),
  type: z._default(z.literal('function'), 'function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
  extra_content: optional(z.unknown()),
});

const content = z.nullish(z.union([z.string(), z.array(part)]));
/** The schema of {@link OpenAiMessage}, by `role`. */
export const openAiMessage = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content, name: optional(z.string()) }),
  z.object({ role: z.literal('user'), content, name: optional(z.string()) }),
  z.object({
    role: z.literal('assistant'),
    content,
    name: optional(z.string()),
    reasoning_content: z.nullish(z.string()),
    reasoning_details: optional(z.array(z.unknown())),
    tool_calls: optional(z.array(openAiToolCall)),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);
/** A message of OpenAI’s chat completions. */
export type OpenAiMessage = Immutable<z.infer<typeof openAiMessage>>;

/** The one item of a round of `openai-chat`: what is no message there, and has to stand on the right one when it goes back. */
const openAiRound = z.object({
  /** The ids of the round's calls; none for what was said at last. */
  calls: z.array(z.string()),
  reasoning_details: optional(z.array(z.unknown())),
  /** By the id of the call. */
  extra_content: optional(z.record(z.string(), z.unknown())),
});
export type OpenAiRound = Immutable<z.infer<typeof openAiRound>>;

/** The id of the adapter that speaks this form. */
export const OPENAI_CHAT = 'openai-chat';

/** Which of the messages speak for other agents: in a conversation of several, each named agent's words go with its name. */
const hasSeveralAgents = (messages: readonly ChatMessage[]): boolean =>
  new Set(messages.flatMap((message) => (message.role === 'assistant' && message.name ? [message.name] : []))).size > 1;

interface HistoryOptions {
  readonly system?: string;
  /**
   * Which thoughts go along: `all`, for an export, or those of the turn that is still open, from whoever sends them in this
   * field: DeepSeek wants them between its tool calls, and it and others refuse them anywhere else.
   */
  readonly thoughts?: 'all' | 'open-turn';
}

/**
 * The history as a provider takes it. Where several named agents speak, the Formatter of AgentScope applies: another agent's
 * words are a user's, with the name in front. Every answered tool call is followed by its result.
 * Source: `openai-chat.md`; AgentScope Msg, section 5.
 */
export function toOpenAiMessages(
  messages: readonly ChatMessage[],
  { system = '', thoughts = 'all' }: HistoryOptions = {},
): readonly OpenAiMessage[] {
  const several = hasSeveralAgents(messages);
  const turn = messages.findLastIndex(({ role }) => role === 'user');
  const history = messages.flatMap((message, index): readonly OpenAiMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: textOf(message) }];
    if (message.role === 'user') return [{ role: 'user', content: toContent(message.blocks) }];
    if (message.role === 'tool') return [];
    if (several && message.name) return [{ role: 'user', content: `[${message.name}]: ${textOf(message)}` }];
    return toAssistantMessages(message, thoughts === 'all' || (index > turn && wantsThoughts(message)));
  });
  return system ? [{ role: 'system', content: system }, ...history] : history;
}

const wantsThoughts = ({ metadata }: ChatMessage): boolean => metadata?.['thoughtsAs'] === 'reasoning_content';

/** Text alone goes as a string: many local servers refuse lists. */
function toContent(blocks: readonly AssistantMessageBlock[]): string | readonly OpenAiPart[] {
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
          ? []
          : [
              {
                type: 'input_audio',
                input_audio: { data: block.data, format: audioFormat(block.mimeType) },
              },
            ];
      case 'file': {
        const data = block.data === undefined ? block.url : `data:${block.mimeType ?? ''};base64,${block.data}`;
        return data === undefined
          ? []
          : [{ type: 'file', file: { ...(block.name && { filename: block.name }), file_data: data } }];
      }
      default:
        return [];
    }
  });
  const words = parts.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  return words.length === parts.length ? words.join('\n') : parts;
}

/** The format's name there: `mp3` or `wav`, where a browser says `audio/mpeg` or `audio/x-wav`. */
function audioFormat(mimeType = 'audio/wav'): string {
  const [, name = ''] = /^audio\/(?:x-|vnd\.)?([\w.+-]+)/.exec(mimeType) ?? [];
  return { mpeg: 'mp3', wave: 'wav', '': 'wav' }[name] ?? name;
}

/** Each round of a turn is a message with its calls and then the results; what was said after them is the next one. */
function toAssistantMessages(message: ChatMessage, thoughts: boolean): readonly OpenAiMessage[] {
  const kept = roundsOf(message, OPENAI_CHAT).flatMap(({ items }) => z.array(openAiRound).safeParse(items).data ?? []);
  return splitRounds(ownBlocks(message)).flatMap(({ text, calls, thoughts: reasoning }): readonly OpenAiMessage[] => {
    const ids = calls.map(({ id, tool_call }) => tool_call.id ?? id);
    const place = kept.findIndex((known) =>
      ids.length > 0 ? ids.some((id) => known.calls.includes(id)) : known.calls.length === 0,
    );
    // Taken out: a later round may have the same ids.
    const [round] = place < 0 ? [] : kept.splice(place, 1);
    if (!text && calls.length === 0) return [];
    return [
      {
        role: 'assistant',
        content: text || null,
        ...(thoughts && reasoning && { reasoning_content: reasoning }),
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

/** A message of ours before it has an id and a time. */
type Draft = Pick<ChatMessage, 'role'> & { readonly name?: string; readonly blocks: Partial<AssistantMessageBlock>[] };

/** Messages of that form as ours: each tool's result goes into the block of its call. */
export function fromOpenAiMessages(messages: readonly OpenAiMessage[]): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const message of messages) {
    if (message.role === 'tool') answer(drafts, message.tool_call_id, contentText(message.content));
    else {
      const role = message.role === 'developer' ? 'system' : message.role;
      drafts.push({
        role,
        ...(message.name !== undefined && { name: message.name }),
        blocks: [
          ...('reasoning_content' in message && message.reasoning_content
            ? [{ type: 'reasoning_content' as const, content: message.reasoning_content }]
            : []),
          ...fromContent(message.content, role),
          ...('tool_calls' in message ? (message.tool_calls ?? []) : []).map(
            ({ id, function: { name, arguments: params } }) =>
              ({ type: 'tool_call', status: 'loading', tool_call: { id, name, params } }) as const,
          ),
        ],
      });
    }
  }
  return drafts;
}

function answer(drafts: readonly Draft[], id: string, response: string): void {
  for (const { blocks } of drafts) {
    for (const [index, block] of blocks.entries()) {
      // One that is answered already is a call of an earlier round with the same id.
      if (block.type !== 'tool_call' || block.tool_call?.id !== id || block.status !== 'loading') continue;
      blocks[index] = { ...block, status: 'success', tool_call: { ...block.tool_call, response } };
    }
  }
}

type Content = OpenAiMessage['content'];

const contentText = (value: Content): string =>
  typeof value === 'string' ? value : (value ?? []).map((item) => (item.type === 'text' ? item.text : '')).join('');

function fromContent(value: Content, role: ChatMessage['role']): Partial<AssistantMessageBlock>[] {
  if (value === null || value === undefined || value === '') return [];
  const format = role === 'user' ? { format: 'text' as const } : {};
  if (typeof value === 'string') return [{ type: 'content', content: value, ...format }];
  return value.map((item): Partial<AssistantMessageBlock> => {
    switch (item.type) {
      case 'text':
        return { type: 'content', content: item.text, ...format };
      case 'image_url': {
        const inline = /^data:([\w/.+-]+);base64,(.*)$/s.exec(item.image_url.url);
        return inline
          ? { type: 'image', image_data: { mimeType: inline[1] ?? '', data: inline[2] ?? '' } }
          : { type: 'image', url: item.image_url.url };
      }
      case 'input_audio':
        return { type: 'audio', data: item.input_audio.data, mimeType: `audio/${item.input_audio.format}` };
      case 'file': {
        const inline = /^data:([\w/.+-]*);base64,(.*)$/s.exec(item.file.file_data);
        const named = item.file.filename === undefined ? {} : { name: item.file.filename };
        return inline
          ? { type: 'file', mimeType: inline[1] ?? '', data: inline[2] ?? '', ...named }
          : { type: 'file', url: item.file.file_data, ...named };
      }
    }
  });
}
