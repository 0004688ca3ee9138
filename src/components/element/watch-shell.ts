import { statusOf } from '../../runtime/chat/chat-state.ts';
import type { Chat } from '../../runtime/chat/chat.ts';

/**
 * @returns a function that tells whether what the parts around the transcript show of a conversation has changed since its last call.
 *   Text of a running reply is not among it, so that header, composer and launcher are not rendered with each token.
 */
export function watchShell(): (chat: Chat, ...others: readonly unknown[]) => boolean {
  let last: readonly unknown[] = [];
  return (chat, ...others) => {
    const { state } = chat.store;
    const { run, agentState: _agentState, ...rest } = state;
    const facts = [
      chat,
      ...others,
      statusOf(state),
      ...Object.values(rest),
      ...(run?.messages ?? []).map(({ name }) => name),
    ];
    const isChanged = facts.length !== last.length || facts.some((fact, index) => fact !== last[index]);
    last = facts;
    return isChanged;
  };
}
