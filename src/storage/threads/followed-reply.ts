import { completeMessage } from '../../runtime/chat/user-message.ts';
import { STOPPED_REPLY } from '../../runtime/chat/running-reply.ts';
import { deferred, type Deferred } from '../../runtime/deferred.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import type { ChatMessage } from '../../model/message.ts';

/** The promise of a reply that runs in another tab. It stays open while this tab takes the reply over. */
export class FollowedReply {
  readonly #chat: Chat;
  #done: Deferred<ChatMessage> | undefined;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  get done(): Promise<ChatMessage> {
    this.#done ??= deferred();
    return this.#done.promise;
  }

  /**
   * Resolves the promise.
   * @param here - the reply, if it continues in this tab
   */
  settle(here?: Promise<ChatMessage>): void {
    if (!this.#done) return;
    const { store } = this.#chat;
    const last = store.state.thread.path.at(-1) ?? completeMessage({ role: 'assistant', ...STOPPED_REPLY });
    // Later, because the caller may still change its status.
    const ended = async (): Promise<ChatMessage> => {
      await Promise.resolve();
      const { path, hidden } = store.state.thread;
      return [...path, ...hidden].find(({ id }) => id === last.id) ?? last;
    };
    this.#done.resolve(here ? here.catch(ended) : ended());
    this.#done = undefined;
  }
}
