/**
 * Provider data that must be sent back unchanged: signed reasoning, encrypted reasoning, its calls and their results.
 * Each stream of a turn is a round; `metadata.rounds` of the assistant message stores them in order.
 */
import type { ChatMessage } from '../model/message.ts';

export interface ProviderRound {
  /** Id of the adapter; other adapters cannot send the items. */
  readonly protocol: string;
  /** The provider's own items, unchanged. */
  readonly items: readonly unknown[];
}

/** Returns the rounds of a reply that this protocol can use. */
export function providerRounds({ metadata }: ChatMessage, protocol: string): readonly ProviderRound[] {
  const rounds = metadata?.['rounds'];
  return Array.isArray(rounds)
    ? (rounds as readonly ProviderRound[]).filter((round) => round.protocol === protocol)
    : [];
}

/**
 * Returns the `metadata` that a decoder emits at its end: the previous rounds followed by this one. `messages` is the
 * conversation that this stream answers.
 */
export function roundsMetadata(
  { messages }: { readonly messages: readonly ChatMessage[] },
  round: ProviderRound,
): { readonly rounds: readonly ProviderRound[] } {
  const last = messages.at(-1);
  return { rounds: [...(last?.role === 'assistant' ? providerRounds(last, round.protocol) : []), round] };
}

/** Returns the message without its rounds: its text is no longer the signed one. */
export function withoutProviderRounds(message: ChatMessage): ChatMessage {
  if (message.metadata?.['rounds'] === undefined) return message;
  const { rounds: _old, ...metadata } = message.metadata;
  return { ...message, metadata };
}
