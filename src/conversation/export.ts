import { ChatError } from '../errors.ts';
import { toMsgs } from '../model/agentscope-history.ts';
import type { ChatMessage } from '../model/message.ts';
import { toOpenAiMessages } from '../model/openai-messages.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import { textOf } from '../model/text-of.ts';
import { addMessages, emptyThread, type Thread } from './thread.ts';

export type ExportFormat = 'json' | 'markdown' | 'openai-messages' | 'agentscope-msgs';

/**
 * A conversation as text of one of the forms. `json` keeps everything: `{messages, leaf}` with the messages of all branches,
 * chained by `parentId`, and the last one on show. The others keep what they can hold of the branch on show.
 *
 * @throws ChatError of kind `protocol` for a form that there is not.
 */
export function exportConversation({ path, hidden }: Thread, format: ExportFormat): string {
  const messages = addMessages(emptyThread, path).path;
  switch (format) {
    case 'json':
      return JSON.stringify({ messages: [...messages, ...hidden], leaf: messages.at(-1)?.id }, undefined, 2);
    case 'openai-messages':
      return JSON.stringify(toOpenAiMessages(messages), undefined, 2);
    case 'agentscope-msgs':
      return JSON.stringify(toMsgs(messages), undefined, 2);
    case 'markdown':
      return messages.filter(isSaid).map(toMarkdown).join('\n\n');
    default:
      throw unknownFormat(format, ['json', 'markdown', 'openai-messages', 'agentscope-msgs']);
  }
}

/** A page without types may ask for anything. */
export const unknownFormat = (format: unknown, known: readonly string[]): ChatError =>
  new ChatError('protocol', `There is no format "${String(format)}" here. Known are: ${known.join(', ')}.`, {
    reason: 'bad-format',
  });

const isSaid = (message: ChatMessage): boolean => message.role !== 'tool' && message.metadata?.['hidden'] !== true;

/** Who, and what they said; tools and thoughts as quotes, so that nothing of it is lost. */
function toMarkdown(message: ChatMessage): string {
  const name = message.name ?? { user: 'You', assistant: 'Assistant', system: 'System', tool: 'Tool' }[message.role];
  const parts = ownBlocks(message).flatMap((block) => {
    switch (block.type) {
      case 'content':
        return [block.content];
      case 'reasoning_content':
        return [quote(`*Thought:* ${block.content}`)];
      case 'tool_call': {
        const { name: tool = 'tool', params = '', response = '' } = block.tool_call;
        return [quote(`**${tool}** ${params}${response ? `\n→ ${response}` : ''}`)];
      }
      case 'code':
        return [`\`\`\`${block.code.language}\n${block.code.content}\n\`\`\``];
      case 'data':
        return [`\`\`\`json\n${JSON.stringify(block.data.data, undefined, 2)}\n\`\`\``];
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        return [
          block.url === undefined
            ? `*${block.type}: ${block.name ?? ''}*`
            : `[${block.name ?? block.type}](${block.url})`,
        ];
      case 'error':
        return [quote(`*Error:* ${block.content}`)];
      default:
        return [];
    }
  });
  return [`### ${name}`, ...parts].join('\n\n') || textOf(message);
}

const quote = (text: string): string => text.replace(/^/gm, '> ');
