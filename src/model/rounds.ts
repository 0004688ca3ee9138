/**
 * What a provider wants to see again exactly as it sent it: signed thoughts, encrypted reasoning, its own calls and their
 * results. Each stream of a turn is a round; `metadata.rounds` of the assistant's message keeps them in order.
 */
import type { ChatMessage } from './message.ts';

export interface Round {
  /** The adapter's id: another one can't send it. */
  readonly protocol: string;
  /** The wire's own items, as they came. */
  readonly items: readonly unknown[];
}

/** The rounds of a reply, where it has any that this protocol understands. */
export function roundsOf({ metadata }: ChatMessage, protocol: string): readonly Round[] {
  const rounds = metadata?.['rounds'];
  return Array.isArray(rounds) ? (rounds as readonly Round[]).filter((round) => round.protocol === protocol) : [];
}

/**
 * The `metadata` that a decoder tells at its end: the rounds of the streams before this one, and this one behind them.
 * `messages` is the conversation that this stream answers.
 */
export function keepRound(
  { messages }: { readonly messages: readonly ChatMessage[] },
  round: Round,
): { readonly rounds: readonly Round[] } {
  const last = messages.at(-1);
  return { rounds: [...(last?.role === 'assistant' ? roundsOf(last, round.protocol) : []), round] };
}

/** The message without them: its words are others now than those that were signed. */
export function withoutRounds(message: ChatMessage): ChatMessage {
  if (message.metadata?.['rounds'] === undefined) return message;
  const { rounds: _old, ...metadata } = message.metadata;
  return { ...message, metadata };
}
