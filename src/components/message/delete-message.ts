/** Deletes messages and offers to undo it. */
import '../../locales/english/all-english.ts';
import { deleteMessages } from '../../conversation/delete-message.ts';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import { openToast } from '../ui/toast.ts';

export interface DeleteOptions {
  readonly localize: Localize;
  /** The element that contains the toast. */
  readonly container: Element;
  announce(text: string): void;
}

/** Deletes a message. Of an answer in several messages all of them under one header are deleted. */
export function deleteMessage(
  chat: Chat,
  message: ChatMessage,
  { localize, container, announce }: DeleteOptions,
): void {
  // A user message is deleted together with the reply in progress.
  if (message.role === 'user' && chat.busy && lastUserMessageId(chat) === message.id) chat.stop();
  // Queued messages and those of a reply in progress are not in the thread yet.
  const ids = joinedIds(chat.messages, message);
  if (chat.store.state.run?.messages.some(({ id }) => ids.includes(id))) chat.stop();
  const { thread, putBack } = deleteMessages(chat.store.state.thread, ids);
  chat.store.set({ ...chat.store.state, thread });
  openToast(container, {
    localize,
    message: localize('message.deleted'),
    announce,
    undo: () => {
      chat.store.set({ ...chat.store.state, thread: putBack(chat.store.state.thread) });
    },
  });
}

const lastUserMessageId = ({ messages }: Chat): string | undefined =>
  messages.findLast(({ role }) => role === 'user')?.id;

/** The message and the preceding ones that are rendered under the same header. */
function joinedIds(messages: readonly ChatMessage[], { id, role, name, agentId }: ChatMessage): readonly string[] {
  const end = messages.findIndex((message) => message.id === id);
  let start = end;
  for (let index = end - 1; role !== 'user' && index >= 0; index--) {
    const other = messages[index];
    if (other?.role === role && other.name === name && other.agentId === agentId) start = index;
    // Tool results are not rendered as messages.
    else if (other?.role !== 'tool') break;
  }
  return messages.slice(start, end + 1).map((message) => message.id);
}
