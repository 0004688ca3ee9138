/** Replies that go on: those of a saved conversation, and those that are told again. */
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

/** The messages of a reply that has ended, with those in their old places that were not in the middle of a word. */
export const withSaved = (messages: readonly ChatMessage[], saved: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.map((message) => saved.find(({ id, status }) => id === message.id && status !== 'streaming') ?? message);

/** The run with its first message alone, and nothing said. */
export function emptied({ messages }: Run): Run {
  const [message] = messages;
  if (!message) throw new TypeError('A run has a message.');
  const metadata = Object.assign({}, ...messages.map((other) => other.metadata).reverse()) as object;
  return restoredRun([{ ...message, blocks: [], metadata: { ...metadata } }]);
}

/** What a reply has told of itself outlives what it has said: the ids by which it may have to be picked up once more. */
export function keepFacts(base: Run, { messages: before }: Run, more: Readonly<Record<string, unknown>>): Run {
  const messages = base.messages.map((message) => {
    const metadata = { ...before.find(({ id }) => id === message.id)?.metadata, ...more };
    return Object.keys(metadata).length > 0 ? { ...message, metadata } : message;
  });
  return { ...base, messages };
}
