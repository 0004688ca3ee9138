import type { AssistantMessageBlock } from './blocks.ts';
import type { ChatMessage } from './message.ts';

/**
 * How a reply ended, for its user. `explained`: with an error of which a block shows the reason. `failed`: with an error
 * without a reason. `filtered`: the same, because of the provider's content filter. `empty`: complete, with nothing to see.
 * `limited`: it reached the maximum length. `cut`: the stream broke off.
 */
export type ReplyOutcome =
  | 'complete'
  | 'empty'
  | 'limited'
  | 'filtered'
  | 'failed'
  | 'explained'
  | 'cut'
  | 'stopped'
  | 'stopped-by-server';

/** The only place that decides what a reply's end is called. */
export function replyOutcome({
  status,
  finish,
  metadata,
  blocks,
  suggestions = [],
}: Omit<ChatMessage, 'id' | 'timestamp' | 'role'>): ReplyOutcome {
  if (status === 'cancelled') return metadata?.['stoppedBy'] === 'server' ? 'stopped-by-server' : 'stopped';
  if (finish === 'max_tokens') return 'limited';
  if (status === 'complete' && suggestions.length === 0 && blocks.every(isBlank)) return 'empty';
  if (status !== 'error' && status !== 'interrupted') return 'complete';
  if (blocks.some(({ type }) => type === 'error')) return 'explained';
  if (status === 'interrupted') return 'cut';
  return metadata?.['filtered'] === true ? 'filtered' : 'failed';
}

/** Phases show only the way to an answer. (Messages of the host page are unvalidated.) */
const isBlank = (block: AssistantMessageBlock): boolean =>
  block.type === 'status' || (block.type === 'content' && !/\S/.test(block.content));
