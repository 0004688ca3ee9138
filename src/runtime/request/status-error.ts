import { ChatError } from '../../errors.ts';
import type { SentRequest } from './http-error.ts';
import { meaningOf } from './status-meaning.ts';

/**
 * The error for a response with a status other than 2xx. The code that reads the body is loaded on demand; if that fails, the
 * status alone explains the error.
 */
export async function statusError(response: Response, request: SentRequest): Promise<ChatError> {
  const chunk = await import('./http-error.ts').catch(() => undefined);
  if (chunk) return chunk.httpError(response, request);
  response.body?.cancel().catch(() => undefined);
  const { status } = response;
  const { kind, ...meaning } = meaningOf(status);
  return new ChatError(kind, `The server answered ${String(status)}`, { ...meaning, status, values: { status } });
}
