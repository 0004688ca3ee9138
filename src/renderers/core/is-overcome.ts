import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';

/**
 * Whether an error is not the end of the answer: the stream is still open, so the agent may continue, or it has continued,
 * and the answer did not fail later.
 */
export function isOvercome(error: AssistantMessageBlock, { blocks, status, finish }: ChatMessage): boolean {
  if (status === 'streaming' && !finish) return true;
  const later = blocks.slice(blocks.indexOf(error) + 1);
  // Of several errors, the last one is the end.
  if (status === 'error' || status === 'interrupted') return later.some(({ type }) => type === 'error');
  // In a complete answer, all content may precede an error that the agent calls recoverable.
  const hasContent = (list: readonly AssistantMessageBlock[]): boolean =>
    list.some(({ type }) => type !== 'error' && type !== 'status');
  return hasContent(status === 'complete' && error.extra?.['recoverable'] === true ? blocks : later);
}
