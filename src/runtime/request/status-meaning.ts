import type { ChatError } from '../../errors.ts';

/** What a status means, unless the body or a header says otherwise. */
export function meaningOf(status: number, code?: string): Pick<ChatError, 'kind' | 'reason' | 'retryable'> {
  if (status === 401) return { kind: 'auth', reason: 'unauthorized', retryable: false };
  if (status === 403) return { kind: 'auth', reason: 'forbidden', retryable: false };
  if (status === 429) return { kind: 'rate-limit', reason: 'rate-limit', retryable: code !== 'insufficient_quota' };
  if (status === 404) return { kind: 'http', reason: 'not-found', retryable: false };
  if (status === 408) return { kind: 'timeout', reason: 'server-timeout', retryable: true };
  if (status === 413) return { kind: 'limit', reason: 'too-large', retryable: false };
  if (status >= 500) return { kind: 'http', reason: 'server', retryable: true };
  return { kind: 'http', reason: 'refused', retryable: status === 409 };
}
