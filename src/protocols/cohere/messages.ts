/** The conversation as Cohere's chat takes it. Source: `other-providers.md`, "Cohere v2 chat". */
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../model/reply-rounds.ts';
import { textOf } from '../../model/text-of.ts';
import { attachmentNote, fileText } from '../shared/file-text.ts';

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export const toCohereMessages = (messages: readonly ChatMessage[], system: string): readonly object[] => [
  ...(system ? [{ role: 'system', content: system }] : []),
  ...messages.flatMap((message): readonly object[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: textOf(message) }];
      case 'user':
        return [{ role: 'user', content: toContent(message.blocks) }];
      case 'assistant':
        return toReplies(message);
      case 'tool':
        return [];
    }
  }),
];

/** What stands in the reader's text files: those have a place of their own, from which they can be cited. */
export const toCohereDocuments = (messages: readonly ChatMessage[]): readonly object[] =>
  messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ blocks }) =>
      blocks.flatMap((block) => {
        const text = block.type === 'file' ? fileText(block) : undefined;
        return text?.trim() ? [{ id: block.id, data: { ...('name' in block && { title: block.name }), text } }] : [];
      }),
    );

function toContent(blocks: readonly AssistantMessageBlock[]): string | readonly Part[] {
  const parts = blocks.flatMap((block): readonly Part[] => {
    switch (block.type) {
      case 'content':
        return [{ type: 'text', text: block.content }];
      case 'image': {
        const inline = block.image_data && `data:${block.image_data.mimeType};base64,${block.image_data.data}`;
        const url = inline ?? block.url;
        return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
      }
      case 'file':
        return fileText(block) === undefined ? [{ type: 'text', text: attachmentNote(block) }] : [];
      case 'audio':
      case 'video':
        return [{ type: 'text', text: attachmentNote(block) }];
      default:
        return [];
    }
  });
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return words.length === parts.length ? words.join('\n') : parts;
}

/** What was said before calls is their plan: a message with calls has no content. Other thoughts stay here. */
function toReplies({ blocks }: ChatMessage): readonly object[] {
  return splitRounds(blocks.map(planOnly)).flatMap(({ thoughts, text, calls }): readonly object[] => {
    if (calls.length === 0) return text ? [{ role: 'assistant', content: text }] : [];
    const plan = [thoughts, text].filter(Boolean).join('\n');
    return [
      {
        role: 'assistant',
        ...(plan && { tool_plan: plan }),
        tool_calls: calls.map(({ id, tool_call }) => ({
          id: tool_call.id ?? id,
          type: 'function',
          function: { name: tool_call.name ?? '', arguments: tool_call.params || '{}' },
        })),
      },
      ...calls.map(({ id, tool_call }) => ({
        role: 'tool',
        tool_call_id: tool_call.id ?? id,
        content: tool_call.response ?? '',
      })),
    ];
  });
}

const planOnly = (block: AssistantMessageBlock): AssistantMessageBlock =>
  block.type === 'reasoning_content' && block.extra?.['stage'] !== 'planning' ? { ...block, content: '' } : block;
