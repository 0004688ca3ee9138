import { ChatError } from '../errors.ts';
import { toMsgs } from '../formats/agentscope-messages.ts';
import { agentIdOf } from './message-tree.ts';
import { assistantMessageBlock, type AssistantMessageBlock } from '../model/blocks.ts';
import { chatMessage, type ChatMessage } from '../model/message.ts';
import { parseSafely, parseWithoutInvalid } from '../model/parse-without-invalid.ts';
import { toOpenAiMessages } from '../formats/openai-messages.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import { parseUrl } from '../parse-url.ts';
import { isReservedName, reservedNames } from '../model/reserved-names.ts';
import { withAuthorRole } from '../model/spoken-by.ts';
import { textOf } from '../model/message-text.ts';
import { escapeAuthorHeadings } from './escape-author-headings.ts';
import { closeMarkdown, escapeTags, quote } from './close-markdown.ts';
import { oneLine, otherToMarkdown, withOthersAsText } from './export-blocks.ts';
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
      return JSON.stringify(toOpenAiMessages(spoken.map(asText)), undefined, 2);
    case 'agentscope-msgs':
      return JSON.stringify(toMsgs(spoken.map(asText)), undefined, 2);
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
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        return [
          block.url === undefined || !isLink(block.url)
            ? `*${block.type}: ${label(block.name ?? '')}*`
            : `[${label(block.name ?? block.type)}](${target(block.url)})`,
        ];
      case 'error':
        return [quote(escapeTags(`*Error:* ${block.content}`))];
      default:
        return otherToMarkdown(block);
    }
  });
  const quotesWithoutAuthors = parts.map((part) =>
    part.startsWith('> ') ? escapeAuthorHeadings(part, isAuthor) : part,
  );
  return [`### ${oneLine(name)}`, ...quotesWithoutAuthors, ...sourceList(message)].join('\n\n') || textOf(message);
}

/** A name of the agent that cannot end its link or begin another. */
const label = (name: string): string => oneLine(name).replace(/[\\[\]`]/g, '\\$&');

/** Whether an address may be a link. At other ones, browsers would run code or open local files. */
const isLink = (url: string): boolean =>
  /^(?:https?|mailto|tel):$/.test(parseUrl(url, 'https://relative.invalid')?.protocol ?? '');

/** An address that does not end its link, nor becomes another one: Markdown decodes entities after it has found its end. */
const target = (url: string): string =>
  url
    .trim()
    .replace(/\s+/g, '%20')
    .replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
    .replace(/[<>\\\p{Cc}]/gu, encodeURIComponent)
    .replace(/&(?=#?\w+;)/g, '&amp;');

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

/** The message for a format that has only text for some blocks, so that none is lost. */
const asText = (message: ChatMessage): ChatMessage => ({ ...message, blocks: withOthersAsText(message.blocks) });

const AUTHORS = { user: 'You', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const;

/** An agent name that looks like the user's or the page's is marked as an agent's. */
function displayName({ name, role }: ChatMessage): string {
  if (name === undefined) return AUTHORS[role];
  return role === 'assistant' && isReservedName(name) ? `${name} (agent)` : name;
}
