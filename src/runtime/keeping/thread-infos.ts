import type { ThreadInfo, ThreadSummary } from './conversation-store.ts';
import type { LiveThread } from './live-thread.ts';

/** The conversations that are stored and those that are here, the newest first. */
export function threadInfos(
  stored: readonly ThreadSummary[],
  { live, current }: { readonly live: readonly LiveThread[]; readonly current: LiveThread },
): readonly ThreadInfo[] {
  const here = new Map(live.map((thread) => [thread.id, thread]));
  const summaries = live.filter((thread) => !thread.isEmpty).map(({ summary }) => summary);
  const all = new Map([...stored, ...summaries].map((thread) => [thread.id, thread]));
  return [...all.values()]
    .map(({ id, title, updated }) => {
      const thread = here.get(id);
      return {
        id,
        title,
        updated,
        current: thread === current,
        running: thread?.running ?? false,
        unread: thread?.unread ?? 0,
      };
    })
    .sort((left, right) => right.updated - left.updated);
}
