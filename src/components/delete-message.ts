/** Deletes what the reader wants gone, with the way back. */
import { takeOut } from '../conversation/take-out.ts';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Chat } from '../runtime/chat.ts';
import { openToast } from './toast.ts';

export interface DeleteOptions {
  readonly localize: Localize;
  /** Where the toast goes. */
  readonly box: Element;
  say(words: string): void;
}

/** Takes a message out; of an answer that came as several, all that stands under one name. */
export function deleteMessage(chat: Chat, message: ChatMessage, { localize, box, say }: DeleteOptions): void {
  // A question goes with the reply that is on its way to it.
  if (message.role === 'user' && chat.busy && lastQuestion(chat) === message.id) chat.stop();
  // One that waits to be sent is in no thread yet, and neither is one of a reply under way.
  const ids = joined(chat.messages, message);
  if (chat.store.state.run?.messages.some(({ id }) => ids.includes(id))) chat.stop();
  const { thread, putBack } = takeOut(chat.store.state.thread, ids);
  chat.store.set({ ...chat.store.state, thread });
  openToast(box, {
    localize,
    words: localize('message.deleted'),
    say,
    undo: () => {
      chat.store.set({ ...chat.store.state, thread: putBack(chat.store.state.thread) });
    },
  });
}

const lastQuestion = ({ messages }: Chat): string | undefined => messages.findLast(({ role }) => role === 'user')?.id;

/** The message and those before it that are drawn as one with it. */
function joined(messages: readonly ChatMessage[], { id, role, name, agentId }: ChatMessage): readonly string[] {
  const end = messages.findIndex((message) => message.id === id);
  let start = end;
  for (let index = end - 1; role !== 'user' && index >= 0; index--) {
    const other = messages[index];
    if (other?.role === role && other.name === name && other.agentId === agentId) start = index;
    // What a tool gave stands in no message of its own.
    else if (other?.role !== 'tool') break;
  }
  return messages.slice(start, end + 1).map((message) => message.id);
}
