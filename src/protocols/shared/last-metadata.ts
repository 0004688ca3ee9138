import type { ChatMessage } from '../../model/message.ts';

/**
 * Returns a `metadata` value that a decoder emitted, from the newest reply that has it. Used for ids that the server
 * expects back.
 */
export const newestMetadata = (messages: readonly ChatMessage[], name: string): string | undefined =>
  messages
    .flatMap(({ role, metadata }) => (role === 'assistant' ? [asString(metadata?.[name])] : []))
    .findLast(Boolean);

/** The same, but only for the current reply: values of older replies are no longer valid. */
export const currentMetadata = (messages: readonly ChatMessage[], name: string): string | undefined =>
  newestMetadata(messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1), name);

const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
