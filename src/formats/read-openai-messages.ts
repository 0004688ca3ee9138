/**
 * Converts messages from OpenAI's chat completions format, for the import of a conversation.
 * Source: `docs/protocols/openai-chat.md`.
 */
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import type { OpenAiMessage } from './openai-message.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** A message without its timestamp. */
type Draft = Pick<ChatMessage, 'role'> & {
  readonly id?: string;
  readonly name?: string;
  readonly blocks: Partial<AssistantMessageBlock>[];
};

/** Converts messages from OpenAI's format: each tool result goes into the block of its call. */
export function fromOpenAiMessages(messages: readonly OpenAiMessage[]): readonly Draft[] {
  const drafts: Draft[] = [];
  const calls = new WaitingCalls<Draft>();
  for (const message of messages) {
    if (message.role === 'tool') calls.answer(message.tool_call_id, 'success', contentText(message.content));
    else {
      const role = message.role === 'developer' ? 'system' : message.role;
      const draft: Draft = {
        role,
        ...(message.id !== undefined && { id: message.id }),
        ...(message.name !== undefined && { name: message.name }),
        blocks: [
          ...('reasoning_content' in message && message.reasoning_content
            ? [{ type: 'reasoning_content' as const, content: message.reasoning_content }]
            : []),
          ...('thinking' in message && message.thinking === true
            ? [{ type: 'reasoning_content' as const, content: contentText(message.content) }]
            : fromContent(message.content, role)),
          ...('tool_calls' in message ? (message.tool_calls ?? []) : []).map(
            ({ id, function: { name, arguments: params } }) =>
              ({ type: 'tool_call', status: 'loading', tool_call: { id, name, params } }) as const,
          ),
        ],
      };
      drafts.push(draft);
      calls.add(draft, draft.blocks);
    }
  }
  return drafts;
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
        const inline = /^data:([\w/.+-]+);base64,(.*)$/is.exec(item.image_url.url);
        return inline
          ? { type: 'image', image_data: { mimeType: inline[1] ?? '', data: inline[2] ?? '' } }
          : { type: 'image', url: item.image_url.url };
      }
      case 'input_audio':
        return { type: 'audio', data: item.input_audio.data, mimeType: `audio/${item.input_audio.format}` };
      case 'file': {
        const inline = /^data:([\w/.+-]*);base64,(.*)$/is.exec(item.file.file_data);
        const named = item.file.filename === undefined ? {} : { name: item.file.filename };
        return inline
          ? { type: 'file', mimeType: inline[1] ?? '', data: inline[2] ?? '', ...named }
          : { type: 'file', url: item.file.file_data, ...named };
      }
    }
  });
}
