import { ChatError } from '../../errors.ts';
import type { Localize } from '../../locales/localize.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { Feedback } from '../../model/feedback.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { DecisionDetails } from '../../renderers/core/renderer.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import type { MessageOrigin } from '../../runtime/chat/message-origin.ts';
import { detailOf, toChatError, warnOfPageError } from '../../runtime/error-detail.ts';
import type { SendInput } from '../../runtime/chat/user-message.ts';
import type { ChatActions } from './contexts.ts';
import type { MessageAction } from './custom-actions.ts';
import { AgentChatActionEvent, AgentChatErrorEvent, AgentChatFeedbackEvent } from './events.ts';
import { loadTurnChunk } from './load-chunks.ts';

export interface UserActionsHost {
  localize(): Localize;
  /** Whether the page accepts no input (`disabled` or `readonly`). */
  isLocked(): boolean;
  /** Dispatches an event to the page; false if the page has cancelled it. */
  dispatch(event: Event): boolean;
  /** Requests an update. */
  changed(): void;
  /** Appends text to the composer. */
  write(text: string): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** The container for toasts. */
  toastContainer(): Element | null;
  /** Restores the text of a message that was not sent. */
  restoreText(message: ChatMessage): void;
  readonly answers: ChatActions['answers'];
  /** Shows the sources of an answer, scrolled to one of them. */
  showSources(message: ChatMessage, citation: unknown): void;
}

/** Performs the user's actions in the transcript and the composer: notifies the page, runs the action, and shows why it failed. */
export class UserActions implements ChatActions {
  /** The error text of the user's last action. */
  problem: string | undefined;
  readonly #host: UserActionsHost;
  /** The buttons whose text is being sent, for example while the user is asked for consent: another press sends nothing. */
  readonly #pressed = new Set<string>();
  readonly #current: () => Chat;

  /** @param current - returns the active conversation */
  constructor(host: UserActionsHost, current: () => Chat) {
    this.#host = host;
    this.#current = current;
  }

  get chat(): Chat {
    return this.#current();
  }

  get answers(): ChatActions['answers'] {
    return this.#host.answers;
  }

  act(
    action: string,
    message: ChatMessage,
    block?: AssistantMessageBlock,
    payload?: unknown,
    details: DecisionDetails = {},
  ): boolean {
    // These two only show the sources of an answer.
    if (this.#host.isLocked() && action !== 'citation' && action !== 'sources') return false;
    if (!this.#host.dispatch(new AgentChatActionEvent({ action, message, block, payload, ...details }))) return false;
    const isPending = block?.type === 'action' && block.status === 'pending';
    if (action === 'citation' || action === 'sources') this.#host.showSources(message, payload);
    else if (action === 'retry') void this.#attempt(() => this.#retry(message));
    else if (isPending && action === 'always') {
      void this.#attempt(() => this.chat.respond(block.id, 'granted', { remember: 'always' }));
    } else if (isPending && isDecision(action)) {
      const answer = { ...details, ...(payload !== undefined && { payload }) };
      void this.#attempt(() => this.chat.respond(block.id, action, answer));
    } else if (block && action === 'ask-again') this.#revokeApproval(block);
    else if (typeof payload === 'string') {
      const chat = this.chat;
      const key = `${message.id} ${payload}`;
      if (this.#pressed.has(key)) return true;
      this.#pressed.add(key);
      const onTaken = (): void => {
        this.#pressed.delete(key);
        if (action === 'suggestion')
          chat.updateMessage(message.id, { metadata: { ...message.metadata, answered: true } });
      };
      // The pressed button is still there, so no text needs to be restored.
      void this.send(payload, { taken: onTaken, restoreDraft: () => undefined }, message).finally(() => {
        this.#pressed.delete(key);
      });
    } else if (block?.type === 'ui') {
      // A choice in an agent UI: its text, with its data, to the agent that has shown it.
      const { text, ...data } = (payload ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof text === 'string') void this.send({ text, data }, undefined, message);
    }
    return true;
  }

  #revokeApproval(block: AssistantMessageBlock): void {
    const chat = this.chat;
    // Revoked before the code below is loaded: the agent may use the approval meanwhile.
    const approval = block.extra?.['approval'];
    if (typeof approval !== 'string') return;
    chat.approvals.revoke(approval);
    void this.#attempt(async () => {
      const { showRevoked } = await import('../message/show-revoked.ts').catch(throwLoadError);
      showRevoked(chat, approval);
    });
  }

  /** Regenerates a reply, or sends a message again that was never sent. */
  #retry(message: ChatMessage): Promise<unknown> {
    return this.isUnsent(message) ? this.chat.resend(message.id) : this.chat.regenerate(message.id);
  }

  isUnsent({ id, role, status }: ChatMessage): boolean {
    if (role !== 'user' || status !== 'failed') return false;
    const { path } = this.chat.store.state.thread;
    return path[path.findIndex((message) => message.id === id) + 1]?.role !== 'assistant';
  }

  /**
   * @param origin - where the text was written
   * @param sameAgentAs - the message whose button sends it
   */
  async send(input: SendInput, origin?: MessageOrigin, sameAgentAs?: ChatMessage): Promise<void> {
    if (this.#host.isLocked()) return;
    await this.#attempt(() => this.chat.send(input, { origin, sameAgentAs }));
  }

  sendEdited(message: ChatMessage, text: string): void {
    if (this.#host.isLocked()) return;
    const origin: MessageOrigin = {
      taken: () => undefined,
      restoreDraft: (unsent) => {
        this.#host.restoreText(unsent);
      },
    };
    void this.#attempt(() => this.chat.edit(message.id, text, { origin }));
  }

  rate(message: ChatMessage, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): void {
    if (this.#host.isLocked()) return;
    this.#host.dispatch(new AgentChatFeedbackEvent(message, feedback?.value ?? null, feedback?.comment));
    void this.#attempt(() => this.chat.rate(message.id, feedback));
  }

  remove(message: ChatMessage): void {
    const chat = this.chat;
    void this.#attempt(async () => {
      const { deleteMessage } = await import('../message/delete-message.ts').catch(throwLoadError);
      const box = this.#host.toastContainer();
      if (box)
        deleteMessage(chat, message, {
          container: box,
          localize: this.#host.localize(),
          announce: this.#host.announce,
        });
    });
  }

  run(action: MessageAction, message: ChatMessage): void {
    if (
      !this.#host.dispatch(
        new AgentChatActionEvent({ action: action.id, message, block: undefined, payload: undefined }),
      )
    )
      return;
    // Called immediately, because a browser allows some things only during the press.
    const running = (async () => {
      await action.run?.(message);
    })();
    void this.#attempt(async () => (await loadTurnChunk()).awaitPageFunction('messageActions.run', () => running));
  }

  write(text: string): void {
    this.#host.write(text);
  }

  forgetProblem(): void {
    this.#setProblem(undefined);
  }

  async #attempt(action: () => Promise<unknown>): Promise<void> {
    this.forgetProblem();
    try {
      await action();
    } catch (cause) {
      const error = toChatError(cause);
      warnOfPageError(error);
      // An unexpected error is reported to the page like any other failure.
      if (error !== cause || error.reason === 'page-function')
        this.#host.dispatch(new AgentChatErrorEvent(detailOf(error)));
      const localize = this.#host.localize();
      const key = `error.${error.reason}`;
      this.#setProblem(localize.has(key) ? localize(key, error.values) : error.message);
    }
  }

  #setProblem(problem: string | undefined): void {
    if (problem === this.problem) return;
    this.problem = problem;
    this.#host.changed();
  }
}

/** Throws the error for a chunk that failed to load. */
export function throwLoadError(cause: unknown): never {
  throw new ChatError('load', 'A part of the widget could not be loaded.', { reason: 'load', cause });
}

const isDecision = (action: string): action is Answer['decision'] =>
  ['granted', 'denied', 'answered', 'dismissed'].includes(action);
