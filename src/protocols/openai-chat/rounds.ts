/**
 * What providers want to see again, unchanged: OpenRouter's `reasoning_details`, without which signed thinking fails, and
 * Google's signature on a call. Source: `openai-chat.md`, "Next turn" and "Tool call merging".
 */
import type { OpenAiRound } from '../../model/openai-messages.ts';
import type { Turn } from '../adapter.ts';

type Detail = Readonly<Record<string, unknown>>;

/** The rounds of a reply: those of the streams before this one, and this one as it comes. */
export function keepRound(turn: Turn) {
  const last = turn.messages.at(-1);
  const before = last?.role === 'assistant' ? last.metadata?.['openAiRounds'] : undefined;
  const details: Detail[] = [];
  return {
    take(pieces: readonly Detail[]): void {
      for (const piece of pieces) {
        const joined = joinDetails(details.at(-1), piece);
        if (joined) details[details.length - 1] = joined;
        else details.push(piece);
      }
    },
    /** All rounds so far, where one of them has something to keep. */
    rounds(calls: readonly string[], extras: Readonly<Record<string, unknown>>): readonly OpenAiRound[] | undefined {
      if (details.length === 0 && Object.keys(extras).length === 0) return undefined;
      const round: OpenAiRound = {
        calls,
        ...(details.length > 0 && { reasoning_details: details }),
        ...(Object.keys(extras).length > 0 && { extra_content: extras }),
      };
      return [...(Array.isArray(before) ? (before as OpenAiRound[]) : []), round];
    },
  };
}

/** A text comes in pieces, its signature in the last of them: together they are one entry. */
function joinDetails(before: Detail | undefined, piece: Detail): Detail | undefined {
  if (!before || before['type'] !== piece['type'] || before['index'] !== piece['index']) return undefined;
  const field = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' }[String(piece['type'])];
  if (field === undefined) return undefined;
  const words = [before[field], piece[field]].map((value) => (typeof value === 'string' ? value : ''));
  return { ...before, ...piece, [field]: words.join('') };
}
