/**
 * What providers want to see again, unchanged: OpenRouter's `reasoning_details`, without which signed thinking fails, and
 * Google's signature on a call. Source: `openai-chat.md`, "Next turn" and "Tool call merging".
 */
import type { OpenAiRound } from '../../model/openai-messages.ts';

type Detail = Readonly<Record<string, unknown>>;

/** Gathers what one stream has of it. */
export function gatherRound() {
  const details: Detail[] = [];
  return {
    take(pieces: readonly Detail[]): void {
      for (const piece of pieces) {
        const joined = joinDetails(details.at(-1), piece);
        if (joined) details[details.length - 1] = joined;
        else details.push(piece);
      }
    },
    /** Undefined where there is nothing to keep. */
    item(calls: readonly string[], extras: Readonly<Record<string, unknown>>): OpenAiRound | undefined {
      const hasExtras = Object.keys(extras).length > 0;
      if (details.length === 0 && !hasExtras) return undefined;
      return {
        calls,
        ...(details.length > 0 && { reasoning_details: details }),
        ...(hasExtras && { extra_content: extras }),
      };
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
