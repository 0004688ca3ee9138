import type { LLMAgentEventData } from '../model/events/agent-events.ts';
import type { BlockOf, Citation } from '../model/blocks.ts';
import { occurrencesOf } from '../model/text/find-quote.ts';
import type { ChatMessage } from '../model/message.ts';
import { appendBlock, findLastBlock, replaceBlockAt, type ReduceContext } from './block-list.ts';

type ContentBlock = BlockOf<'content'>;

/**
 * Attaches a citation to the text it belongs to. A citation with a quote is placed after the last occurrence of the
 * quote that has no citation yet. If the quote is not found, it is placed at the end of the text so far.
 * Source: `docs/protocols/agent-phase.md`.
 */
export function placeCitation(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  if (!data.citation) return message;
  const { anchor, ...citation } = data.citation;
  const last = findLastBlock(
    message,
    'content',
    (block) => block.artifact === undefined && block.parentId === context.parentId,
  );
  if (!last) {
    // Some servers send their sources before any text.
    return appendBlock(message, { type: 'content', status: 'success', content: '', citations: [citation] }, context);
  }
  const match = anchor === 'quote' && citation.quote ? findQuote(message, citation.quote, context) : undefined;
  const { index, block } = match ?? last;
  const range = match
    ? { start: match.start, end: match.end }
    : anchor
      ? { end: block.content.trimEnd().length }
      : undefined;
  return replaceBlockAt(message, index, {
    ...block,
    citations: [...(block.citations ?? []), { ...citation, ...range }],
  });
}

/** Finds the last occurrence of a quote in the message's text that has no citation yet. */
function findQuote(
  message: ChatMessage,
  quote: string,
  { parentId }: ReduceContext,
): { index: number; block: ContentBlock; start: number; end: number } | undefined {
  for (let index = message.blocks.length - 1; index >= 0; index--) {
    const block = message.blocks[index];
    if (block?.type !== 'content' || block.parentId !== parentId) continue;
    for (const start of occurrencesOf(quote, block.content)) {
      const end = start + quote.length;
      if (!block.citations?.some((citation) => overlaps(citation, start, end))) return { index, block, start, end };
    }
  }
  return undefined;
}

const overlaps = (citation: Citation, start: number, end: number): boolean =>
  citation.start !== undefined && citation.end !== undefined && citation.start < end && start < citation.end;
