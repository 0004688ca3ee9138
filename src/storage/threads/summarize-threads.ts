import type { ThreadInfo, ThreadSummary } from '../stores/conversation-store.ts';
import type { OpenThread } from './open-thread.ts';

/** The stored and the open conversations, the newest first. */
export function summarizeThreads(
  stored: readonly ThreadSummary[],
  { open, current }: { readonly open: readonly OpenThread[]; readonly current: OpenThread },
): readonly ThreadInfo[] {
  const openById = new Map(open.map((thread) => [thread.id, thread]));
  const summaries = open.filter((thread) => !thread.isEmpty).map(({ summary }) => summary);
  const all = new Map([...stored, ...summaries].map((thread) => [thread.id, thread]));
  return [...all.values()]
    .map(({ id, title, updated }) => {
      const thread = openById.get(id);
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
