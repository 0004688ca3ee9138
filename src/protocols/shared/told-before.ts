import type { ChatMessage } from '../../model/message.ts';

/** A fact that a decoder has told as `metadata`, from the newest reply that has it: an id that the server wants back. */
export const toldBefore = (messages: readonly ChatMessage[], name: string): string | undefined =>
  messages.flatMap(({ role, metadata }) => (role === 'assistant' ? [textIn(metadata?.[name])] : [])).findLast(Boolean);

/** The same, of the reply under way alone: what an older one has told is over. */
export const toldNow = (messages: readonly ChatMessage[], name: string): string | undefined =>
  toldBefore(messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1), name);

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
