/** What has to go: old conversations, and more of them than there is room for. */
import type { ThreadSummary } from './conversation-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days that a conversation is kept by default where it outlives its tab. */
export const DEFAULT_DAYS = 30;

/** When a conversation that was changed now may be deleted; undefined for never. */
export function expiryOf(updated: number, days: number | undefined): number | undefined {
  return days === undefined || !Number.isFinite(days) || days < 0 ? undefined : updated + days * DAY_MS;
}

export interface Weighed extends Pick<ThreadSummary, 'id' | 'updated'> {
  /** Of its JSON, about. */
  readonly bytes: number;
}

/** The conversations that go to make room, the oldest first. The one that is being written stays, whatever it weighs. */
export function overflowing(threads: readonly Weighed[], limit: number, staying: string): readonly string[] {
  let sum = threads.reduce((total, { bytes }) => total + bytes, 0);
  const going: string[] = [];
  for (const { id, bytes } of threads.toSorted((left, right) => left.updated - right.updated)) {
    if (sum <= limit) break;
    if (id === staying) continue;
    going.push(id);
    sum -= bytes;
  }
  return going;
}
