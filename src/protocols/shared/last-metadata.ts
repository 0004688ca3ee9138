import type { ChatMessage } from '../../model/message.ts';
import type { Turn } from '../core/adapter.ts';

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

/**
 * Returns a `metadata` value that identifies the conversation at a server which gets the complete history: that of the
 * newest message that has it, otherwise that of the reply which the new one replaces. That may be the first one.
 */
export const conversationMetadata = ({ messages, fork }: Pick<Turn, 'messages' | 'fork'>, name: string): unknown =>
  [...(fork?.reply ? [fork.reply] : []), ...messages]
    .map(({ metadata }) => metadata?.[name])
    .findLast((value) => value !== undefined && value !== null && value !== '');

const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
