/** What a place has of a conversation, and which one was on show. */
import type { KeptThread } from './conversation-store.ts';
import type { Attempts } from './attempts.ts';
import { fuller } from './kept-thread.ts';
import type { Place } from './place.ts';

/** From the journal what was written there last, from the store all else. */
export async function readThread(id: string, { store, journal }: Place): Promise<KeptThread | undefined> {
  const [stored, left] = [await store.load(id), await journal?.load(id)];
  if (!left) return stored ?? undefined;
  await journal?.remove(id);
  const newest = !stored || left.updated >= stored.updated ? left : fuller(stored, left);
  if (newest === left) await store.save(left);
  return newest;
}

/** The conversation that was on show here last; in a new tab the newest. */
export async function lastThread(place: Place, attempts: Attempts): Promise<string | undefined> {
  const here = await attempts.run(() => place.tab.get('current'), { reading: true });
  if (typeof here === 'string') return here;
  if (!place.shared) return undefined;
  const all = await attempts.run(() => place.store.list(), { reading: true });
  return all?.toSorted((left, right) => right.updated - left.updated)[0]?.id;
}
