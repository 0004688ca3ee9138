/** Retention: which conversations to delete, by age and by size. */
import type { ThreadSummary } from './conversation-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Default retention in days for conversations that outlive their tab. `StorageSettings.retention` documents it for the page. */
export const DEFAULT_RETENTION_DAYS = 30;

/** When a conversation that was changed at `updated` expires; undefined for never, or if a damaged record has no time. */
export function expiryOf(updated: number, days: number | undefined): number | undefined {
  if (days === undefined || !Number.isFinite(days) || days < 0 || !Number.isFinite(updated)) return undefined;
  return updated + days * DAY_MS;
}

export interface SizedThread extends Pick<ThreadSummary, 'id' | 'updated'> {
  /** Approximate size of its JSON. */
  readonly bytes: number;
}

/**
 * The conversations to delete when the limit is exceeded, the oldest first. The one being saved stays, whatever its
 * size.
 */
export function threadsBeyondLimit(
  threads: readonly SizedThread[],
  limit: number,
  savingId: string,
): readonly string[] {
  let sum = threads.reduce((total, { bytes }) => total + bytes, 0);
  const removed: string[] = [];
  for (const { id, bytes } of threads.toSorted((left, right) => left.updated - right.updated)) {
    if (sum <= limit) break;
    if (id === savingId) continue;
    removed.push(id);
    sum -= bytes;
  }
  return removed;
}
