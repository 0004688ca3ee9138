/**
 * The stored form of drafts and unsent answers, with the time of the last change, so that they expire like
 * conversations.
 */
import { isRecord } from '../../model/json.ts';
import { expiryOf } from './retention.ts';

/** The names of notes that contain text of the user. They are made in `threads/drafts.ts` and `records/pending-text.ts`. */
export const USER_TEXT_NOTES = /^(?:draft|answers|waiting) /;

export interface Expiring {
  readonly value: unknown;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updated: number;
  /** Expiry time in milliseconds since the epoch. Absent: stored permanently. */
  readonly expires?: number;
}

export function expiring(value: unknown, { now, retention }: Lifetime): Expiring {
  const expires = expiryOf(now, retention);
  return { value, updated: now, ...(expires !== undefined && { expires }) };
}

export interface Lifetime {
  readonly now: number;
  /** Days. */
  readonly retention: number | undefined;
}

export const isExpiring = (value: unknown): value is Expiring =>
  isRecord(value) && 'value' in value && typeof value['updated'] === 'number';

/** The value of a note; undefined if it has expired. Notes of older versions have no time. */
export function unexpiredValue(stored: unknown, { now, retention }: Lifetime): unknown {
  if (!isExpiring(stored)) return stored;
  const expires = expiryOf(stored.updated, retention);
  return expires !== undefined && expires <= now ? undefined : stored.value;
}
