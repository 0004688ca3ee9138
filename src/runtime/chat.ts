/**
 * The conversation as it runs: what a widget calls, and what outlives it. It knows no element; whoever shows it subscribes to
 * its store.
 */
import { isPageAgent } from '../agents/page-agent.ts';
import type { Outcome } from '../conversation/run.ts';
import { addMessages, changeMessage, cutBehind, removeMessage, selectBranch } from '../conversation/thread.ts';
import { sameMessages, type MessageInput } from '../conversation/fill-message.ts';
import { ChatError } from '../errors.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import { createMessagesSelector, initialState, statusOf, type ChatState, type ChatStatus } from './chat-state.ts';
import type { ChatHooks, RespondOptions } from './hooks.ts';
import type { Job, JobOptions } from './job.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { newId } from './new-id.ts';
import type { ChatSettings } from './settings.ts';
import { createStore, type Store } from './store.ts';
import { fill, toUserMessage, type SendInput } from './user-message.ts';

export interface ChatOptions {
  /** The settings as they are now. */
  settings(): ChatSettings;
  readonly hooks: ChatHooks;
  readonly protocols: ProtocolRegistry;
  /** What runs a turn: fetched when the first one begins. */
  loadRunner(): Promise<(options: JobOptions) => Job>;
}

interface Waiting {
  readonly message: ChatMessage;
  readonly resolve: (message: ChatMessage) => void;
}

interface Starting {
  readonly turnId: string;
  readonly done: Promise<ChatMessage>;
  stop(outcome?: Outcome): void;
}

export class Chat {
  readonly store: Store<ChatState> = createStore(initialState);
  readonly #options: ChatOptions;
  readonly #select = createMessagesSelector();
  /** What was found for each endpoint. */
  readonly #found = new Map<string, string>();
  #job: Job | undefined;
  /** A turn that waits for its runner. */
  #starting: Starting | undefined;
  #waiting: readonly Waiting[] = [];
  #threadId = newId();

  constructor(options: ChatOptions) {
    this.#options = options;
  }

  get messages(): readonly ChatMessage[] {
    return this.#select(this.store.state);
  }

  /** Replaces the conversation, after stopping a running reply. Equal messages change nothing. */
  set messages(inputs: readonly MessageInput[]) {
    if (sameMessages(inputs, this.messages)) return;
    this.#dropWaiting();
    this.stop();
    this.#set({ thread: addMessages({ path: [], hidden: [] }, inputs.map(fill)) });
  }

  get status(): ChatStatus {
    return statusOf(this.store.state);
  }

  get threadId(): string {
    return this.#options.settings().threadId ?? this.#threadId;
  }

  get limits(): Limits {
    return { ...defaultLimits, ...this.#options.settings().limits };
  }

  /**
   * Sends a message, or queues it while a reply is running. Resolves with the assistant's message when the reply has ended,
   * however it ended.
   *
   * @throws ChatError for a caller's mistake: nothing to send, too much of it, or no endpoint.
   */
  async send(input: SendInput, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ChatMessage> {
    const message = toUserMessage(input);
    this.#check(message);
    if (!this.#options.hooks.beforeSend(message)) return message;
    const question = this.#openQuestion();
    if (question && this.#job) {
      this.respond(question.id, 'answered', { payload: textOf(message) });
      return this.#job.done;
    }
    const stop = (): void => {
      this.#abortSend(message.id);
    };
    signal?.addEventListener('abort', stop);
    const reply = this.#busy ? this.#enqueue(message) : this.#begin(message);
    if (signal?.aborted) stop();
    try {
      return await reply;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Takes a queued message back. */
  unqueue(id: string): ChatMessage | undefined {
    const entry = this.#waiting.find(({ message }) => message.id === id);
    if (!entry) return undefined;
    this.#setWaiting(this.#waiting.filter((other) => other !== entry));
    entry.resolve({ ...entry.message, status: 'failed' });
    return entry.message;
  }

  /** Ends the running reply at once. What has arrived stays. */
  stop(): void {
    (this.#job ?? this.#starting)?.stop();
  }

  /** Ends the running reply as one that the reader did not end. */
  interrupt(): void {
    (this.#job ?? this.#starting)?.stop({ status: 'interrupted', finish: 'error' });
  }

  /** Makes a reply anew, as a branch beside the old one. Without an id it is the last one. */
  regenerate(id?: string): Promise<ChatMessage> {
    const { thread, run } = this.store.state;
    const messages = [...thread.path, ...(run?.messages ?? [])];
    const end = id === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === id);
    const turn = messages.slice(0, end + 1).findLast((message) => message.role === 'user');
    if (!turn) return Promise.reject(new ChatError('protocol', `There is no reply "${id ?? ''}" to make anew.`));
    this.stop();
    this.#set({ thread: cutBehind(this.store.state.thread, turn.id) });
    return this.#reply(turn);
  }

  /** Sends a message of the reader with other words, as a branch beside the old one. */
  async edit(id: string, text: string): Promise<ChatMessage> {
    const { path } = this.store.state.thread;
    const before = path.find((message) => message.id === id && message.role === 'user');
    if (!before) throw new ChatError('protocol', `There is no message "${id}" of the reader.`);
    const attachments = before.blocks.filter((block) => block.type !== 'content');
    const message = { ...toUserMessage(text), ...(before.parentId !== undefined && { parentId: before.parentId }) };
    const edited: ChatMessage = { ...message, blocks: [...message.blocks, ...attachments] };
    this.#check(edited);
    if (!this.#options.hooks.beforeSend(edited)) return edited;
    this.stop();
    this.#set({ thread: addMessages(cutBehind(this.store.state.thread, before.parentId), [edited]) });
    return this.#reply(edited);
  }

  selectBranch(id: string, index: number): void {
    this.stop();
    this.#set({ thread: selectBranch(this.store.state.thread, id, index) });
  }

  /** Answers what the agent waits for. A second answer, or one to nothing, does nothing. */
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): void {
    this.#job?.respond(blockId, decision, options);
  }

  addMessage(input: MessageInput): ChatMessage {
    const message = fill(input);
    this.#set({ thread: addMessages(this.store.state.thread, [message]) });
    return message;
  }

  updateMessage(id: string, patch: Partial<MessageInput>): void {
    this.#set({ thread: changeMessage(this.store.state.thread, id, (message) => fill({ ...message, ...patch, id })) });
  }

  removeMessage(id: string): void {
    this.#set({ thread: removeMessage(this.store.state.thread, id) });
  }

  /** An empty conversation. */
  clear(): void {
    this.#dropWaiting();
    this.stop();
    this.#threadId = newId();
    this.#set({ thread: initialState.thread });
  }

  #set(change: Partial<ChatState>): void {
    this.store.set({ ...this.store.state, ...change });
  }

  #check(message: ChatMessage): void {
    const { agents = [], endpoint } = this.#options.settings();
    const text = textOf(message);
    const { inputLength } = this.limits;
    if (
      message.blocks.length === 0 ||
      (text.trim() === '' && message.blocks.length === 1 && message.blocks[0]?.type === 'content')
    ) {
      throw new ChatError('protocol', 'There is nothing to send.', { reason: 'empty-input' });
    }
    if (text.length > inputLength) {
      throw new ChatError('limit', `The message is longer than ${String(inputLength)} characters.`, {
        reason: 'input-too-long',
        values: { limit: inputLength },
      });
    }
    if (!endpoint && agents.length === 0) {
      throw new ChatError('network', 'There is no endpoint: set the attribute "endpoint".', { reason: 'no-endpoint' });
    }
  }

  #openQuestion(): AssistantMessageBlock | undefined {
    const blocks = this.store.state.run?.messages.flatMap((message) => message.blocks) ?? [];
    return blocks.find(
      (block) =>
        block.type === 'action' &&
        block.status === 'pending' &&
        (block.action_type === 'question' || block.action_type === 'interrupt'),
    );
  }

  #enqueue(message: ChatMessage): Promise<ChatMessage> {
    return new Promise((resolve) => {
      this.#setWaiting([...this.#waiting, { message: { ...message, status: 'queued' }, resolve }]);
    });
  }

  #setWaiting(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    this.#set({ queue: waiting.map(({ message }) => message) });
  }

  #dropWaiting(): void {
    for (const { message } of this.#waiting) this.unqueue(message.id);
  }

  #abortSend(id: string): void {
    if ((this.#job ?? this.#starting)?.turnId === id) this.stop();
    else this.unqueue(id);
  }

  /** Sends the next queued message. After a failure the queue waits: what failed once would fail again. */
  #goOn(outcome: Outcome): void {
    const [next, ...rest] = this.#waiting;
    if (!next || this.#busy || outcome.status === 'error' || outcome.status === 'interrupted') return;
    this.#setWaiting(rest);
    void this.#begin({ ...next.message, status: 'sending' }).then(next.resolve);
  }

  get #busy(): boolean {
    return this.#job !== undefined || this.#starting !== undefined;
  }

  #begin(message: ChatMessage): Promise<ChatMessage> {
    this.#set({ thread: addMessages(this.store.state.thread, [message]) });
    return this.#reply(message);
  }

  /** Begins a turn: on screen at once, on the wire as soon as what runs it is there. */
  #reply(turn: ChatMessage): Promise<ChatMessage> {
    const done = Promise.withResolvers<ChatMessage>();
    const starting: Starting = {
      turnId: turn.id,
      done: done.promise,
      stop: (outcome = { status: 'cancelled', finish: 'cancelled' }) => {
        done.resolve(this.#giveUp(turn, outcome));
      },
    };
    this.#starting = starting;
    this.#set({ stage: 'connecting', since: Date.now() });
    this.#options.loadRunner().then(
      (startJob) => {
        if (this.#starting !== starting) return;
        this.#starting = undefined;
        this.#job = startJob(this.#jobOptions(turn));
        void this.#job.done.then(done.resolve);
      },
      (cause: unknown) => {
        if (this.#starting !== starting) return;
        const message = 'A part of the widget can’t be loaded.';
        const problem = {
          type: 'error',
          status: 'error',
          content: message,
          extra: { reason: 'load', error_type: 'load', recoverable: true },
        } as const;
        done.resolve(this.#giveUp(turn, { status: 'error', finish: 'error' }, [problem]));
        this.#options.hooks.error({ kind: 'load', message, retryable: true, cause });
      },
    );
    return done.promise;
  }

  /** Ends a turn that nothing has run yet. @returns the reply */
  #giveUp(turn: ChatMessage, outcome: Outcome, blocks: NonNullable<MessageInput['blocks']> = []): ChatMessage {
    this.#starting = undefined;
    const thread = changeMessage(this.store.state.thread, turn.id, (message) =>
      message.status === 'sending' ? { ...message, status: 'failed' } : message,
    );
    const { path } = addMessages(thread, [fill({ role: 'assistant', ...outcome, blocks })]);
    this.#set({ stage: 'none', thread: { ...thread, path } });
    const ended = path.slice(-2);
    for (const message of ended) this.#options.hooks.message(message);
    queueMicrotask(() => {
      this.#goOn(outcome);
    });
    return ended.at(-1) ?? turn;
  }

  #jobOptions(turn: ChatMessage): JobOptions {
    const settings = this.#settingsNow();
    const endpoint = settings.endpoint ?? '';
    return {
      settings,
      limits: this.limits,
      protocols: this.#options.protocols,
      threadId: this.threadId,
      known: this.#found.get(endpoint),
      turn,
      store: this.store,
      hooks: this.#options.hooks,
      found: (id) => this.#found.set(endpoint, id),
      ended: (outcome) => {
        this.#job = undefined;
        // Whoever has ended it may begin another turn in its place, such as the same one anew.
        queueMicrotask(() => {
          this.#goOn(outcome);
        });
      },
    };
  }

  /** The settings, with those of the chosen agent in front where it has an endpoint of its own. */
  #settingsNow(): ChatSettings {
    const settings = this.#options.settings();
    const chosen = settings.agents?.find(({ id }) => id === settings.agent) ?? settings.agents?.[0];
    if (!chosen || isPageAgent(chosen)) return settings;
    const { endpoint, protocol = 'auto' } = chosen;
    return { ...settings, endpoint, protocol };
  }
}
