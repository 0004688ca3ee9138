/** Runs that continue: those of a restored conversation, and replies that are replayed. */
import type { ChatMessage } from '../model/message.ts';
import { hasPendingAction } from './has-pending-action.ts';
import type { Run } from './run.ts';
import { hasUnsent, reopenUnsent } from './unsent-answers.ts';

/** The run that continues a reply which was unfinished when the conversation was saved. */
export const continueRun = (messages: readonly ChatMessage[]): Run => ({
  messages,
  current: messages.length - 1,
  failed: false,
  length: 0,
});

/**
 * Whether a message belongs to a reply that is unfinished: as long as it is, all its messages are `streaming`, or have an answer that
 * waits. Messages that the page added during the reply precede the first of them.
 */
export const isUnfinished = (message: ChatMessage): boolean =>
  message.status === 'streaming' || hasPendingAction([message]) || hasUnsent([message]);

/**
 * Splits a restored conversation. A reply at its end is unfinished if it asks the user something, or waits with an answer that
 * no request had; also if it is `complete`, because a page that stores messages without a status can't say more. All other
 * messages stay unchanged, even those that are `streaming`: a host page may write a message itself, piece by piece.
 */
export function splitRestoredMessages(messages: readonly ChatMessage[]): {
  readonly settled: readonly ChatMessage[];
  readonly waiting: readonly ChatMessage[];
} {
  const after = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const last = messages.at(-1);
  // With the status `complete` it is not known which messages belong to the reply, so all after the user message do.
  const start =
    last?.status === 'streaming'
      ? messages.findIndex((message, index) => index >= after && isUnfinished(message))
      : after;
  const tail = messages.slice(start);
  return after > 0 &&
    last &&
    (last.status === 'streaming' || last.status === 'complete') &&
    (hasPendingAction(tail) || hasUnsent(tail))
    ? {
        settled: messages.slice(0, start),
        waiting: reopenUnsent(tail.with(-1, { ...last, status: 'streaming', finish: 'tool_use' })),
      }
    : { settled: messages, waiting: [] };
}

/** The messages of a finished reply. Those with a saved version that is not `streaming` are replaced by it. */
export const withSavedMessages = (
  messages: readonly ChatMessage[],
  saved: readonly ChatMessage[],
): readonly ChatMessage[] =>
  messages.map((message) => saved.find(({ id, status }) => id === message.id && status !== 'streaming') ?? message);

/** The metadata that says where the last round of a reply begins. */
export const BLOCKS_BEFORE = 'blocksBefore';

/**
 * Stores where a round begins, as the number of blocks that the message has, for a reply that is resumed after a reload
 * (`runtime/stream/resume-from-last-round.ts`).
 */
export function markRound(run: Run): Run {
  const message = run.messages[run.current];
  if (!message) return run;
  const metadata = { ...message.metadata, [BLOCKS_BEFORE]: message.blocks.length };
  return { ...run, messages: run.messages.with(run.current, { ...message, metadata }) };
}

/**
 * The run without the content of its last round, which is read again. Metadata outlives the content: the ids in it may be
 * needed to reconnect once more.
 */
export function keepMetadata(base: Run, { messages: before }: Run, more: Readonly<Record<string, unknown>>): Run {
  const messages = base.messages.map((message) => {
    const metadata = { ...before.find(({ id }) => id === message.id)?.metadata, ...more };
    return Object.keys(metadata).length > 0 ? { ...message, metadata } : message;
  });
  const last = messages.at(-1);
  return { ...base, messages, ...(last?.blocks.length === 0 && { emptiedId: last.metadata?.['messageId'] }) };
}
