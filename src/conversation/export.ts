import { ChatError } from '../errors.ts';
import { toMsgs } from '../formats/agentscope-messages.ts';
import { agentIdOf } from './message-tree.ts';
import { assistantMessageBlock, type AssistantMessageBlock, type BlockOf } from '../model/blocks.ts';
import { chatMessage, type ChatMessage } from '../model/message.ts';
import { parseSafely, parseWithoutInvalid } from '../model/parse-without-invalid.ts';
import { toOpenAiMessages } from '../formats/openai-messages.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import { isReservedName, reservedNames } from '../model/reserved-names.ts';
import { withAuthorRole } from '../model/spoken-by.ts';
import { textOf } from '../model/message-text.ts';
import { fence } from '../model/text/fence.ts';
import { escapeAuthorHeadings } from './author-headings.ts';
import { closeMarkdown, escapeTags, quote } from './close-markdown.ts';
import { appendMessages, emptyThread, type Thread } from './thread.ts';

export type ExportFormat = 'json' | 'markdown' | 'openai-messages' | 'agentscope-msgs';

/**
 * Serializes a conversation. `json` is lossless: `{messages, leaf}` with the messages of all branches, linked by
 * `parentId`, and the last message of the current branch. The other formats contain what they can express of the
 * current branch.
 *
 * @param endpoints - the addresses of the agents, by their ids; `json` contains those of the agents in the conversation
 * @throws ChatError of kind `protocol` if the format is unknown.
 */
export function exportConversation(
  { path, hidden }: Thread,
  format: ExportFormat,
  endpoints: ReadonlyMap<string, string> = new Map(),
): string {
  const messages = appendMessages(emptyThread, path).path;
  const spoken = messages.map(valid).map(withAuthorRole);
  switch (format) {
    case 'json': {
      const all = [...messages, ...hidden];
      const authors = new Set(all.flatMap((message) => agentIdOf(message) ?? []));
      const named = [...endpoints].filter(([id]) => authors.has(id));
      const tree = { messages: all, leaf: messages.at(-1)?.id };
      return JSON.stringify(
        named.length === 0 ? tree : { ...tree, endpoints: Object.fromEntries(named) },
        undefined,
        2,
      );
    }
    case 'openai-messages':
      return JSON.stringify(toOpenAiMessages(spoken.map(withOutputAsText)), undefined, 2);
    case 'agentscope-msgs':
      return JSON.stringify(toMsgs(spoken.map(withOutputAsText)), undefined, 2);
    case 'markdown': {
      const exported = spoken.filter(isExported);
      const isAuthor = reservedNames([...Object.values(AUTHORS), ...new Set(exported.map(displayName))]);
      return exported.map((message) => toMarkdown(message, isAuthor)).join('\n\n');
    }
    default:
      throw unknownFormatError(format, ['json', 'markdown', 'openai-messages', 'agentscope-msgs']);
  }
}

/** Without the invalid parts that a page without TypeScript may have put there; they must not cost the rest of the export. */
function valid(message: ChatMessage): ChatMessage {
  if (parseSafely(chatMessage, message)?.success) return message;
  const blocks = message.blocks.flatMap((block) => validBlock(block) ?? []);
  return parseWithoutInvalid(chatMessage, { ...message, blocks }, (rest) => rest) ?? { ...message, blocks };
}

const validBlock = (block: AssistantMessageBlock): AssistantMessageBlock | undefined =>
  parseWithoutInvalid(assistantMessageBlock, block, (rest) => rest);

/** Host pages without TypeScript may pass any format. */
export const unknownFormatError = (format: unknown, known: readonly string[]): ChatError =>
  new ChatError('protocol', `Unknown format "${String(format)}". Supported: ${known.join(', ')}.`, {
    reason: 'bad-format',
  });

const isExported = (message: ChatMessage): boolean => message.role !== 'tool' && message.metadata?.['hidden'] !== true;

/** The author's name and the text; tool calls and reasoning become quotes, so that nothing is lost. */
function toMarkdown(message: ChatMessage, isAuthor: (text: string) => boolean): string {
  const name = displayName(message);
  const parts = ownBlocks(message).flatMap((block) => {
    switch (block.type) {
      case 'content':
        return [closeMarkdown(escapeAuthorHeadings(block.content, isAuthor))];
      case 'reasoning_content':
        return [quote(closeMarkdown(`*Thought:* ${block.content}`))];
      case 'tool_call': {
        const { name: tool = 'tool', params = '', response = '' } = block.tool_call;
        return [quote(escapeTags(`**${tool}** ${params}${response ? `\n→ ${response}` : ''}`))];
      }
      case 'code':
      case 'command_result':
      case 'data':
        return outputParts(block);
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        return [
          block.url === undefined
            ? `*${block.type}: ${oneLine(block.name ?? '')}*`
            : `[${oneLine(block.name ?? block.type)}](${block.url.replace(/\s+/g, '%20')})`,
        ];
      case 'error':
        return [quote(escapeTags(`*Error:* ${block.content}`))];
      default:
        return [];
    }
  });
  return [`### ${oneLine(name)}`, ...parts, ...sourceList(message)].join('\n\n') || textOf(message);
}

/** The sources of a message, once each, with the numbers that they have in the chat. */
function sourceList(message: ChatMessage): readonly string[] {
  const citations = ownBlocks(message).flatMap((block) => (block.type === 'content' ? (block.citations ?? []) : []));
  const sources = [...new Map(citations.map((citation) => [citation.url ?? citation.id, citation])).values()];
  const lines = sources.map(({ id, title = id, url = '', quote: said }, index) => {
    const parts = [title, said === undefined ? '' : `“${said}”`, url].filter((part) => part !== '');
    return `[${String(index + 1)}] ${parts.map(oneLine).join(', ')}`;
  });
  return lines.length === 0 ? [] : [quote(lines.join('\n'))];
}

type Output = BlockOf<'code'> | BlockOf<'command_result'> | BlockOf<'data'>;
const isOutput = (block: AssistantMessageBlock): block is Output =>
  block.type === 'code' || block.type === 'command_result' || block.type === 'data';

/** Code, the result of a command or data as Markdown. */
function outputParts(block: Output): readonly string[] {
  if (block.type === 'code') return [fence(block.code.content, block.code.language), ...outputOf(block.code)];
  if (block.type === 'command_result') return outputOf(block.commandResult);
  const { data } = block.data;
  return [typeof data === 'string' ? fence(data, '') : fence(JSON.stringify(data ?? null, undefined, 2), 'json')];
}

/** Formats that have only text for them contain code, results of commands and data as Markdown, so that none is lost. */
function withOutputAsText(message: ChatMessage): ChatMessage {
  const { blocks } = message;
  if (!blocks.some(isOutput)) return message;
  const isText = (block?: AssistantMessageBlock): boolean => block?.type === 'content' || (!!block && isOutput(block));
  return {
    ...message,
    blocks: blocks.map((block, index): AssistantMessageBlock => {
      if (!isOutput(block)) return block;
      const { id, timestamp, parentId } = block;
      // The formats join adjacent texts.
      const [before, after] = [
        isText(blocks[index - 1]) ? '\n\n' : '',
        blocks[index + 1]?.type === 'content' ? '\n\n' : '',
      ];
      const content = before + outputParts(block).join('\n\n') + after;
      return {
        id,
        timestamp,
        ...(parentId !== undefined && { parentId }),
        type: 'content',
        status: 'success',
        content,
      };
    }),
  };
}

/** What code or a command has printed, and its error. */
const outputOf = ({ output, error }: { readonly output?: string; readonly error?: string }): readonly string[] => [
  ...(output ? [fence(output, '')] : []),
  ...(error ? [quote(escapeTags(`*Error:* ${error}`))] : []),
];

const AUTHORS = { user: 'You', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const;

/** An agent name that looks like the user's or the page's is marked as an agent's. */
function displayName({ name, role }: ChatMessage): string {
  if (name === undefined) return AUTHORS[role];
  return role === 'assistant' && isReservedName(name) ? `${name} (agent)` : name;
}

/** Line breaks could begin a heading, and tags an element that does not end. */
const oneLine = (name: string): string => escapeTags(name.replace(/\s+/g, ' '));
