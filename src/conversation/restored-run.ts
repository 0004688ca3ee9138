import type { ChatMessage } from '../model/message.ts';
import { isWaiting } from './is-waiting.ts';
import type { Run } from './run.ts';

/** A reply that was under way when the conversation was saved, as the run that goes on with it. */
export const restoredRun = (messages: readonly ChatMessage[]): Run => ({
  messages,
  current: messages.length - 1,
  failed: false,
  length: 0,
});

/**
 * A saved conversation, parted: a reply at its end that waits for the reader is still under way. Any other stays as it is given,
 * also one that is `streaming`: a page may write a message itself, a piece at a time.
 */
export function partRestored(messages: readonly ChatMessage[]): {
  readonly settled: readonly ChatMessage[];
  readonly waiting: readonly ChatMessage[];
} {
  const start = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const tail = messages.slice(start);
  const waits = start > 0 && tail.at(-1)?.status === 'streaming' && isWaiting(tail);
  return waits ? { settled: messages.slice(0, start), waiting: tail } : { settled: messages, waiting: [] };
}
