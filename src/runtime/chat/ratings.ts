/** The user's ratings of one conversation: shown on the message immediately, then sent to its server. */
import { replaceMessage } from '../../conversation/thread.ts';
import { feedbackOf, withFeedback, type Feedback } from '../../model/feedback.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { authorSettings } from './author-settings.ts';
import type { ChatState, Store } from './chat-state.ts';
import { toChatError } from '../error-detail.ts';
import { isByRecipient, messagesFor, agentIdOf, type Recipient } from './reply-authors.ts';
import { sendFeedback, type FeedbackContext } from './send-feedback.ts';

/** The requests that the ratings need. */
interface SideRequests {
  sideRequestContext(
    choose: (settings: ChatSettings) => ChatSettings,
  ): Omit<FeedbackContext, 'messages' | 'isSameUser'> & Recipient;
}

interface Rating {
  /** Undefined: the user has removed the rating. */
  readonly feedback: Pick<Feedback, 'value' | 'comment'> | undefined;
}

const isSame = (one: Rating['feedback'], other: Rating['feedback']): boolean =>
  one?.value === other?.value && one?.comment === other?.comment;

export class Ratings {
  readonly #store: Store<ChatState>;
  readonly #turns: SideRequests;
  /** Requests are sent one after the other: the second may need the id returned by the first. */
  #last: Promise<unknown> = Promise.resolve();
  /** The server's feedback ids by message id, kept after a rating was removed. */
  readonly #feedbackIds = new Map<string, string>();

  /** The ratings that the server has not answered yet, by message id: the newest one, and the rating that it has last accepted. */
  readonly #open = new Map<string, { readonly newest: Rating; readonly accepted: Feedback | undefined }>();

  constructor(store: Store<ChatState>, turns: SideRequests) {
    this.#store = store;
    this.#turns = turns;
  }

  /** @param isSameUser - whether the user who has rated is still the one of the page. Nothing is sent for another one. */
  async rate(id: string, feedback: Rating['feedback'], isSameUser: () => boolean): Promise<void> {
    const { path } = this.#store.state.thread;
    const index = path.findIndex((candidate) => candidate.id === id && candidate.role === 'assistant');
    const message = path[index];
    if (!message) return;
    const previous = feedbackOf(message);
    if (previous?.id !== undefined) this.#feedbackIds.set(id, previous.id);
    const rating: Rating = { feedback };
    this.#open.set(id, { newest: rating, accepted: this.#open.has(id) ? this.#open.get(id)?.accepted : previous });
    this.#setFeedback(id, feedback);
    const sent = this.#last.then(async () => {
      if (!isSameUser()) return undefined;
      const recipient = this.#turns.sideRequestContext((settings) => authorSettings(settings, message));
      const context = { ...recipient, agentId: agentIdOf(recipient.agentId, recipient.settings) };
      // The page has set another endpoint since.
      if (!isByRecipient(message, context)) return undefined;
      return await sendFeedback(
        {
          ...context,
          isSameUser,
          messages: messagesFor(path.slice(0, index + 1), context),
        },
        { message, value: feedback?.value ?? null, comment: feedback?.comment, id: this.#feedbackIds.get(id) },
      );
    });
    this.#last = sent.catch(() => undefined);
    try {
      const feedbackId = await sent;
      this.#settle(id, rating, feedback);
      if (feedbackId === undefined) return;
      this.#feedbackIds.set(id, feedbackId);
      const current = this.#find(id);
      if (current) this.#setFeedback(id, feedbackOf(current));
    } catch (error) {
      const accepted = this.#open.get(id)?.accepted;
      const isNewest = this.#settle(id, rating, accepted);
      const current = this.#find(id);
      // Unless the user or the page has changed the rating meanwhile.
      if (isNewest && current && isSame(feedbackOf(current), feedback)) this.#setFeedback(id, accepted);
      // Another user must not see the failure.
      if (isSameUser()) throw toChatError(error);
    }
  }

  #find(id: string): ChatMessage | undefined {
    return this.#store.state.thread.path.find((message) => message.id === id);
  }

  /**
   * The server has answered a rating.
   *
   * @param accepted - the rating that it has now
   * @returns whether the user has given no newer one meanwhile
   */
  #settle(id: string, rating: Rating, accepted: Feedback | undefined): boolean {
    const newest = this.#open.get(id)?.newest ?? rating;
    if (newest === rating) this.#open.delete(id);
    else this.#open.set(id, { newest, accepted });
    return newest === rating;
  }

  /** Stores the rating on the message. */
  #setFeedback(id: string, feedback: Rating['feedback']): void {
    const store = this.#store;
    const known = this.#feedbackIds.get(id);
    const thread = replaceMessage(store.state.thread, id, (message) =>
      withFeedback(message, feedback && { ...feedback, ...(known !== undefined && { id: known }) }),
    );
    store.set({ ...store.state, thread });
  }
}
