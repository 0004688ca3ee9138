/** Converts the conversation to Cohere messages. Source: `docs/protocols/cohere.md`; Cohere API reference, "Chat". */
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import { textOf } from '../../model/message-text.ts';
import { attachmentNote } from '../../formats/attached-file.ts';
import { readFileText } from '../../model/text/file-text.ts';

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
        // The results are in the blocks of the reply.
        return [];
    }
  }),
];

/** The user's text files. They are sent as documents, which the model can cite. */
export const toCohereDocuments = (messages: readonly ChatMessage[]): readonly object[] =>
  messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ blocks }) =>
      blocks.flatMap((block) => {
        const text = block.type === 'file' ? readFileText(block) : undefined;
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
        return readFileText(block) === undefined ? [{ type: 'text', text: attachmentNote(block) }] : [];
      case 'audio':
      case 'video':
        return [{ type: 'text', text: attachmentNote(block) }];
      default:
        return [];
    }
  });
  if (parts.every((part) => part.type === 'text' && part.text === '')) return documentNames(blocks);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}

/** The text of a message that contains only documents: their names, because a message without text says nothing. */
const documentNames = (blocks: readonly AssistantMessageBlock[]): string =>
  blocks.flatMap((block) => (block.type === 'file' ? [`Attached file: ${block.name ?? 'unnamed'}`] : [])).join('\n');

/**
 * Converts a reply. Cohere's plan for calls (reasoning of the stage `planning`) and text before calls are sent as `tool_plan`, because
 * a message with calls has no content. Other reasoning is not sent.
 */
function toReplies({ blocks }: ChatMessage): readonly object[] {
  return splitRounds(blocks.map(withoutOtherReasoning)).flatMap(
    ({ reasoning: thoughts, text, calls }): readonly object[] => {
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
    },
  );
}

/** Empties reasoning that is not the plan of calls. */
const withoutOtherReasoning = (block: AssistantMessageBlock): AssistantMessageBlock =>
  block.type === 'reasoning_content' && block.extra?.['stage'] !== 'planning' ? { ...block, content: '' } : block;
