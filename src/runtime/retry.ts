/** What is sent again by itself, and when. Source: `security/README.md`, rule 17. */
import type { ChatError } from '../errors.ts';

/** `auto`: a model's provider, whose calls have no side effect. `safe`: an agent, which may have acted. */
export type RetryRule = 'auto' | 'safe' | 'off';

const RETRIES = 2;
/** How often a broken stream is picked up, or told from its start, without anything new coming. */
export const PICK_UPS = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
/** A server that asks for more is not waited for. */
const LONGEST_ASKED_MS = 60_000;
const JITTER = 0.25;

const AUTO_STATUSES = new Set([408, 409, 429]);
const SAFE_STATUSES = new Set([429, 503]);

/**
 * Milliseconds until the next try, or undefined when the reader is to decide. Only ever asked before the first byte of a
 * reply. `attempt` is 0 for the first retry; `chance` a number from 0 to 1.
 */
export function waitBeforeRetry(
  error: ChatError,
  rule: RetryRule,
  attempt: number,
  chance: number,
): number | undefined {
  if (rule === 'off' || attempt >= RETRIES || !mayRepeat(error, rule)) return undefined;
  if (error.retryAfter !== undefined) return error.retryAfter <= LONGEST_ASKED_MS ? error.retryAfter : undefined;
  return backoff(attempt) * (1 - JITTER * chance);
}

/** Milliseconds until the next try, each time twice as many. */
export const backoff = (attempt: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);

function mayRepeat(error: ChatError, rule: 'auto' | 'safe'): boolean {
  if (error.status === undefined) return rule === 'auto' && error.kind === 'network' && error.retryable;
  if (!error.retryable) return false;
  if (rule === 'safe') return SAFE_STATUSES.has(error.status);
  return AUTO_STATUSES.has(error.status) || error.status >= 500;
}

/** Milliseconds that the response asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const precise = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(precise) && precise >= 0) return precise;
  const asked = headers.get('retry-after');
  if (asked === null) return undefined;
  const seconds = Number(asked);
  if (asked.trim() !== '' && Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(asked);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
