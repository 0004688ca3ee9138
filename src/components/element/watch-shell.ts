import { statusOf } from '../../runtime/chat/chat-state.ts';
import type { Chat } from '../../runtime/chat/chat.ts';

/**
 * @returns a function that compares a conversation with its last call: whether something has changed that header, composer or
 *   launcher show. They show no text of a running reply, so they are not rendered with each token.
 */
export function watchShell(): (chat: Chat, ...others: readonly unknown[]) => boolean {
  let last: readonly unknown[] = [];
  return (chat, ...others) => {
    const { state } = chat.store;
    const { run, agentState: _agentState, ...rest } = state;
    const shown = [
      chat,
      ...others,
      statusOf(state),
      ...Object.values(rest),
      ...(run?.messages ?? []).map(({ name }) => name),
    ];
    const isChanged = shown.length !== last.length || shown.some((value, index) => value !== last[index]);
    last = shown;
    return isChanged;
  };
}
