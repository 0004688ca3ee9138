/** Cancels a reply on its server, and marks the message if the server could not be informed. */
import { changeMessage } from '../../conversation/thread.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Adapter } from '../../protocols/core/adapter.ts';
import type { ChatState, Store } from './chat-state.ts';
import { endpointAddress } from '../stream/request-with-retries.ts';
import { sendAdapterRequest } from '../request/send-adapter-request.ts';
import type { ReplyContext } from '../reply-context.ts';

/** Time limit for the server's answer (ms). */
const CANCEL_MS = 10_000;

/**
 * Sends the cancel request, without retries after a network failure. Resolves with whether the server accepted it;
 * otherwise the agent may still be working.
 */
export async function cancelReply(reply: ReplyContext, adapter: Adapter): Promise<boolean> {
  if (!adapter.cancel) return false;
  const { settings, limits, threadId, trace } = reply;
  try {
    const request = {
      settings,
      limits,
      turn: { text: '', messages: reply.conversation(), threadId, answers: [] },
      url: endpointAddress(settings),
      adapter,
      // The signal of the reply is aborted together with it.
      signal: AbortSignal.timeout(CANCEL_MS),
      trace,
      isSideRequest: true,
    };
    const answered = await sendAdapterRequest(request, (options) => adapter.cancel?.(request.turn, options));
    if (answered && 'response' in answered) await answered.response.body?.cancel();
    return answered !== undefined;
  } catch {
    return false;
  }
}

/**
 * Marks a message in the thread, after its reply has ended, as one whose agent may still be working, unless the server has
 * accepted the cancellation.
 */
export async function markUnlessCancelled(
  store: Store<ChatState>,
  id: string | undefined,
  isCancelled: Promise<boolean> | undefined,
): Promise<void> {
  if (id === undefined || (await isCancelled)) return;
  const mark = (message: ChatMessage): ChatMessage => ({
    ...message,
    metadata: { ...message.metadata, mayGoOn: true },
  });
  const { path, hidden } = store.state.thread;
  // The user may have regenerated the reply meanwhile, so that it is in another branch.
  const thread = { path: changeMessage(path, id, mark), hidden: changeMessage(hidden, id, mark) };
  store.set({ ...store.state, thread });
}
