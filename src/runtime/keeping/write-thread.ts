/** A conversation that is there, in the form that is stored. */
import type { KeptThread } from './conversation-store.ts';
import type { createForStoring } from './for-storing.ts';
import { titleOf, toKept } from './kept-thread.ts';
import type { LiveThread } from './live-thread.ts';
import type { Place } from './place.ts';

type ForStoring = ReturnType<typeof createForStoring>;

/** Without secrets, and with the name that it has, or now gets. */
export function keptOf(live: LiveThread, { text, value, message }: ForStoring): KeptThread {
  const { agentState, protocol } = live.chat.store.state;
  const { thread } = live.chat;
  live.title ||= titleOf(thread.path);
  return toKept(
    thread,
    {
      id: live.id,
      title: text(live.title),
      updated: live.updated,
      ...(protocol !== undefined && { protocol }),
      ...(agentState !== undefined && { state: value(agentState) }),
    },
    message,
  );
}

/** One that is empty is none. */
export async function writeThread(live: LiveThread, { store }: Place, forStoring: ForStoring): Promise<void> {
  if (live.isEmpty) await store.remove(live.id);
  else await store.save(keptOf(live, forStoring));
}
