/** Deletes messages and offers to undo it. */
import '../../locales/english/all-english.ts';
import { deleteMessages, putBackMessages, type DeletedMessage } from '../../conversation/delete-message.ts';
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
  const ids = joinedIds(chat.messages, message);
  let deleted: readonly DeletedMessage[] = [];
  chat.removeMessages(ids, (before) => {
    const { thread, ...rest } = deleteMessages(before, ids);
    ({ deleted } = rest);
    return thread;
  });
  openToast(container, {
    localize,
    message: localize('message.deleted'),
    announce,
    undo: () => {
      chat.putBack(deleted, (thread) => putBackMessages(thread, deleted));
    },
  });
}

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
