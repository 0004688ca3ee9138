/** Decides which requests are retried automatically, and when. An attempt is one sending of the same request. */
import type { ChatError } from '../../errors.ts';

/**
 * `auto`: for a model provider, whose calls have no side effects. `safe`: for an agent, which may have acted. `off`: a request that has
 * failed is not repeated. Each rule allows waiting for the network before the request of a round is sent, and one repetition with new
 * headers after a 401. No rule applies to a request that resumes a reply: it does not wait for the network, see `stream/resume-stream.ts`.
 */
export type RetryRule = 'auto' | 'safe' | 'off';

const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 500;
const MAX_BACKOFF_MS = 8000;
/** Longest `Retry-After` that is honoured (ms). Beyond it the user decides. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Largest part of a wait that is left out at random, so that clients do not retry at the same moment. */
const JITTER = 0.25;

const AUTO_STATUSES = new Set([408, 409, 429]);
const SAFE_STATUSES = new Set([429, 503]);

/**
 * Milliseconds until the next attempt, or undefined if the user should decide. Used for a request of which nothing has been read: the
 * one of a reply before its first byte, and with `poll` each one, also after the reply has begun. A reply that breaks off is resumed
 * instead, see `stream/resume-stream.ts`.
 *
 * @param attempt - 0 for the first retry
 * @param chance - a random number from 0 to 1
 */
export function waitBeforeRetry(
  error: ChatError,
  rule: RetryRule,
  attempt: number,
  chance: number,
): number | undefined {
  if (rule === 'off' || attempt >= MAX_RETRIES || !mayRepeat(error, rule)) return undefined;
  if (error.retryAfter !== undefined) return error.retryAfter <= MAX_RETRY_AFTER_MS ? error.retryAfter : undefined;
  return backoff(attempt) * (1 - JITTER * chance);
}

/** Milliseconds until the next attempt, doubled with each one. Also used by `waitBeforeResume` in `stream/resume-stream.ts`. */
export const backoff = (attempt: number): number => Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** attempt);

function mayRepeat(error: ChatError, rule: 'auto' | 'safe'): boolean {
  if (error.status === undefined) return rule === 'auto' && error.kind === 'network' && error.retryable;
  if (!error.retryable) return false;
  if (rule === 'safe') return SAFE_STATUSES.has(error.status);
  return AUTO_STATUSES.has(error.status) || error.status >= 500;
}
