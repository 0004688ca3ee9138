/**
 * A conversation and its operations. It does not depend on the element and can outlive it. Views subscribe to its
 * store.
 */
import type { ImportedConversation } from '../../conversation/message-tree.ts';
import { normalizeHistory } from '../../conversation/normalize-history.ts';
import { isObject, type MessageInput } from '../../conversation/normalize-message.ts';
import { messagesEqual, messagesSnapshot } from '../../conversation/messages-equal.ts';
import {
  prependMessages,
  appendMessages,
  replaceMessage,
  truncateAfter,
  removeMessage,
  selectBranch,
  type Thread,
} from '../../conversation/thread.ts';
import type { DeletedMessage } from '../../conversation/delete-message.ts';
import { ChatError } from '../../errors.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { Feedback } from '../../model/feedback.ts';
import type { ChatMessage } from '../../model/message.ts';
import { withoutProviderRounds } from '../../formats/provider-rounds.ts';
import { splitRestoredMessages, continueRun } from '../../conversation/continue-run.ts';
import { textOf } from '../../model/message-text.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { Approvals } from '../approvals.ts';
import { createMessagesSelector, initialState, statusOf, type ChatState, type ChatStatus } from './chat-state.ts';
import { requireEndpoint, checkMessage } from './validate-message.ts';
import type { RespondOptions } from '../chat-hooks.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import { Intents, openGuards, type IntentRefusal } from './intents.ts';
import type { MessageOrigin } from './message-origin.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { newId, newIds } from '../new-id.ts';
import { detailOf, toChatError } from '../error-detail.ts';
import type { Ratings } from './feedback.ts';
import type { SideRequestContext } from './request-app.ts';
import { SendQueue } from './message-queue.ts';
import { createStore, type Store } from './store.ts';
import { TurnController, type ChatOptions } from './turn-controller.ts';
import { editUserMessage, completeMessage, filesOf, toUserMessage, type SendInput } from './user-message.ts';

/** The messages that the host page last assigned, and the conversation they became. */
interface AssignedHistory {
  readonly inputs: unknown;
  readonly messages: readonly ChatMessage[];
  /** Number of older messages that were prepended since then. */
  readonly older: number;
}

export interface SendMessageOptions {
  readonly signal?: AbortSignal | undefined;
  readonly origin?: MessageOrigin | undefined;
  /** The message whose button the user has pressed. A press answers no question. */
  readonly pressed?: ChatMessage | undefined;
}

/** Messages that have changed in a tab that follows the reply of another one, or were added there. */
export interface MessageUpdate {
  readonly changed: readonly ChatMessage[];
  /** Added at the start of the conversation. */
  readonly older?: readonly ChatMessage[];
  /** Added at the end, before the running reply. */
  readonly newer?: readonly ChatMessage[];
}

/** A reply that is running in another tab. */
export interface RemoteReply {
  stop(): void;
  /** Removes messages from the conversation in that tab, whose reports would bring them back here. */
  remove(ids: readonly string[]): void;
  /** Undoes a removal in that tab. */
  putBack(deleted: readonly DeletedMessage[]): void;
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions): void;
}

export class Chat {
  readonly store: Store<ChatState> = createStore(initialState);
  /** The id under which the conversation is stored. It takes precedence over the `threadId` setting. */
  storedId: string | undefined;
  readonly #options: ChatOptions;
  readonly #selectMessages = createMessagesSelector();
  readonly #turns: TurnController;
  readonly #intents: Intents;
  readonly #queue = new SendQueue((queue) => {
    this.#set({ queue });
  });
  #assigned: AssignedHistory | undefined;
  #threadId = newId();
  #ratings: Promise<Ratings> | undefined;
  #elsewhere: RemoteReply | undefined;
  /** The turns whose questions are answered by a text, by the id of its message. */
  readonly #answering = new Map<string, string | undefined>();

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#intents = new Intents(options.guards ?? openGuards, () => {
      this.#set({});
    });
    this.#turns = new TurnController({
      ...options,
      store: this.store,
      limits: () => this.limits,
      threadId: () => this.threadId,
      ended: ({ status }) => {
        this.#sendNextAfter(status);
      },
    });
  }

  get messages(): readonly ChatMessage[] {
    return this.#selectMessages(this.store.state);
  }

  /**
   * Replaces the conversation and stops a running reply. Assigning a list that equals the current messages changes
   * nothing. The same holds for a list that equals the last assigned one while the conversation has only grown since:
   * frameworks assign the same history on every render. To restart from that history, call `clear()` first.
   */
  set messages(inputs: readonly MessageInput[]) {
    if (inputs === this.messages) return;
    if (messagesEqual(inputs, this.messages) || this.#equalsAssigned(inputs)) return;
    const copy = messagesSnapshot(inputs);
    this.#intents.cancel(DROPPED);
    this.replace({ path: inputs, hidden: [] });
    // Without a reply that waits for the user: it may be answered meanwhile.
    this.#assigned = { inputs: copy, messages: this.store.state.thread.path, older: 0 };
  }

  /**
   * The chat's own message objects do not count as a page's history: assigning a part of them truncates the
   * conversation.
   */
  #equalsAssigned(inputs: readonly MessageInput[]): boolean {
    const assigned = this.#assigned;
    if (!assigned || inputs.length === 0) return false;
    const { messages } = this;
    return (
      assigned.messages.every(
        (message, index) => message === messages[assigned.older + index] && message !== inputs[index],
      ) && messagesEqual(assigned.inputs, inputs)
    );
  }

  /**
   * Prepends older messages and skips those whose ids already exist.
   * @returns the added messages
   */
  addOlder(inputs: readonly MessageInput[]): readonly ChatMessage[] {
    const { thread } = this.store.state;
    const takenIds = new Set([...this.messages, ...thread.hidden].map(({ id }) => id));
    const fresh = inputs.filter(({ id }) => id === undefined || !takenIds.has(id));
    const { path: older } = normalizeHistory({ path: fresh, hidden: [] }, { ...messageDefaults(), taken: takenIds });
    if (older.length === 0) return older;
    if (this.#intents.isOpen('add')) this.#prepend(older);
    else {
      void this.#intents.begin<undefined>({
        kind: 'add',
        run: () => {
          this.#prepend(older);
        },
        refuse: () => undefined,
      });
    }
    return older;
  }

  #prepend(messages: readonly ChatMessage[]): void {
    const { thread } = this.store.state;
    // Some may have been restored meanwhile, or received from another tab.
    const known = new Set([...this.messages, ...thread.hidden].map(({ id }) => id));
    const older = messages.filter(({ id }) => !known.has(id));
    if (older.length === 0) return;
    this.#set({ thread: prependMessages(thread, older) });
    if (this.#assigned) {
      const start = this.#assigned.older + older.length;
      const messages = this.messages.slice(start, start + this.#assigned.messages.length);
      this.#assigned = { ...this.#assigned, messages, older: start };
    }
  }

  /** Replaces the conversation with one that is still loading, in the order of the calls. */
  import(loading: Promise<ImportedConversation>): Promise<void> {
    return this.#intents.begin({
      kind: 'replace',
      prepared: loading,
      run: async () => {
        this.replace(await loading);
      },
      refuse: async () => {
        await loading;
      },
    });
  }

  /**
   * Runs an operation on the whole conversation after stored conversations were restored, in the order of the calls.
   */
  afterRestoring(act: () => void): void {
    void this.#intents.begin({ kind: 'replace', run: act, refuse: () => undefined });
  }

  /**
   * Replaces this conversation and all its branches. Pending intents are carried out afterwards.
   *
   * @param elsewhere - the tab in which a question of the conversation waits
   */
  replace({ path, hidden }: ImportedConversation, elsewhere?: RemoteReply): void {
    this.#queue.clear();
    this.#end();
    this.#assigned = undefined;
    const messages = normalizeHistory({ path: path.filter(isObject), hidden }, messageDefaults());
    const { settled, waiting } = splitRestoredMessages(messages.path);
    this.#set({ thread: { path: settled, hidden: messages.hidden }, agentState: undefined });
    const turn = settled.at(-1);
    if (waiting.length === 0 || !turn) return;
    if (elsewhere) this.followRemote(this.store.state.thread, waiting, 'parked', elsewhere);
    else void this.#turns.restore(turn, { messages: waiting, saved: [], begin: 'wait' });
  }

  /** The conversation with its other branches, the running reply and the queued messages. */
  get thread(): Thread {
    const { thread, run, queue, pending } = this.store.state;
    return appendMessages(thread, [...(run?.messages ?? []), ...queue, ...pending]);
  }

  /** Whether the conversation has no messages. Messages that wait for a guard do not count. */
  get isEmpty(): boolean {
    const { thread, run, queue } = this.store.state;
    return thread.path.length === 0 && run === undefined && queue.length === 0;
  }

  /** Whether an intent waits for the storage or for consent. */
  get hasPending(): boolean {
    return !this.#intents.isEmpty;
  }

  get status(): ChatStatus {
    return statusOf(this.store.state);
  }

  get threadId(): string {
    return this.storedId ?? this.#options.settings().threadId ?? this.#threadId;
  }

  /** Whether a reply is running in this tab, or about to start. */
  get busy(): boolean {
    return this.#turns.busy;
  }

  /** Sets the protocol of a restored conversation. It belongs to the agent of the last reply. */
  setKnownProtocol(protocol: string, lastReply: Pick<MessageInput, 'agentId'> | undefined): void {
    this.#turns.setKnownProtocol(protocol, lastReply);
  }

  /** Adopts the protocols that another conversation has detected. */
  adoptProtocols(other: Chat): void {
    this.#turns.adoptProtocols(other.#turns);
  }

  /**
   * Shows the state of another tab's conversation and its running reply. Messages sent here wait until that reply ends.
   */
  followRemote(
    thread: Thread,
    running: readonly ChatMessage[],
    stage: ChatState['stage'],
    elsewhere?: RemoteReply,
  ): void {
    const begins = elsewhere && !this.#elsewhere;
    this.#elsewhere = elsewhere;
    const run = running.length > 0 ? continueRun(running) : undefined;
    this.#set({ thread, run, stage: elsewhere ? stage : 'none', ...(begins && { since: Date.now() }) });
    if (!elsewhere) this.#sendNextAfter(thread.path.at(-1)?.status);
  }

  get limits(): Limits {
    return { ...defaultLimits, ...this.#options.settings().limits };
  }

  /**
   * Sends a message, or queues it while a reply is running. Resolves with the assistant's message when the reply has
   * ended, whatever its outcome. If there is no reply, it resolves with the user's message, whose status is `failed`.
   * Text that answers a question resolves with the reply that has asked it, also if that runs in another tab.
   *
   * Rejects with a ChatError if there is nothing to send, the text is too long, or no endpoint is set: after the storage was read
   * and the user has consented. A message with a refused file stays as `failed`, with an error event.
   *
   * @throws ChatError for an attachment without data and address.
   */
  send(input: SendInput, options: SendMessageOptions = {}): Promise<ChatMessage> {
    const message = toUserMessage(input, options.pressed && this.#turns.withAuthor(options.pressed));
    const files = filesOf(input, message);
    if (files.size === 0) return this.#sendMessage(message, options);
    const prepared = import('../attachments/read-files.ts').then(({ readFiles }) => readFiles(files, this.limits));
    return this.#sendMessage(message, options, prepared);
  }

  /** Sends a failed message once more, with a new id and as the last message. It replaces the failed one. */
  resend(id: string): Promise<ChatMessage> {
    const found = this.store.state.thread.path.find((message) => message.id === id);
    if (!found) return Promise.reject(noMessage(id));
    const { parentId: _former, ...message } = found;
    this.#elsewhere?.remove([id]);
    this.#set({ thread: removeMessage(this.store.state.thread, id) });
    return this.#sendMessage(
      { ...message, id: newId(), timestamp: Date.now(), status: 'sending' },
      { pressed: message, isResent: true },
    );
  }

  /** @param prepared - resolves with a function that completes the message */
  #sendMessage(
    message: ChatMessage,
    {
      signal,
      origin,
      pressed,
      isResent,
      to = this.#turns.recipient,
    }: SendMessageOptions & { readonly isResent?: boolean; readonly to?: ChatSettings },
    prepared?: Promise<(message: ChatMessage) => ChatMessage>,
  ): Promise<ChatMessage> {
    const complete = prepared?.then((change) => {
      this.#intents.change(message.id, change);
    });
    // One that was open when the user sent the message, not one that is restored meanwhile. An answer has no files.
    const question =
      pressed || message.blocks.some(({ type }) => type !== 'content') ? undefined : this.#openQuestion(origin);
    // An intent that is cancelled before waits for nothing.
    complete?.catch(() => undefined);
    // With `consent`, the composer keeps the text until the answer is known: nobody may have agreed to send it yet.
    const staysInComposer = origin !== undefined && this.#intents.needsConsent;
    const waits = !this.#intents.isOpen('send');
    const isQueued = this.#isOccupied || !this.#queue.isEmpty || this.store.state.pending.length > 0;
    if (waits && !staysInComposer) origin?.taken();
    const isTaken = waits && !staysInComposer;
    const stop = (): void => {
      this.#abortSend(message.id);
    };
    signal?.addEventListener('abort', stop);
    const reply = this.#intents.begin<ChatMessage>({
      kind: 'send',
      ...(complete && { prepared: complete }),
      messages: staysInComposer ? [] : [isQueued ? { ...message, status: 'queued' } : message],
      run: ([changed]) => {
        const sent: ChatMessage = { ...(changed ?? message), status: 'sending' };
        const putBack = (): ChatMessage =>
          isResent
            ? this.#addUnsent({ ...sent, status: 'failed' })
            : this.#restoreDraft(sent, isTaken ? origin : undefined);
        // One that had to wait was taken before.
        const source = isTaken && origin ? { ...origin, taken: () => undefined } : origin;
        try {
          return this.#sendUnlessPrevented(sent, to, source, question) ?? putBack();
        } catch (error) {
          putBack();
          throw error;
        }
      },
      refuse: (refusal, [changed = message]) => {
        if (refusal.reason === 'moved') {
          const { send } = refusal;
          return prepared ? prepared.then((change) => send(change(changed), origin, to)) : send(changed, origin, to);
        }
        return staysInComposer ? { ...message, status: 'failed' } : this.#refuseSend(changed, refusal, origin);
      },
    });
    if (signal?.aborted) stop();
    return signal
      ? reply.finally(() => {
          signal.removeEventListener('abort', stop);
        })
      : reply;
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
    checkMessage(message, this.#options.settings(), this.limits);
    // A listener may set another endpoint for this message. One that was set while it waited is not for this message.
    const earlier = this.#turns.formerRecipient(to);
    if (!this.#options.hooks.beforeSend(message)) return undefined;
    origin?.taken();
    if (asked && asked === this.#openQuestion(origin) && this.#turns.isWithRecipient) {
      const reply = this.#running ?? message;
      this.#answering.set(message.id, this.#turnId);
      return this.#respond(asked.id, 'answered', { payload: textOf(message) })
        .then(
          () => reply,
          (error: unknown) => {
            origin?.restoreDraft(message);
            throw error;
          },
        )
        .finally(() => this.#answering.delete(message.id));
    }
    const mustWait = this.#isOccupied || !this.#queue.isEmpty;
    return mustWait ? this.#enqueue(message, origin, earlier) : this.#begin(message, earlier);
  }

  #restoreDraft(message: ChatMessage, origin: MessageOrigin | undefined): ChatMessage {
    origin?.restoreDraft(message);
    return { ...message, status: 'failed' };
  }

  /**
   * Handles a message whose guards have not passed. It returns to the composer that it comes from. It stays in the
   * conversation as `failed` if it has none, if it was stopped, or if the user or the view has changed. A dropped one disappears.
   */
  #refuseSend(
    message: ChatMessage,
    refusal: Exclude<IntentRefusal, { reason: 'moved' }>,
    origin: MessageOrigin | undefined,
  ): ChatMessage {
    const failed: ChatMessage = { ...message, status: 'failed' };
    if (refusal.reason === 'dropped') return failed;
    if (refusal.reason === 'stopped')
      return this.#addUnsent(failed, completeMessage({ role: 'assistant', ...STOPPED_REPLY }));
    if (refusal.reason !== 'left' && origin) {
      origin.restoreDraft(message);
      if (refusal.reason === 'error') throw toChatError(refusal.error);
      return failed;
    }
    if (refusal.reason !== 'declined')
      this.#options.hooks.error(detailOf(refusal.reason === 'left' ? abandonedError() : toChatError(refusal.error)));
    return this.#addUnsent(failed);
  }

  /**
   * Appends messages that are final.
   * @returns the last one
   */
  #addUnsent(message: ChatMessage, ...replies: readonly ChatMessage[]): ChatMessage {
    const thread = appendMessages(this.store.state.thread, [message, ...replies]);
    this.#set({ thread });
    const added = thread.path.slice(-1 - replies.length);
    for (const one of added) this.#options.hooks.message(one);
    return added.at(-1) ?? message;
  }

  /** Removes a queued message and returns it. */
  unqueue(id: string): ChatMessage | undefined {
    return this.#queue.takeBack(id) ?? this.#intents.takeBack(id, DROPPED);
  }

  /** Moves a queued message to the front and sends it immediately. A running reply is stopped first, in any tab. */
  sendNow(id: string): void {
    if (!this.#queue.toFront(id)) return;
    if (this.#isOccupied) this.stop();
    else this.#sendNext();
  }

  /** Ends the running reply immediately. The text received so far stays. */
  stop(): void {
    if (this.#isOccupied || !this.#intents.stop()) this.#stopReply();
  }

  #stopReply(): void {
    this.#elsewhere?.stop();
    this.#turns.stop();
  }

  /**
   * Ends the running reply as `interrupted`, and follows another tab's no longer. Queued messages fail, because nobody is
   * left to send them.
   *
   * @param forGood - nobody will resume the reply: it is stopped, also on its server, and no error is reported
   */
  interrupt({ forGood = false } = {}): void {
    const queued = this.store.state.queue;
    this.#queue.clear();
    const { busy } = this.#turns;
    this.#turns.stop(forGood ? undefined : { status: 'interrupted', finish: 'error' });
    if (busy && !forGood) this.#options.hooks.error(detailOf(abandonedError()));
    this.stopFollowing();
    for (const message of queued) this.#addUnsent({ ...message, status: 'failed' });
    this.failPending();
  }

  /** Sends pending messages in another conversation, because this one was deleted in the meantime. */
  movePending(to: Chat): void {
    this.#intents.cancel({
      reason: 'moved',
      send: (message, origin, recipient) => to.#sendMessage(message, { origin, to: recipient }),
    });
  }

  /** Fails all pending intents, because the user changed. */
  failPending(): void {
    this.#intents.cancel({ reason: 'left' });
  }

  /**
   * Resumes the last reply, if it was interrupted or has failed; also one of which nothing has arrived. If its protocol can't
   * resume, the reply gets an error.
   *
   * A reply that is running here or in another tab is not resumed: the promise resolves when it has ended. Rejects with a
   * ChatError if the last reply is complete or was stopped, if no endpoint is set, or with `quietly` if consent is missing.
   *
   * @param quietly - started without a user action: if resuming fails, the reply stays unchanged and no error is
   * reported
   */
  resume({ quietly = false }: { readonly quietly?: boolean } = {}): Promise<ChatMessage> {
    const to = this.#turns.recipient;
    return this.#intents.begin<ChatMessage>({
      kind: quietly ? 'pick-up' : 'resume',
      run: () => this.#resume(quietly, to),
      refuse: (refusal) => this.#refuseReply(refusal, this.messages.findLast(isOfUser), quietly),
    });
  }

  #resume(quietly: boolean, to: ChatSettings): Promise<ChatMessage> {
    const running = this.#running;
    if (running) return running;
    const { path } = this.store.state.thread;
    const start = path.findLastIndex(isOfUser);
    const turn = path[start];
    const last = path.at(-1);
    const broken = last === turn || BROKEN.has(last?.status);
    if (!turn || !broken) {
      return Promise.reject(noReply());
    }
    if (!quietly) requireEndpoint(this.#options.settings());
    const saved = path.slice(start + 1);
    const messages = saved.map((message) => ({ ...message, status: 'streaming' as const }));
    this.#set({ thread: { ...this.store.state.thread, path: path.slice(0, start + 1) } });
    const restored = { messages, saved, begin: 'resume', quietly } as const;
    const resumed = this.#turns.restore(turn, restored, this.#turns.formerRecipient(to));
    // Messages that were sent meanwhile had to wait for a resume that nobody asked for. They are sent whatever its
    // outcome.
    if (quietly) void resumed.then(this.#continueQueue, this.#continueQueue);
    return resumed;
  }

  /** Generates a reply again, as a branch next to the old one. Default: the last reply. */
  regenerate(id?: string): Promise<ChatMessage> {
    const to = this.#turns.recipient;
    return this.#intents.begin<ChatMessage>({
      kind: 'regenerate',
      run: () => this.#regenerate(id, to),
      refuse: (refusal) => this.#refuseReply(refusal, this.#turnOf(id)),
    });
  }

  /** The user message that the given reply answers. Default: the last reply. */
  #turnOf(id: string | undefined): ChatMessage | undefined {
    const messages = this.#begun;
    const end = id === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === id);
    return messages.slice(0, end + 1).findLast(isOfUser);
  }

  #regenerate(id: string | undefined, to: ChatSettings): Promise<ChatMessage> {
    const turn = this.#turnOf(id);
    if (!turn) throw noMessage(id);
    requireEndpoint(this.#options.settings());
    const reply = this.#replyTo(turn);
    this.#end();
    this.#set({ thread: truncateAfter(this.store.state.thread, turn.id) });
    return this.#turns.begin(turn, { to: this.#turns.formerRecipient(to), fork: { by: 'regenerate', reply } });
  }

  /** The last message of the agent between a message of the user and the next one. */
  #replyTo(turn: ChatMessage): ChatMessage | undefined {
    const after = this.#begun.slice(this.#begun.indexOf(turn) + 1);
    const next = after.findIndex(isOfUser);
    return after.slice(0, next < 0 ? undefined : next).findLast(({ role }) => role === 'assistant');
  }

  /** Resends a user message with a new text, as a branch next to the old one. */
  edit(id: string, text: string, { origin }: Pick<SendMessageOptions, 'origin'> = {}): Promise<ChatMessage> {
    const before = this.#userMessage(id);
    const to = this.#turns.recipient;
    return this.#intents.begin<ChatMessage>({
      kind: 'edit',
      messages: before ? [editUserMessage(before, text)] : [],
      run: ([shown]) => this.#edit(id, text, shown, to, origin),
      refuse: (refusal, [shown = completeMessage({ role: 'user', text })]) => {
        if (refusal.reason === 'left' || refusal.reason === 'dropped') return { ...shown, status: 'failed' };
        origin?.restoreDraft(shown);
        if (refusal.reason === 'error') throw toChatError(refusal.error);
        return { ...shown, status: 'failed' };
      },
    });
  }

  #userMessage(id: string): ChatMessage | undefined {
    return this.store.state.thread.path.find((message) => message.id === id && isOfUser(message));
  }

  #edit(
    id: string,
    text: string,
    shown: ChatMessage | undefined,
    to: ChatSettings,
    origin: MessageOrigin | undefined,
  ): ChatMessage | Promise<ChatMessage> {
    const before = this.#userMessage(id);
    if (!before) throw noMessage(id);
    const edited = shown ?? editUserMessage(before, text);
    try {
      checkMessage(edited, this.#options.settings(), this.limits);
    } catch (error) {
      origin?.restoreDraft(edited);
      throw error;
    }
    // As when sending: a listener may set another endpoint.
    const earlier = this.#turns.formerRecipient(to);
    if (!this.#options.hooks.beforeSend(edited)) return this.#restoreDraft(edited, origin);
    const reply = this.#replyTo(before);
    this.#end();
    this.#set({ thread: appendMessages(truncateAfter(this.store.state.thread, before.parentId), [edited]) });
    return this.#turns.begin(edited, { to: earlier, fork: { by: 'edit', reply } });
  }

  /** The result for a reply that is not requested: the user message as `failed`, or a rejection. */
  #refuseReply(refusal: IntentRefusal, turn: ChatMessage | undefined, quietly = false): Promise<ChatMessage> {
    if (refusal.reason === 'error' && !quietly) return Promise.reject(toChatError(refusal.error));
    return turn && !quietly ? Promise.resolve({ ...turn, status: 'failed' }) : Promise.reject(noReply());
  }

  /**
   * Queued messages were written for the previous branch: they return to the composer. Those of the page stay there, as
   * `failed`.
   */
  selectBranch(id: string, index: number): void {
    const queued = this.#queue.clear();
    this.#end();
    for (const { message, origin } of queued) {
      if (origin) origin.restoreDraft(message);
      else this.#addUnsent({ ...message, status: 'failed' });
    }
    this.#set({ thread: selectBranch(this.store.state.thread, id, index) });
  }

  /** The permanent tool approvals. */
  get approvals(): Approvals {
    return this.#turns.approvals;
  }

  /** Answers a pending action of the agent. A second answer and an unknown block have no effect. */
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): Promise<void> {
    return this.#intents.begin({
      kind: 'respond',
      run: () => {
        requireEndpoint(this.#options.settings());
        return this.#respond(blockId, decision, options);
      },
      // The action stays pending.
      refuse: rejectError,
    });
  }

  #respond(blockId: string, decision: Answer['decision'], options: RespondOptions): Promise<void> {
    if (!this.#turns.busy) this.#elsewhere?.respond(blockId, decision, options);
    return this.#turns.respond(blockId, decision, options);
  }

  /**
   * Stores the user's rating of a message and sends it to the server if the protocol supports that; `undefined` removes
   * the rating. It is shown immediately. If the request fails, the rating that the server last accepted is shown again, unless
   * it was changed meanwhile.
   *
   * Rejects with a ChatError for a network failure and for any status other than 2xx.
   */
  rate(id: string, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): Promise<void> {
    return this.#intents.begin({
      kind: 'rate',
      run: async () => {
        this.#ratings ??= import('./feedback.ts').then(({ Ratings }) => new Ratings(this.store, this.#turns));
        await (await this.#ratings).rate(id, feedback);
      },
      refuse: rejectError,
    });
  }

  /** For requests whose code is loaded with the first one, such as those of MCP Apps. */
  get sideRequestContext(): SideRequestContext {
    return { intents: this.#intents, turns: this.#turns, hooks: this.#options.hooks };
  }

  addMessage(input: MessageInput): ChatMessage {
    const takenIds = [...this.messages, ...this.store.state.thread.hidden].map(({ id }) => id);
    const { path } = normalizeHistory({ path: [input], hidden: [] }, { ...messageDefaults(), taken: takenIds });
    const message = path[0] ?? completeMessage(input);
    if (this.#intents.isOpen('add')) return this.append(message);
    void this.#intents.begin<ChatMessage>({
      kind: 'add',
      messages: [message],
      run: ([changed = message]) => this.append(changed),
      refuse: (_refusal, [changed = message]) => changed,
    });
    return message;
  }

  /** Appends a message now, also while the conversation is being restored. */
  append(message: ChatMessage): ChatMessage {
    const thread = appendMessages(this.store.state.thread, [message]);
    this.#set({ thread });
    return thread.path.at(-1) ?? message;
  }

  /**
   * Changes a message of the current branch, of this tab's running reply, of the queue or of a waiting intent. A new text
   * replaces the old one.
   */
  updateMessage(id: string, patch: Partial<MessageInput>): void {
    const change = (message: ChatMessage): ChatMessage => {
      const blocks =
        patch.text === undefined ? message.blocks : message.blocks.filter(({ type }) => type !== 'content');
      const isTextChanged = patch.text !== undefined || patch.blocks !== undefined;
      return completeMessage({ ...(isTextChanged ? withoutProviderRounds(message) : message), blocks, ...patch, id });
    };
    this.#queue.change(id, change);
    this.#intents.change(id, change);
    this.#turns.change(id, change);
    this.#set({ thread: replaceMessage(this.store.state.thread, id, change) });
  }

  /**
   * Removes a message, also in the tab with the running reply. A pending message is withdrawn. A running reply is stopped if
   * the message belongs to it, or is the user's message that it answers.
   */
  removeMessage(id: string): void {
    if (!this.unqueue(id)) this.removeMessages([id], (thread) => removeMessage(thread, id));
  }

  /**
   * Removes messages that are not pending, see `removeMessage()`.
   *
   * @param remove - returns the thread without them
   */
  removeMessages(ids: readonly string[], remove: (thread: Thread) => Thread): void {
    const { run } = this.store.state;
    const elsewhere = this.#elsewhere;
    const turnId = this.#turnId;
    if (ids.some((id) => id === turnId || run?.messages.some((message) => message.id === id))) this.#end();
    elsewhere?.remove(ids);
    this.#set({ thread: remove(this.store.state.thread) });
  }

  /** Undoes `removeMessages()`, also in the tab with the running reply. */
  putBack(deleted: readonly DeletedMessage[], putBack: (thread: Thread) => Thread): void {
    this.#elsewhere?.putBack(deleted);
    this.#set({ thread: putBack(this.store.state.thread) });
  }

  /** Applies a change of a following tab. Messages stay where they are: their predecessor may be another one here. */
  applyUpdate({ changed, older = [], newer = [] }: MessageUpdate): void {
    const known = new Set([...this.messages, ...this.store.state.thread.hidden].map(({ id }) => id));
    const isNew = ({ id }: ChatMessage): boolean => !known.has(id);
    const replace =
      ({ parentId: _theirs, ...message }: ChatMessage) =>
      ({ parentId }: ChatMessage): ChatMessage =>
        parentId === undefined ? message : { ...message, parentId };
    const replaced = changed.reduce(
      (rest, message) => replaceMessage(rest, message.id, replace(message)),
      this.store.state.thread,
    );
    this.#set({ thread: appendMessages(replaced, newer.filter(isNew)) });
    this.#prepend(older);
  }

  /** Cancels pending intents, because the host page replaces the conversation. */
  cancelPending(): void {
    this.#intents.cancel(DROPPED);
  }

  /** Cancels pending intents and starts an empty conversation. */
  clear(): void {
    this.cancelPending();
    this.empty();
  }

  /** Starts an empty conversation. Pending intents are carried out in it. */
  empty(): void {
    this.replace({ path: [], hidden: [] });
    this.#threadId = newId();
    if (this.storedId !== undefined) this.storedId = this.#threadId;
  }

  /**
   * Ends the running reply immediately, also here if it runs in another tab: its part stays as the end of the current
   * branch.
   */
  #end(): void {
    this.#stopReply();
    this.stopFollowing();
  }

  /** Detaches the conversation from the other tab, whose reply may continue there. */
  stopFollowing(): void {
    if (!this.#elsewhere) return;
    this.#elsewhere = undefined;
    const { thread, run } = this.store.state;
    this.#set({ thread: appendMessages(thread, run?.messages ?? []), run: undefined, stage: 'none' });
  }

  /** Resolves with the running reply, also with that of another tab. Undefined without one. */
  get #running(): Promise<ChatMessage> | undefined {
    const { done } = this.#turns;
    if (done || !this.#elsewhere) return done;
    return new Promise((resolve) => {
      const end = this.store.subscribe(() => {
        if (this.#elsewhere) return;
        end();
        resolve(this.store.state.thread.path.at(-1) ?? completeMessage({ role: 'assistant', ...STOPPED_REPLY }));
      });
    });
  }

  /** Id of the user message that is being answered: in another tab, the last one that is not queued. */
  get #turnId(): string | undefined {
    return this.#elsewhere ? this.store.state.thread.path.findLast(isOfUser)?.id : this.#turns.turnId;
  }

  /** The messages of this branch that do not wait. */
  get #begun(): readonly ChatMessage[] {
    const { thread, run } = this.store.state;
    return [...thread.path, ...(run?.messages ?? [])];
  }

  get #isOccupied(): boolean {
    return this.#turns.busy || this.#elsewhere !== undefined;
  }

  #set(change: Partial<ChatState>): void {
    this.store.set({ ...this.store.state, pending: this.#intents.messages, ...change });
  }

  /**
   * The question that a text answers. Of several, the text could be meant for any; and it was not meant for one that came
   * while the user was writing. A question that has changed is another object.
   */
  #openQuestion({ since = Infinity }: Partial<MessageOrigin> = {}): AssistantMessageBlock | undefined {
    const blocks = this.store.state.run?.messages.flatMap((message) => message.blocks) ?? [];
    const [question, other] = blocks.filter(
      (block) =>
        block.type === 'action' &&
        block.status === 'pending' &&
        block.extra?.['needsChoice'] !== true &&
        (block.action_type === 'question' || block.action_type === 'interrupt'),
    );
    return question && !other && question.timestamp <= since ? question : undefined;
  }

  /** Queues a message. If nothing is running, for example after a failure, the queue starts to send. */
  #enqueue(message: ChatMessage, origin: MessageOrigin | undefined, to = this.#turns.recipient): Promise<ChatMessage> {
    const reply = this.#queue.add(message, to, origin);
    if (!this.#isOccupied) this.#sendNext();
    return reply;
  }

  /** After a reply that failed, the next message would probably fail too: it waits for the user. */
  #sendNextAfter(status: ChatMessage['status'] | undefined): void {
    if (status !== 'error' && status !== 'interrupted') this.#sendNext();
  }

  #sendNext(): void {
    if (this.#queue.isEmpty) return;
    void this.#intents.begin<undefined>({
      kind: 'queued',
      run: () => {
        const next = this.#isOccupied ? undefined : this.#queue.next();
        if (next) void this.#begin({ ...next.message, status: 'sending' }, next.to).then(next.resolve);
      },
      // The messages stay in the queue, where the user can send or withdraw them.
      refuse: () => undefined,
    });
  }

  #abortSend(id: string): void {
    if (this.#turnId === (this.#answering.get(id) ?? id)) this.#stopReply();
    else if (!this.#intents.takeBack(id, { reason: 'stopped' })) this.#queue.takeBack(id);
  }

  readonly #continueQueue = (): void => {
    if (!this.#turns.busy) this.#sendNext();
  };

  #begin(message: ChatMessage, to?: ChatSettings): Promise<ChatMessage> {
    this.#set({ thread: appendMessages(this.store.state.thread, [message]) });
    try {
      return this.#turns.begin(message, { to });
    } catch (cause) {
      return Promise.resolve(this.#turns.fail(message, cause));
    }
  }
}

/** Defaults for the fields that a message input leaves out. */
const messageDefaults = (): { readonly now: number; readonly newId: () => string } => ({
  now: Date.now(),
  newId: newIds(),
});

const noMessage = (id = ''): ChatError => new ChatError('protocol', `There is no message "${id}".`);
const noReply = (): ChatError => new ChatError('protocol', 'There is no reply to resume.', { reason: 'no-resume' });

/** The result of an intent that is refused without a message: rejects for an error only. */
const rejectError = (refusal: IntentRefusal): Promise<void> =>
  refusal.reason === 'error' ? Promise.reject(toChatError(refusal.error)) : Promise.resolve();

const isOfUser = ({ role }: ChatMessage): boolean => role === 'user';

const DROPPED: IntentRefusal = { reason: 'dropped' };
const STOPPED_REPLY = { status: 'cancelled', finish: 'cancelled' } as const;

const abandonedError = (): ChatError =>
  new ChatError('network', 'The conversation was left.', {
    reason: 'left',
    retryable: true,
  });

/**
 * Statuses of replies that can be resumed. A reply that was `streaming` when its page was left still has that status.
 */
const BROKEN = new Set<ChatMessage['status'] | undefined>(['interrupted', 'error', 'streaming']);
