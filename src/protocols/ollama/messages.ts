/**
 * Converts the conversation to Ollama's messages: the text is a string, images are a separate list. Source:
 * `docs/protocols/ollama.md`.
 */
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { namedFileText } from '../../formats/attached-file.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import { textOf } from '../../model/message-text.ts';
import type { RequestOptions, Turn } from '../core/adapter.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { systemText } from '../shared/system-text.ts';

type Options = Pick<RequestOptions, 'system' | 'context'>;
type Message = Readonly<Record<string, unknown>>;

export function toChatMessages(turn: Turn, options: Options): readonly Message[] {
  const messages = sentHistory(turn);
  const system = systemText(options);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const history = messages.flatMap((message, index): readonly Message[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: textOf(message) }];
      case 'user':
        return [{ role: 'user', ...toUserFields(message) }];
      case 'assistant':
        // Reasoning is sent only for the current turn, because the model continues with it after its tool calls.
        return toReplyMessages(message, index > lastUser);
      case 'tool':
        // Results are sent with their calls, see `toReplyMessages()`.
        return [];
    }
  });
  return system ? [{ role: 'system', content: system }, ...history] : history;
}

/**
 * Builds the fields of a request to `/api/generate`, which takes a single prompt. The `context` that Ollama returned with the
 * last reply (token numbers, not the page's `context`) is the history; without one, the previous messages precede the prompt.
 */
export function toGenerate(turn: Turn, options: Options): Message {
  const messages = sentHistory(turn);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[last];
  const before = messages.slice(0, Math.max(0, last));
  const ollamaContext = before.findLast(({ role }) => role === 'assistant')?.metadata?.['ollamaContext'];
  const system = systemText(options);
  const { content = turn.text, ...images } = question ? toUserFields(question) : {};
  const transcript = Array.isArray(ollamaContext) ? [] : before.map((message) => `${message.role}: ${textOf(message)}`);
  return {
    prompt: transcript.length > 0 ? [...transcript, `user: ${content}`, 'assistant:'].join('\n\n') : content,
    ...images,
    ...(system && { system }),
    ...(Array.isArray(ollamaContext) && { context: ollamaContext as readonly unknown[] }),
  };
}

/** The text with that of text files, and the images as raw base64. For other attachments, a note in the text informs the model. */
function toUserFields(message: ChatMessage): { readonly content?: string; readonly images?: readonly string[] } {
  const images = message.blocks.flatMap((block) => imageData(block) ?? []);
  const files = message.blocks.flatMap((block) => {
    if (!ATTACHMENTS.has(block.type) || imageData(block) !== undefined) return [];
    const text = block.type === 'file' ? namedFileText(block) : undefined;
    return [text ?? `[An attachment was left out: ${attachmentName(block)}]`];
  });
  const content = [textOf(message), ...files].filter(Boolean).join('\n');
  return { content, ...(images.length > 0 && { images }) };
}

const ATTACHMENTS: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file']);

function imageData(block: AssistantMessageBlock): string | undefined {
  if (block.type !== 'image') return undefined;
  return block.image_data?.data ?? parseDataUrl(block.url ?? '')?.data;
}

const attachmentName = (block: AssistantMessageBlock): string => ('name' in block && block.name) || block.type;

function toReplyMessages({ blocks }: ChatMessage, withReasoning: boolean): readonly Message[] {
  return splitRounds(blocks).flatMap(({ text, reasoning, calls }): readonly Message[] => {
    if (!text && calls.length === 0) return [];
    const callFields = calls.map(({ id, tool_call }) => ({
      id: tool_call.id ?? id,
      name: tool_call.name ?? '',
      tool_call,
    }));
    return [
      {
        role: 'assistant',
        content: text,
        ...(withReasoning && reasoning && { thinking: reasoning }),
        ...(callFields.length > 0 && {
          tool_calls: callFields.map(({ id, name, tool_call }) => ({
            id,
            function: { name, arguments: toArguments(tool_call.params) },
          })),
        }),
      },
      ...callFields.map(({ id, name, tool_call }) => ({
        role: 'tool',
        tool_name: name,
        tool_call_id: id,
        content: tool_call.response ?? '',
      })),
    ];
  });
}

/** Parses arguments into an object: Ollama does not accept OpenAI's JSON text. */
function toArguments(params: string | undefined): Readonly<Record<string, unknown>> {
  const args = parseJson(params ?? '');
  return isRecord(args) ? args : {};
}
