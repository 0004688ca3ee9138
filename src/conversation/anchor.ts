import type { LLMAgentEventData } from '../model/agent-events.ts';
import type { BlockOf, Citation } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { append, findLast, replaceAt, type ReduceContext } from './blocks.ts';

type ContentBlock = BlockOf<'content'>;

/**
 * Puts a citation on the text it belongs to. One that is to be found by its quote stands behind the last place of the quote
 * that no other citation has taken; where the agent wrote it in other words, it stands at the end of what has arrived.
 * Source: phase events, section 5.
 */
export function anchorCitation(message: ChatMessage, data: LLMAgentEventData, context: ReduceContext): ChatMessage {
  if (!data.citation) return message;
  const { anchor, ...citation } = data.citation;
  const last = findLast(
    message,
    'content',
    (block) => block.artifact === undefined && block.parentId === context.parentId,
  );
  if (!last) {
    // Some servers name their sources before they say a word.
    return append(message, { type: 'content', status: 'success', content: '', citations: [citation] }, context);
  }
  const found = anchor === 'quote' && citation.quote ? findQuote(message, citation.quote, context) : undefined;
  const { index, block } = found ?? last;
  const place = found
    ? { start: found.start, end: found.end }
    : anchor
      ? { end: block.content.trimEnd().length }
      : undefined;
  return replaceAt(message, index, { ...block, citations: [...(block.citations ?? []), { ...citation, ...place }] });
}

/** The last free place of a quote in the message's text. */
function findQuote(
  message: ChatMessage,
  quote: string,
  { parentId }: ReduceContext,
): { index: number; block: ContentBlock; start: number; end: number } | undefined {
  for (let index = message.blocks.length - 1; index >= 0; index--) {
    const block = message.blocks[index];
    if (block?.type !== 'content' || block.parentId !== parentId) continue;
    for (
      let start = block.content.lastIndexOf(quote);
      start >= 0;
      start = lastIndexBefore(block.content, quote, start)
    ) {
      const end = start + quote.length;
      if (!block.citations?.some((taken) => overlaps(taken, start, end))) return { index, block, start, end };
    }
  }
  return undefined;
}

const lastIndexBefore = (text: string, quote: string, start: number): number =>
  start === 0 ? -1 : text.lastIndexOf(quote, start - 1);

const overlaps = (taken: Citation, start: number, end: number): boolean =>
  taken.start !== undefined && taken.end !== undefined && taken.start < end && start < taken.end;
