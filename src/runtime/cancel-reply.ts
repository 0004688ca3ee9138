/** A reply that is not wanted any more, as its server hears of it, and as the reader is told when it does not. */
import { changeMessage } from '../conversation/thread.ts';
import type { Adapter } from '../protocols/adapter.ts';
import type { ChatState } from './chat-state.ts';
import { endpointOf } from './connect.ts';
import { exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import type { Store } from './store.ts';

/** How long a server may take to hear that a reply is not wanted any more. */
const CANCEL_MS = 10_000;

/** Tells the server, once. Resolves with whether it has heard of it: without that an agent may still be working. */
export async function cancelReply(reply: Reply, adapter: Adapter): Promise<boolean> {
  if (!adapter.cancel) return false;
  const { settings, limits, threadId, trace } = reply;
  try {
    const way = {
      settings,
      limits,
      turn: { text: '', messages: reply.conversation(), threadId, answers: [] },
      url: endpointOf(settings),
      adapter,
      // That of the reply ends with it.
      signal: AbortSignal.timeout(CANCEL_MS),
      trace,
      beside: true,
    };
    const answered = await exchange(way, (options) => adapter.cancel?.(way.turn, options));
    if (answered && 'response' in answered) await answered.response.body?.cancel();
    return answered !== undefined;
  } catch {
    return false;
  }
}

/** Says of a message that its agent may still be working, unless the server has heard that it is to stop. */
export async function markUnlessHeard(
  store: Store<ChatState>,
  id: string | undefined,
  heard: Promise<boolean> | undefined,
): Promise<void> {
  if (id === undefined || (await heard)) return;
  const thread = changeMessage(store.state.thread, id, (message) => ({
    ...message,
    metadata: { ...message.metadata, mayGoOn: true },
  }));
  store.set({ ...store.state, thread });
}
