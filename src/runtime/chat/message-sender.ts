/** Sends the messages of a conversation: as an answer to a question, as a turn, or later from the queue. */
import { appendMessages } from '../../conversation/thread.ts';
import { ChatError } from '../../errors.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { detailOf, toChatError } from '../error-detail.ts';
import type { IntentRefusal, Intents } from './send-guards.ts';
import type { MessageOrigin, SendingOptions } from './message-origin.ts';
import { SendQueue } from './message-queue.ts';
import { STOPPED_REPLY, type ConversationState, type RunningReply } from './running-reply.ts';
import type { TurnController, TurnControllerOptions } from './turn-controller.ts';
import { completeMessage } from './user-message.ts';
import { checkMessage } from './validate-message.ts';

export type MessageSenderOptions = ConversationState & Pick<TurnControllerOptions, 'settings' | 'hooks' | 'limits'>;

export class MessageSender {
  readonly queue: SendQueue;
  readonly #options: MessageSenderOptions;
  readonly #turns: TurnController;
  readonly #intents: Intents;
  readonly #reply: RunningReply;
  /** The sender of the conversation that has replaced this one. */
  successor: MessageSender | undefined;
  /** The turns whose questions are answered by a text, by the id of its message. */
  readonly #answering = new Map<string, string | undefined>();
  /** The ids of pending messages (they wait for the storage or for consent) for which the user has pressed "Send now". */
  readonly #urgent = new Set<string>();

  constructor(options: MessageSenderOptions, turns: TurnController, reply: RunningReply, intents: Intents) {
    this.#options = options;
    this.#turns = turns;
    this.#reply = reply;
    this.#intents = intents;
    this.queue = new SendQueue((queue) => {
      options.set({ queue });
    });
  }

  /** @param prepared - resolves with a function that completes the message */
  send(
    message: ChatMessage,
    options: SendingOptions,
    prepared?: Promise<(message: ChatMessage) => ChatMessage>,
  ): Promise<ChatMessage> {
    const { signal, origin, sameAgentAs, isResent, to = this.#turns.recipient } = options;
    const complete = prepared?.then((change) => {
      this.#intents.change(message.id, change);
    });
    // The question that was open when the user sent the message, not one that is restored meanwhile. A message with files, a
    // button's text and a resent message answer no question.
    const question =
      sameAgentAs || message.blocks.some(({ type }) => type !== 'content') ? undefined : this.#openQuestion(origin);
    // If the intent is cancelled first, nothing handles a rejection of `complete`.
    complete?.catch(() => undefined);
    // With `consent`, the composer keeps the text until the answer is known: nobody may have agreed to send it yet.
    const staysInComposer = origin !== undefined && this.#intents.needsConsent;
    const waits = !this.#intents.isOpen('send');
    const isQueued = this.#mustWait || this.#options.store.state.pending.length > 0;
    const isTaken = waits && !staysInComposer;
    if (isTaken) origin?.taken();
    const stop = (): void => {
      this.abortSend(message.id);
    };
    signal?.addEventListener('abort', stop);
    const reply = this.#intents.begin<ChatMessage>({
      kind: 'send',
      prepared: complete,
      messages: staysInComposer ? [] : [isQueued ? { ...message, status: 'queued' } : message],
      run: ([changed]) => {
        const sent: ChatMessage = { ...(changed ?? message), status: 'sending' };
        const isUrgent = this.#urgent.delete(message.id);
        const putBack = (): ChatMessage =>
          isResent ? this.addUnsent({ ...sent, status: 'failed' }) : restoreDraft(sent, isTaken ? origin : undefined);
        // A message that had to wait has left the composer before.
        const source = isTaken && origin ? { ...origin, taken: () => undefined } : origin;
        try {
          const answered = this.#sendUnlessPrevented(sent, to, source, question) ?? putBack();
          if (isUrgent) this.sendNow(message.id);
          return answered;
        } catch (error) {
          putBack();
          throw error;
        }
      },
      refuse: (refusal, [changed = message]) => {
        this.#urgent.delete(message.id);
        if (refusal.reason === 'moved') {
          const { send } = refusal;
          const same = { ...options, to };
          return prepared ? prepared.then((change) => send(change(changed), same)) : send(changed, same);
        }
        if (!staysInComposer) return this.#refuseSend(changed, refusal, origin);
        if (refusal.reason === 'error') throw toChatError(refusal.error);
        return { ...message, status: 'failed' };
      },
    });
    if (signal?.aborted) stop();
    return signal
      ? reply.finally(() => {
          signal.removeEventListener('abort', stop);
        })
      : reply;
  }

  get #mustWait(): boolean {
    return this.#reply.busy || !this.queue.isEmpty;
  }

  /**
   * Sends a message whose guards have passed. Returns undefined if the host page prevented it.
   *
   * @param to - the settings when the user sent it
   * @param asked - the question that it answers, if that is still open and its block unchanged
   */
  #sendUnlessPrevented(
    message: ChatMessage,
    to: ChatSettings,
    origin: MessageOrigin | undefined,
    asked: AssistantMessageBlock | undefined,
  ): Promise<ChatMessage> | undefined {
    checkMessage(message, this.#options.settings(), this.#options.limits());
    const allowed = this.#turns.askPage(message, to);
    if (!allowed) return undefined;
    origin?.taken();
    if (asked && asked === this.#openQuestion(origin) && this.#turns.isWithRecipient) {
      const reply = this.#reply.done ?? message;
      this.#answering.set(message.id, this.#reply.turnId);
      return new Promise<ChatMessage>((resolve, reject) => {
        // Another tab may refuse the answer after the reply has ended: the text returns to the composer in any case.
        const refused = (error: Error): void => {
          origin?.restoreDraft(message);
          reject(error);
        };
        this.#reply
          .respond(asked.id, 'answered', { payload: textOf(message) }, refused)
          .then(() => reply)
          .then(resolve, refused);
      }).finally(() => this.#answering.delete(message.id));
    }
    return this.#mustWait ? this.#enqueue(message, origin, allowed.to) : this.#begin(message, allowed.to);
  }

  /**
   * The question that a text answers, also while a permission or confirmation is open. Of several questions, the text could be
   * meant for any; and it was not meant for one that came while the user was writing, or that is out of view. A changed
   * question is another object. One that needs its form (`needsChoice`) is answered by no text, and does not count.
   */
  #openQuestion({ seen }: Partial<MessageOrigin> = {}): AssistantMessageBlock | undefined {
    const blocks = this.#options.store.state.run?.messages.flatMap((message) => message.blocks) ?? [];
    const [question, other] = blocks.filter(
      (block) =>
        block.type === 'action' &&
        block.status === 'pending' &&
        block.extra?.['needsChoice'] !== true &&
        (block.action_type === 'question' || block.action_type === 'interrupt'),
    );
    return question && !other && (seen?.includes(question) ?? true) ? question : undefined;
  }

  /**
   * Handles a message whose guards have not passed, and that has left the composer: it returns to the composer. It stays in the
   * conversation as `failed` if it comes from elsewhere, was stopped, or if the user or the view has changed. A dropped one disappears.
   */
  #refuseSend(
    message: ChatMessage,
    refusal: Exclude<IntentRefusal, { reason: 'moved' }>,
    origin: MessageOrigin | undefined,
  ): ChatMessage {
    const failed: ChatMessage = { ...message, status: 'failed' };
    if (refusal.reason === 'dropped') return failed;
    if (refusal.reason === 'stopped')
      return this.addUnsent(failed, completeMessage({ role: 'assistant', ...STOPPED_REPLY }));
    if (refusal.reason !== 'left' && origin) {
      origin.restoreDraft(message);
      if (refusal.reason === 'error') throw toChatError(refusal.error);
      return failed;
    }
    if (refusal.reason !== 'declined')
      this.#options.hooks.error(detailOf(refusal.reason === 'left' ? abandonedError() : toChatError(refusal.error)));
    return this.addUnsent(failed);
  }

  /**
   * Appends messages that are final.
   * @returns the last one
   */
  addUnsent(message: ChatMessage, ...replies: readonly ChatMessage[]): ChatMessage {
    const thread = appendMessages(this.#options.store.state.thread, [message, ...replies]);
    this.#options.set({ thread, since: Date.now() });
    const added = thread.path.slice(-1 - replies.length);
    for (const one of added) this.#options.hooks.message(one);
    return added.at(-1) ?? message;
  }

  /** Queues a message. If nothing is running, for example after a failure, the queue starts to send. */
  #enqueue(message: ChatMessage, origin: MessageOrigin | undefined, to = this.#turns.recipient): Promise<ChatMessage> {
    const reply = this.queue.add(message, to, origin);
    if (!this.#reply.busy) this.sendNext();
    return reply;
  }

  /**
   * Sends the next queued message after a reply. If that failed, the next one would probably fail too: it waits for the user. After a
   * resume that the user did not ask for, `Chat` calls `sendNext()` too, whatever the outcome.
   */
  sendNextAfter(status: ChatMessage['status'] | undefined): void {
    if (status !== 'error' && status !== 'interrupted') this.sendNext();
    // A message that waits for consent no longer waits for this reply.
    if (!this.#mustWait) this.#intents.showNext();
  }

  sendNext(): void {
    if (this.queue.isEmpty) return;
    void this.#intents.begin<undefined>({
      kind: 'queued',
      run: () => {
        const next = this.#reply.busy ? undefined : this.queue.next();
        if (next) void this.#begin({ ...next.message, status: 'sending' }, next.to).then(next.resolve);
      },
      // The messages stay in the queue, where the user can send or withdraw them.
      refuse: () => undefined,
    });
  }

  /**
   * Sends a queued message before the others. A running reply is stopped first, in any tab. One that waits for the storage or for
   * consent is sent, and stops the reply, as soon as these allow it.
   */
  sendNow(id: string): void {
    if (this.#intents.toFront(id)) {
      this.#urgent.add(id);
      this.#intents.change(id, (message) => ({ ...message, status: 'sending' }));
    } else if (this.queue.toFront(id)) {
      if (this.#reply.busy) this.#reply.stop();
      else this.sendNext();
    }
  }

  abortSend(id: string): void {
    this.successor?.abortSend(id);
    if (this.#reply.turnId === (this.#answering.get(id) ?? id)) this.#reply.stop();
    else if (!this.#intents.takeBack(id, { reason: 'stopped' })) this.queue.takeBack(id);
  }

  #begin(message: ChatMessage, to?: ChatSettings): Promise<ChatMessage> {
    this.#options.set({ thread: appendMessages(this.#options.store.state.thread, [message]) });
    try {
      return this.#turns.begin(message, { to });
    } catch (cause) {
      return Promise.resolve(this.#turns.fail(message, cause));
    }
  }
}

/** Puts the text of a message that is not sent back into the composer. Returns the message as `failed`. */
export function restoreDraft(message: ChatMessage, origin: MessageOrigin | undefined): ChatMessage {
  origin?.restoreDraft(message);
  return { ...message, status: 'failed' };
}

export const DROPPED: IntentRefusal = { reason: 'dropped' };

export const abandonedError = (): ChatError =>
  new ChatError('network', 'The conversation was left.', {
    reason: 'left',
    retryable: true,
  });
