/** The conversation as Ollama takes it: texts are strings, pictures stand beside them. Source: `ollama.md`, "Request". */
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../model/reply-rounds.ts';
import { textOf } from '../../model/text-of.ts';
import type { RequestOptions, Turn } from '../adapter.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { sentHistory } from '../shared/history.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { systemText } from '../shared/system-text.ts';

type Options = Pick<RequestOptions, 'system' | 'context'>;
type Message = Readonly<Record<string, unknown>>;

export function toChatMessages(turn: Turn, options: Options): readonly Message[] {
  const messages = sentHistory(turn);
  const system = systemText(options);
  const open = messages.findLastIndex(({ role }) => role === 'user');
  const history = messages.flatMap((message, index): readonly Message[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: textOf(message) }];
      case 'user':
        return [{ role: 'user', ...asked(message) }];
      case 'assistant':
        // Thoughts of past turns are of no use; between the calls of a turn the model goes on with them.
        return replied(message, index > open);
      case 'tool':
        return [];
    }
  });
  return system ? [{ role: 'system', content: system }, ...history] : history;
}

/** One prompt. The server's own `context` is the history; without one the words so far stand in front. */
export function toGenerate(turn: Turn, options: Options): Message {
  const messages = sentHistory(turn);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[last];
  const before = messages.slice(0, Math.max(0, last));
  const context = before.findLast(({ role }) => role === 'assistant')?.metadata?.['ollamaContext'];
  const system = systemText(options);
  const { content = turn.text, ...pictures } = question ? asked(question) : {};
  const told = Array.isArray(context) ? [] : before.map((message) => `${message.role}: ${textOf(message)}`);
  return {
    prompt: told.length > 0 ? [...told, `user: ${content}`, 'assistant:'].join('\n\n') : content,
    ...pictures,
    ...(system && { system }),
    ...(Array.isArray(context) && { context: context as readonly unknown[] }),
  };
}

/** The words and the pictures, which are raw base64. What else was attached can't go along, and the model is told so. */
function asked(message: ChatMessage): { readonly content?: string; readonly images?: readonly string[] } {
  const images = message.blocks.flatMap((block) => pictureOf(block) ?? []);
  const missing = message.blocks.flatMap((block) =>
    ATTACHED.has(block.type) && pictureOf(block) === undefined
      ? [`[An attachment was left out: ${nameOf(block)}]`]
      : [],
  );
  const content = [textOf(message), ...missing].filter(Boolean).join('\n');
  return { content, ...(images.length > 0 && { images }) };
}

const ATTACHED: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file']);

function pictureOf(block: AssistantMessageBlock): string | undefined {
  if (block.type !== 'image') return undefined;
  return block.image_data?.data ?? parseDataUrl(block.url ?? '')?.data;
}

const nameOf = (block: AssistantMessageBlock): string => ('name' in block && block.name) || block.type;

function replied({ blocks }: ChatMessage, thinks: boolean): readonly Message[] {
  return splitRounds(blocks).flatMap(({ text, thoughts, calls }): readonly Message[] => {
    if (!text && calls.length === 0) return [];
    const named = calls.map(({ id, tool_call }) => ({ id: tool_call.id ?? id, name: tool_call.name ?? '', tool_call }));
    return [
      {
        role: 'assistant',
        content: text,
        ...(thinks && thoughts && { thinking: thoughts }),
        ...(named.length > 0 && {
          tool_calls: named.map(({ id, name, tool_call }) => ({
            id,
            function: { name, arguments: argumentsOf(tool_call.params) },
          })),
        }),
      },
      ...named.map(({ id, name, tool_call }) => ({
        role: 'tool',
        tool_name: name,
        tool_call_id: id,
        content: tool_call.response ?? '',
      })),
    ];
  });
}

/** An object: the reverse of OpenAI's text. */
function argumentsOf(params: string | undefined): Readonly<Record<string, unknown>> {
  const args = parseJson(params ?? '');
  return isRecord(args) ? args : {};
}
