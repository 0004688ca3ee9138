/** Converts messages to Markdown for an export. */
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { ownBlocks } from '../../model/own-blocks.ts';
import { isReservedName, reservedNames } from '../../model/reserved-names.ts';
import { parseUrl } from '../../parse-url.ts';
import { closeMarkdown, escapeTags, quote } from './close-markdown.ts';
import { escapeAuthorHeadings } from './escape-author-headings.ts';
import { oneLine, otherToMarkdown } from './other-blocks.ts';

/** Converts the messages of a branch. Messages that the chat does not show are left out. */
export function messagesToMarkdown(messages: readonly ChatMessage[]): string {
  const exported = messages.filter(isExported);
  const isAuthor = reservedNames([...Object.values(AUTHORS), ...new Set(exported.map(displayName))]);
  return exported.map((message) => toMarkdown(message, isAuthor)).join('\n\n');
}

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

const AUTHORS = { user: 'You', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const;

/** An agent name that looks like the user's or the page's is marked as an agent's. */
function displayName({ name, role }: ChatMessage): string {
  if (name === undefined) return AUTHORS[role];
  return role === 'assistant' && isReservedName(name) ? `${name} (agent)` : name;
}
