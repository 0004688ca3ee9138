/** What the reader thinks of the answers of one conversation: on the message at once, then on its server. */
import { changeMessage } from '../conversation/thread.ts';
import { feedbackOf, withFeedback, type Feedback } from '../model/feedback.ts';
import type { ChatMessage } from '../model/message.ts';
import type { ChatState } from './chat-state.ts';
import { toChatError } from './problems.ts';
import { sendFeedback, type FeedbackWay } from './send-feedback.ts';
import type { Store } from './store.ts';

export interface RatingsHost {
  readonly store: Store<ChatState>;
  /** How the server is told that has said a message. */
  wayTo(message: ChatMessage): Omit<FeedbackWay, 'messages'>;
}

export class Ratings {
  readonly #host: RatingsHost;
  /** The server hears one press after the other: a second one may need what it has answered to the first. */
  #last: Promise<unknown> = Promise.resolve();
  /** What the server calls them, by the id of the message: also after one was taken back. */
  readonly #known = new Map<string, string>();

  constructor(host: RatingsHost) {
    this.#host = host;
  }

  async rate(id: string, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): Promise<void> {
    const { path } = this.#host.store.state.thread;
    const index = path.findIndex((candidate) => candidate.id === id && candidate.role === 'assistant');
    const message = path[index];
    if (!message) return;
    const before = feedbackOf(message);
    if (before?.id !== undefined) this.#known.set(id, before.id);
    const noted = this.#note(id, feedback);
    const sent = this.#last.then(() =>
      sendFeedback(
        { ...this.#host.wayTo(message), messages: path.slice(0, index + 1) },
        { message, value: feedback?.value ?? null, comment: feedback?.comment, id: this.#known.get(id) },
      ),
    );
    this.#last = sent.catch(() => undefined);
    try {
      const called = await sent;
      if (called === undefined) return;
      this.#known.set(id, called);
      const now = this.#find(id);
      if (now) this.#note(id, feedbackOf(now));
    } catch (error) {
      // Unless the reader has changed their mind meanwhile.
      if (this.#find(id) === noted) this.#note(id, before);
      throw toChatError(error);
    }
  }

  #find(id: string): ChatMessage | undefined {
    return this.#host.store.state.thread.path.find((message) => message.id === id);
  }

  /** @returns the message with it */
  #note(id: string, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): ChatMessage | undefined {
    const { store } = this.#host;
    const known = this.#known.get(id);
    const thread = changeMessage(store.state.thread, id, (message) =>
      withFeedback(message, feedback && { ...feedback, ...(known !== undefined && { id: known }) }),
    );
    store.set({ ...store.state, thread });
    return this.#find(id);
  }
}
