import { appendMessages } from '../../conversation/thread.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import type { Queued } from '../../runtime/chat/message-queue.ts';

/**
 * Moves the messages that the agent does not have yet to the conversation that replaces a deleted one, and sends them there. A message
 * whose request is on its way may reach the agent: it is added there as `failed`. A queue that waits for the user waits there too.
 *
 * @param earlier - messages that an earlier page had queued: they become `failed` there
 * @returns whether there were some
 */
export function moveUnsent(from: Chat, to: Chat, earlier: readonly ChatMessage[] = []): boolean {
  const { intents, turns, sender } = from.parts;
  const { sender: next } = to.parts;
  const { stage, pending, thread } = from.store.state;
  const { turnId } = turns;
  const unsent = thread.path.find(({ id, status }) => id === turnId && (status === 'sending' || status === 'queued'));
  const unstarted = unsent && turns.withdraw();
  const queued: Queued[] = unstarted ? [{ ...unstarted, message: unsent }] : [];
  for (let entry = sender.queue.next(); entry; entry = sender.queue.next()) queued.push(entry);
  const isOnItsWay = unsent !== undefined && !unstarted;
  sender.successor = next;
  const failed = [...(isOnItsWay ? [unsent] : []), ...earlier];
  if (failed.length > 0) {
    const { state } = to.store;
    const messages = failed.map((message) => asFirst({ ...message, status: 'failed' }));
    to.store.set({ ...state, thread: appendMessages(state.thread, messages), since: Date.now() });
  }
  for (const { message, to: recipient, origin, resolve } of queued)
    void next.queue.add(asFirst(message), recipient, origin).then(resolve);
  if (stage !== 'none' && !isOnItsWay) next.sendNext();
  intents.cancel({ reason: 'moved', send: (message, options) => next.send(message, options) });
  return failed.length + queued.length + pending.length > 0;
}

/** Without the message before it, which is in the deleted conversation. */
const asFirst = ({ parentId: _former, ...message }: ChatMessage): ChatMessage => message;
