/**
 * A conversation and its operations. It does not depend on the `<agent-chat>` element and can outlive it. Views subscribe
 * to its store. Most operations are intents: they wait until the storage was read and the user has consented, see
 * `send-guards.ts`.
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
import type { RunOutcome } from '../../conversation/run.ts';
import type { DeletedMessage } from '../../conversation/delete-message.ts';
import { ChatError } from '../../errors.ts';
import type { Feedback } from '../../model/feedback.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRestoredMessages } from '../../conversation/continue-run.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { Approvals } from '../approvals.ts';
import { afterPrepending, equalsAssigned, type AssignedHistory } from './assigned-history.ts';
import {
  createMessagesSelector,
  createStore,
  initialState,
  statusOf,
  type ChatState,
  type ChatStatus,
  type Store,
} from './chat-state.ts';
import { requireEndpoint, checkMessage } from './validate-message.ts';
import type { RespondOptions } from '../chat-hooks.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import { Intents, openGuards, rejectError, type IntentRefusal } from './send-guards.ts';
import type { ChatSettings } from '../chat-settings.ts';
import type { MessageOrigin, SendMessageOptions } from './message-origin.ts';
import { newId } from '../new-id.ts';
import { detailOf, toChatError } from '../error-detail.ts';
import type { Ratings } from './ratings.ts';
import type { SideRequestContext } from './request-app.ts';
import { abandonedError, DROPPED, MessageSender, restoreDraft } from './message-sender.ts';
import { isOfUser, RunningReply, type RemoteReply } from './running-reply.ts';
import { TurnController, type ChatOptions } from './turn-controller.ts';
import {
  editUserMessage,
  completeMessage,
  filesOf,
  messageDefaults,
  patchMessage,
  toUserMessage,
  type SendInput,
} from './user-message.ts';

export class Chat {
  readonly store: Store<ChatState> = createStore(initialState);
  /** The id under which the conversation is stored. It takes precedence over the `threadId` setting. */
  storedId: string | undefined;
  readonly #options: ChatOptions;
  readonly #selectMessages = createMessagesSelector();
  readonly #turns: TurnController;
  readonly #intents: Intents;
  /** The running reply, in this tab or in another one. */
  readonly #reply: RunningReply;
  readonly #set: (change: Partial<ChatState>) => void;
  readonly #sender: MessageSender;
  /** The history that the host page last assigned to `messages`. */
  #assigned: AssignedHistory | undefined;
  /** Used as long as neither the storage nor the `threadId` setting has an id. */
  #threadId = newId();
  #ratings: Promise<Ratings> | undefined;

  constructor(options: ChatOptions) {
    this.#options = options;
    const { store } = this;
    this.#set = (change) => {
      store.set({ ...store.state, pending: this.#intents.messages, ...change });
    };
    const parts = {
      ...options,
      store,
      limits: () => this.limits,
      threadId: () => this.threadId,
      set: this.#set,
      ended: ({ status }: RunOutcome) => {
        this.#sender.sendNextAfter(status);
      },
    };
    this.#intents = new Intents(options.guards ?? openGuards, () => {
      this.#set({});
    });
    this.#turns = new TurnController(parts);
    this.#reply = new RunningReply(parts, this.#turns);
    this.#sender = new MessageSender(parts, this.#turns, this.#reply, this.#intents);
  }

  get messages(): readonly ChatMessage[] {
    return this.#selectMessages(this.store.state);
  }

  /**
   * Replaces the conversation and stops a running reply. Assigning a list that equals the current messages changes
   * nothing. Nor does assigning the previous list again after the conversation has only grown: frameworks assign the
   * same history on every render. To restart from that history, call `clear()` first.
   */
  set messages(inputs: readonly MessageInput[]) {
    if (inputs === this.messages) return;
    if (messagesEqual(inputs, this.messages)) return;
    if (this.#assigned && equalsAssigned(this.#assigned, inputs, this.messages)) return;
    const copy = messagesSnapshot(inputs);
    this.#intents.cancel(DROPPED);
    this.replace({ path: inputs, hidden: [] });
    // Not `this.messages`: that also contains a restored reply that waits for an answer. The answer changes the reply, and the next
    // assignment of the same list would then replace the conversation.
    this.#assigned = { inputs: copy, messages: this.store.state.thread.path, older: 0 };
  }

  /**
   * Prepends older messages and skips those whose ids already exist.
   * @returns the added messages
   */
  addOlder(inputs: readonly MessageInput[]): readonly ChatMessage[] {
    const takenIds = this.#ids;
    const older = this.#normalize(inputs.filter(({ id }) => id === undefined || !takenIds.has(id)));
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
    // Some may have been restored meanwhile, or received from another tab.
    const known = this.#ids;
    const older = messages.filter(({ id }) => !known.has(id));
    if (older.length === 0) return;
    this.#set({ thread: prependMessages(this.store.state.thread, older) });
    this.#assigned &&= afterPrepending(this.#assigned, older, this.messages);
  }

  /** The ids of all messages. */
  get #ids(): ReadonlySet<string> {
    return new Set([...this.messages, ...this.store.state.thread.hidden].map(({ id }) => id));
  }

  /** Completes new messages of the page and gives them ids that no other message has. */
  #normalize(inputs: readonly MessageInput[]): readonly ChatMessage[] {
    return normalizeHistory({ path: inputs, hidden: [] }, { ...messageDefaults(), taken: this.#ids }).path;
  }

  /** Replaces the conversation with one that is still loading. Operations that are called meanwhile wait for it. */
  import(loading: Promise<ImportedConversation>): Promise<void> {
    return this.#intents.begin({
      kind: 'replace',
      prepared: loading,
      run: async () => {
        this.replace(await loading);
      },
      // Without a replacement, an error of `loading` is still reported.
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
   * @param elsewhere - the tab that gets the answer to an open question of the conversation. Undefined: this tab
   */
  replace({ path, hidden }: ImportedConversation, elsewhere?: RemoteReply): void {
    this.#sender.queue.clear();
    this.#end();
    this.#assigned = undefined;
    const messages = normalizeHistory({ path: path.filter(isObject), hidden }, messageDefaults());
    const { settled, waiting } = splitRestoredMessages(messages.path);
    this.#set({ thread: { path: settled, hidden: messages.hidden }, agentState: undefined });
    const userMessage = settled.findLast(isOfUser);
    if (waiting.length === 0 || !userMessage) return;
    if (elsewhere) this.followRemote(this.store.state.thread, waiting, 'parked', elsewhere);
    else void this.#turns.restore(userMessage, { messages: waiting, saved: [], begin: 'wait' });
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
   * Shows the state of another tab's conversation and its running reply. Messages sent here wait until that reply
   * ends. If this tab takes the conversation over, their text returns to the composer; those with files become `failed`.
   *
   * @param elsewhere - the tab with the running reply. Undefined: the reply has ended there
   */
  followRemote(
    thread: Thread,
    running: readonly ChatMessage[],
    stage: ChatState['stage'],
    elsewhere?: RemoteReply,
  ): void {
    this.#reply.follow(thread, running, stage, elsewhere);
    if (!elsewhere) this.#sender.sendNextAfter(thread.path.at(-1)?.status);
  }

  get limits(): Limits {
    return { ...defaultLimits, ...this.#options.settings().limits };
  }

  /**
   * Sends a message, or queues it while a reply is running. Resolves with the assistant's message when the reply has
   * ended, whatever its outcome. If there is no reply, it resolves with the user's message, whose status is `failed`.
   * The text may be the answer to an open question of the agent. The promise then resolves with the reply that has asked, also if that
   * runs in another tab. A message with `sameAgentAs`, such as the text of a button, never answers a question.
   *
   * Rejects with a ChatError if there is nothing to send, the text is too long, or no endpoint is set. This is checked after the
   * storage was read and the user has consented. A message with a refused file stays as `failed`, with an error event.
   *
   * @throws ChatError for an attachment without data and address.
   */
  send(input: SendInput, options: SendMessageOptions = {}): Promise<ChatMessage> {
    const message = toUserMessage(input, options.sameAgentAs && this.#turns.withAuthor(options.sameAgentAs));
    const files = filesOf(input, message);
    if (files.size === 0) return this.#sender.send(message, options);
    const prepared = import('../attachments/read-files.ts').then(({ readFiles }) => readFiles(files, this.limits));
    return this.#sender.send(message, options, prepared);
  }

  /** Sends a failed message once more, with a new id and as the last message. It replaces the failed one. */
  resend(id: string): Promise<ChatMessage> {
    const found = this.store.state.thread.path.find((message) => message.id === id);
    if (!found) return Promise.reject(noMessage(id));
    const { parentId: _former, ...message } = found;
    this.#reply.elsewhere?.remove([id]);
    this.#set({ thread: removeMessage(this.store.state.thread, id) });
    return this.#sender.send(
      { ...message, id: newId(), timestamp: Date.now(), status: 'sending' },
      { sameAgentAs: message, isResent: true },
      withAllFiles(message),
    );
  }

  /** Removes a queued message and returns it. */
  unqueue(id: string): ChatMessage | undefined {
    return this.#sender.queue.takeBack(id) ?? this.#intents.takeBack(id, DROPPED);
  }

  /** Sends a waiting message before the other waiting ones. First stops the running reply, also one of another tab. */
  sendNow(id: string): void {
    this.#sender.sendNow(id);
  }

  /**
   * Stops the running reply. A reply of this tab ends immediately, and the text received so far stays. A reply of another tab ends when
   * that tab has received the request to stop it, and reports the end. Without a running reply, this cancels the first waiting intent that
   * would start one.
   */
  stop(): void {
    if (this.#reply.busy || !this.#intents.stop()) this.#reply.stop();
  }

  /**
   * Leaves the conversation. Its reply in this tab ends as `interrupted`, with an error, so that it can be resumed later. A reply of
   * another tab is not followed any more. Queued and waiting messages fail, because nobody is left to send them.
   *
   * @param forGood - nobody will resume the reply: it ends as `cancelled`, as if the user had stopped it, and no error is reported. A
   * server that has accepted a request and still works on it receives the cancel request
   */
  interrupt({ forGood = false } = {}): void {
    const queued = this.#sender.queue.clear();
    const { busy } = this.#turns;
    this.#turns.stop(forGood ? undefined : { status: 'interrupted', finish: 'error' });
    if (busy && !forGood) this.#options.hooks.error(detailOf(abandonedError()));
    this.stopFollowing();
    for (const { message } of queued) this.#sender.addUnsent({ ...message, status: 'failed' });
    this.failPending();
  }

  /** Fails all pending intents, because the user changed. */
  failPending(): void {
    this.#intents.cancel({ reason: 'left' });
  }

  /**
   * Resumes the last reply if it was interrupted or has failed, even before any of it arrived. If its protocol can't resume, the
   * reply gets an error.
   *
   * A reply that is still running, here or in another tab, is not requested again. The promise resolves when the reply has ended, in
   * whichever tab. Rejects with a ChatError if the last reply is complete or was stopped, if no endpoint is set, or with `quietly` if
   * consent is missing.
   *
   * @param quietly - started without a user action: if resuming fails, the reply stays unchanged and no error is
   * reported
   */
  resume({ quietly = false }: { readonly quietly?: boolean } = {}): Promise<ChatMessage> {
    const recipient = this.#turns.recipient;
    return this.#intents.begin<ChatMessage>({
      kind: quietly ? 'auto-resume' : 'resume',
      run: () => this.#resume(quietly, recipient),
      refuse: (refusal) => this.#refuseReply(refusal, this.messages.findLast(isOfUser), quietly),
    });
  }

  #resume(quietly: boolean, recipient: ChatSettings): Promise<ChatMessage> {
    const running = this.#reply.done;
    if (running) return running;
    const { path } = this.store.state.thread;
    const start = path.findLastIndex(isOfUser);
    const userMessage = path[start];
    const last = path.at(-1);
    const isBroken = last === userMessage || BROKEN.has(last?.status);
    if (!userMessage || !isBroken) return Promise.reject(noReply());
    if (!quietly) requireEndpoint(this.#options.settings());
    // The reply is the end of the path: messages that the page added meanwhile precede it. All its messages have a status in `BROKEN`.
    const begin = path.findIndex(({ status }, index) => index > start && BROKEN.has(status));
    const saved = last === userMessage ? [] : path.slice(begin);
    const messages = saved.map((message) => ({ ...message, status: 'streaming' as const }));
    this.#set({ thread: { ...this.store.state.thread, path: path.slice(0, path.length - saved.length) } });
    const restored = { messages, saved, begin: 'resume', quietly } as const;
    const resumed = this.#turns.restore(userMessage, restored, this.#turns.formerRecipient(recipient));
    // Messages sent meanwhile waited for a resume that the user did not ask for. They are sent whatever its outcome.
    if (quietly) void resumed.then(this.#continueQueue, this.#continueQueue);
    return resumed;
  }

  /** Generates a reply again, as a branch next to the old one. Default: the last reply. */
  regenerate(id?: string): Promise<ChatMessage> {
    const recipient = this.#turns.recipient;
    return this.#intents.begin<ChatMessage>({
      kind: 'regenerate',
      run: () => this.#regenerate(id, recipient),
      refuse: (refusal) => this.#refuseReply(refusal, this.#answeredMessage(id)),
    });
  }

  /** The user message that the given reply answers. Default: the last reply. */
  #answeredMessage(id: string | undefined): ChatMessage | undefined {
    const messages = this.#startedMessages;
    const end = id === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === id);
    return messages.slice(0, end + 1).findLast(isOfUser);
  }

  #regenerate(id: string | undefined, recipient: ChatSettings): Promise<ChatMessage> {
    const userMessage = this.#answeredMessage(id);
    if (!userMessage) throw noMessage(id);
    requireEndpoint(this.#options.settings());
    const reply = this.#replyTo(userMessage);
    this.#end();
    this.#set({ thread: truncateAfter(this.store.state.thread, userMessage.id) });
    const to = this.#turns.formerRecipient(recipient);
    return this.#turns.begin(userMessage, { to, fork: { by: 'regenerate', reply } });
  }

  /** The last message of the agent between a message of the user and the next one. */
  #replyTo(userMessage: ChatMessage): ChatMessage | undefined {
    const after = this.#startedMessages.slice(this.#startedMessages.indexOf(userMessage) + 1);
    const next = after.findIndex(isOfUser);
    return after.slice(0, next < 0 ? undefined : next).findLast(({ role }) => role === 'assistant');
  }

  /** Resends a user message with a new text, as a branch next to the old one. */
  edit(id: string, text: string, { origin }: Pick<SendMessageOptions, 'origin'> = {}): Promise<ChatMessage> {
    const before = this.#userMessage(id);
    const recipient = this.#turns.recipient;
    return this.#intents.begin<ChatMessage>({
      kind: 'edit',
      prepared: before && withAllFiles(before),
      messages: before ? [editUserMessage(before, text)] : [],
      run: ([shown]) => this.#edit(id, text, shown, recipient, origin),
      refuse: (refusal, [shown = completeMessage({ role: 'user', text })]) => {
        // The composer may belong to another user or conversation by now, so it does not get the text back.
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
    recipient: ChatSettings,
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
    const allowed = this.#turns.askPage(edited, recipient);
    if (!allowed) return restoreDraft(edited, origin);
    const reply = this.#replyTo(before);
    this.#end();
    this.#set({ thread: appendMessages(truncateAfter(this.store.state.thread, before.parentId), [edited]) });
    return this.#turns.begin(edited, { to: allowed.to, fork: { by: 'edit', reply } });
  }

  /** The result of an intent that was refused, so that no reply is requested: the user message as `failed`, or a rejection. */
  #refuseReply(refusal: IntentRefusal, userMessage: ChatMessage | undefined, quietly = false): Promise<ChatMessage> {
    if (refusal.reason === 'error' && !quietly) return Promise.reject(toChatError(refusal.error));
    return userMessage && !quietly ? Promise.resolve({ ...userMessage, status: 'failed' }) : Promise.reject(noReply());
  }

  /**
   * Shows another branch. Queued messages were written for the previous branch: they return to the composer. Those that do not
   * come from the composer stay in the previous branch, as `failed`.
   */
  selectBranch(id: string, index: number): void {
    const queued = this.#sender.queue.clear();
    this.#end();
    for (const { message, origin } of queued) {
      if (origin) origin.restoreDraft(message);
      else this.#sender.addUnsent({ ...message, status: 'failed' });
    }
    this.#set({ thread: selectBranch(this.store.state.thread, id, index) });
  }

  /** The permanent tool approvals. */
  get approvals(): Approvals {
    return this.#turns.approvals;
  }

  /**
   * Answers a pending action of the agent. A second answer and an unknown block have no effect. Rejects if neither an endpoint nor
   * an agent is set, and if the answer to a restored question can't be sent.
   */
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): Promise<void> {
    return this.#intents.begin({
      kind: 'respond',
      run: () => {
        requireEndpoint(this.#options.settings());
        return this.#reply.respond(blockId, decision, options);
      },
      // The action stays pending.
      refuse: rejectError,
    });
  }

  /**
   * Stores the user's rating of a message and sends it to the server if the protocol supports that; `undefined` removes
   * the rating. It is shown before the request, when the guards have passed. If the request fails, the rating that the server last
   * accepted is shown again, unless it was changed meanwhile.
   *
   * Rejects with a ChatError for a network failure and for any status other than 2xx.
   */
  rate(id: string, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): Promise<void> {
    return this.#intents.begin({
      kind: 'rate',
      run: async () => {
        const isSameUser = this.#turns.watchUser();
        this.#ratings ??= import('./earlier-reply-chunk.ts').then(
          ({ Ratings }) => new Ratings(this.store, this.#turns),
        );
        await (await this.#ratings).rate(id, feedback, isSameUser);
      },
      refuse: rejectError,
    });
  }

  /** Internals for modules that are loaded on demand: requests of MCP Apps, and moving messages to another conversation. */
  get parts(): SideRequestContext & { readonly turns: TurnController; readonly sender: MessageSender } {
    return { intents: this.#intents, turns: this.#turns, hooks: this.#options.hooks, sender: this.#sender };
  }

  /** Adds a message of the page without sending it. It is pending while the conversation is being restored or earlier intents wait. */
  addMessage(input: MessageInput): ChatMessage {
    const message = this.#normalize([input])[0] ?? completeMessage(input);
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
    const change = (message: ChatMessage): ChatMessage => patchMessage(message, patch);
    this.#sender.queue.change(id, change);
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
    const elsewhere = this.#reply.elsewhere;
    const turnId = this.#reply.turnId;
    if (ids.some((id) => id === turnId || run?.messages.some((message) => message.id === id))) this.#end();
    elsewhere?.remove(ids);
    this.#set({ thread: remove(this.store.state.thread) });
  }

  /** Undoes `removeMessages()`, also in the tab with the running reply. */
  putBack(deleted: readonly DeletedMessage[], putBack: (thread: Thread) => Thread): void {
    this.#reply.elsewhere?.putBack(deleted);
    this.#set({ thread: putBack(this.store.state.thread) });
  }

  /**
   * Applies a change that was made in a tab that follows this one.
   *
   * @param update - returns the thread with the changed and new messages
   * @param older - older messages that are added at the start
   */
  applyUpdate(update: (thread: Thread) => Thread, older: readonly ChatMessage[] = []): void {
    this.#set({ thread: update(this.store.state.thread) });
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
   * Ends the running reply immediately. If it runs in another tab, that tab is asked to stop it and is not followed any more. The part
   * received so far stays at the end of the current branch.
   */
  #end(): void {
    this.#reply.stop();
    this.stopFollowing();
  }

  /**
   * Detaches the conversation from the other tab, whose reply may continue there.
   * @param mayContinue - this tab may continue the reply, so that the promise of the reply stays pending
   */
  stopFollowing(options?: { readonly mayContinue: boolean }): void {
    this.#reply.leave(options);
  }

  /** The messages of the current branch, including the running reply, without queued and pending ones. */
  get #startedMessages(): readonly ChatMessage[] {
    const { thread, run } = this.store.state;
    return [...thread.path, ...(run?.messages ?? [])];
  }

  readonly #continueQueue = (): void => {
    if (!this.#turns.busy) this.#sender.sendNext();
  };
}

/** Checks that the files of a failed message can be sent. Undefined if there is nothing to check. */
const withAllFiles = (message: ChatMessage): Promise<(sent: ChatMessage) => ChatMessage> | undefined =>
  message.status === 'failed' && message.blocks.some(({ type }) => type === 'file')
    ? import('../attachments/read-files.ts').then(({ requireFiles }) => requireFiles(message))
    : undefined;

const noMessage = (id = ''): ChatError => new ChatError('protocol', `There is no message "${id}".`);
const noReply = (): ChatError => new ChatError('protocol', 'There is no reply to resume.', { reason: 'no-resume' });

/** Statuses of replies that can be resumed. `streaming`: the page was left before the reply ended. */
const BROKEN = new Set<ChatMessage['status'] | undefined>(['interrupted', 'error', 'streaming']);
