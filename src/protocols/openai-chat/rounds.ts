/**
 * Data that providers expect back unchanged: OpenRouter's `reasoning_details`, without which signed reasoning fails,
 * and Google's signature of a call. Source: `docs/protocols/openai-chat.md`.
 */
import { asText } from '../shared/as-text.ts';
import type { OpenAiRound } from '../../formats/openai-messages.ts';

type Detail = Readonly<Record<string, unknown>>;

/** Collects this data from one stream. */
export function makeRoundCollector() {
  const details: Detail[] = [];
  return {
    take(chunks: readonly Detail[]): void {
      for (const chunk of chunks) {
        const joined = joinDetails(details.at(-1), chunk);
        if (joined) details[details.length - 1] = joined;
        else details.push(chunk);
      }
    },
    /** Returns undefined when there is nothing to store. */
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

/** A text is streamed in chunks, of which the last one has its signature: they are joined to one entry. */
function joinDetails(previous: Detail | undefined, chunk: Detail): Detail | undefined {
  if (!previous || previous['type'] !== chunk['type'] || previous['index'] !== chunk['index']) return undefined;
  const field = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' }[asText(chunk['type'])];
  if (field === undefined) return undefined;
  const texts = [previous[field], chunk[field]].map((value) => (typeof value === 'string' ? value : ''));
  return { ...previous, ...chunk, [field]: texts.join('') };
}
