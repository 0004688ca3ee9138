/** Responses that outlive their connection. Source: `docs/protocols/openai-responses.md`. */
import type { Turn } from '../core/adapter.ts';

/** The id and position of a background response, which may outlive its connection. */
export function backgroundResponse({
  messages,
}: Turn): { readonly id: string; readonly sequence?: number } | undefined {
  const { background, responseId, responseSequence } = messages.at(-1)?.metadata ?? {};
  if (background !== true || typeof responseId !== 'string') return undefined;
  return { id: responseId, ...(typeof responseSequence === 'number' && { sequence: responseSequence }) };
}
