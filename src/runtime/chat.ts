/**
 * The conversation as it runs: what a widget calls, and what outlives it. It knows no element; whoever shows it subscribes to
 * its store.
 */
import type { Imported } from '../conversation/import.ts';
import { fillHistory } from '../conversation/fill-history.ts';
import { isObject, type MessageInput } from '../conversation/fill-message.ts';
import { isSame, snapshotOf } from '../conversation/same-messages.ts';
import {
  addBefore,
  addMessages,
  changeMessage,
  cutBehind,
  removeMessage,
  selectBranch,
  type Thread,
} from '../conversation/thread.ts';
import { ChatError } from '../errors.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import type { Feedback } from '../model/feedback.ts';
import type { ChatMessage } from '../model/message.ts';
import { withoutRounds } from '../model/rounds.ts';
import { partRestored, restoredRun } from '../conversation/restored-run.ts';
import { textOf } from '../model/text-of.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { Approvals } from './approvals.ts';
import { createMessagesSelector, initialState, statusOf, type ChatState, type ChatStatus } from './chat-state.ts';
import { checkMessage } from './check-message.ts';
import type { RespondOptions } from './hooks.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { newId, newIds } from './new-id.ts';
import type { Ratings } from './ratings.ts';
import { SendQueue } from './send-queue.ts';
import { createStore, type Store } from './store.ts';
import { Turns, type ChatOptions } from './turns.ts';
import { editUserMessage, fill, toUserMessage, type SendInput } from './user-message.ts';

/** What a page has assigned, and what has become of it. */
interface Given {
  readonly inputs: unknown;
  readonly messages: readonly ChatMessage[];
  /** So many older messages were put before them since then. */
  readonly older: number;
}

/** A reply that another tab has under way. */
export interface Elsewhere {
  stop(): void;
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions): void;
}

export class Chat {
  readonly store: Store<ChatState> = createStore(initialState);
  /** The id under which somebody keeps the conversation; it wins over that of the settings. */
  keptAs: string | undefined;
  readonly #options: ChatOptions;
  readonly #select = createMessagesSelector();
  readonly #turns: Turns;
  readonly #queue = new SendQueue((queue) => {
    this.#set({ queue });
  });
  #given: Given | undefined;
  #threadId = newId();
  #ratings: Promise<Ratings> | undefined;
  #elsewhere: Elsewhere | undefined;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#turns = new Turns({
      ...options,
      store: this.store,
      limits: () => this.limits,
      threadId: () => this.threadId,
      ended: ({ status }) => {
        // What failed once would fail again.
        if (status !== 'error' && status !== 'interrupted') this.#sendNext();
      },
    });
  }

  get messages(): readonly ChatMessage[] {
    return this.#select(this.store.state);
  }

  /**
   * Replaces the conversation, after stopping a running reply. A list that is equal to it changes nothing, and neither does
   * one that is equal to what was assigned last, as long as the conversation has only gone on behind that: a framework assigns
   * the same history with every rendering. To begin with that history again, `clear()` comes first.
   */
  set messages(inputs: readonly MessageInput[]) {
    if (inputs === this.messages) return;
    if (isSame(inputs, this.messages) || this.#isGiven(inputs)) return;
    const copy = snapshotOf(inputs);
    this.replace({ path: inputs, hidden: [] });
    this.#given = { inputs: copy, messages: this.messages, older: 0 };
  }

  /** Our own messages are no rendering of a page's history: they cut the conversation. */
  #isGiven(inputs: readonly MessageInput[]): boolean {
    const given = this.#given;
    if (!given || inputs.length === 0) return false;
    const { messages } = this;
    return (
      given.messages.every(
        (message, index) => message === messages[given.older + index] && message !== inputs[index],
      ) && isSame(given.inputs, inputs)
    );
  }

  /** Puts older messages before all others. Those that are there already are left out. @returns what was added */
  addOlder(inputs: readonly MessageInput[]): readonly ChatMessage[] {
    const { thread } = this.store.state;
    const taken = new Set([...this.messages, ...thread.hidden].map(({ id }) => id));
    const fresh = inputs.filter(({ id }) => id === undefined || !taken.has(id));
    const { path: older } = fillHistory({ path: fresh, hidden: [] }, { ...whole(), taken });
    if (older.length === 0) return older;
    this.#set({ thread: addBefore(thread, older) });
    if (this.#given) {
      const start = this.#given.older + older.length;
      const messages = this.messages.slice(start, start + this.#given.messages.length);
      this.#given = { ...this.#given, messages, older: start };
    }
    return older;
  }

  /** Another conversation in the place of this one, with all of its branches. */
  replace({ path, hidden }: Imported): void {
    this.#queue.clear();
    this.#end();
    this.#given = undefined;
    const messages = fillHistory({ path: path.filter(isObject), hidden }, whole());
    const { settled, waiting } = partRestored(messages.path);
    this.#set({ thread: { path: settled, hidden: messages.hidden }, agentState: undefined });
    const turn = settled.at(-1);
    if (waiting.length > 0 && turn) void this.#turns.restore(turn, { messages: waiting, begin: 'wait' });
  }

  /** The conversation with its other branches, and what is under way. */
  get thread(): Thread {
    const { thread, run, queue } = this.store.state;
    return addMessages(thread, [...(run?.messages ?? []), ...queue]);
  }

  get status(): ChatStatus {
    return statusOf(this.store.state);
  }

  get threadId(): string {
    return this.keptAs ?? this.#options.settings().threadId ?? this.#threadId;
  }

  /** A reply is under way here, or about to be. */
  get busy(): boolean {
    return this.#turns.busy;
  }

  /** The adapter that was found for the endpoint before. */
  recall(protocol: string): void {
    this.#turns.recall(protocol);
  }

  /** Shows the conversation as another tab has it, with the reply that is under way there; what is sent here waits for its end. */
  follow(thread: Thread, running: readonly ChatMessage[], stage: ChatState['stage'], elsewhere?: Elsewhere): void {
    const begins = elsewhere && !this.#elsewhere;
    this.#elsewhere = elsewhere;
    const run = running.length > 0 ? restoredRun(running) : undefined;
    this.#set({ thread, run, stage: elsewhere ? stage : 'none', ...(begins && { since: Date.now() }) });
    if (!elsewhere) this.#sendNext();
  }

  get limits(): Limits {
    return { ...defaultLimits, ...this.#options.settings().limits };
  }

  /**
   * Sends a message, or queues it while a reply is running. Resolves with the assistant's message when the reply has ended,
   * however it ended; with the reader's own message where there is no reply: as `failed` when it was taken back from the
   * queue, as it is when the page has kept it back.
   *
   * @throws ChatError for a caller's mistake: nothing to send, too much of it, or no endpoint.
   */
  async send(input: SendInput, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ChatMessage> {
    const message = toUserMessage(input);
    checkMessage(message, this.#options.settings(), this.limits);
    if (!this.#options.hooks.beforeSend(message)) return message;
    const question = this.#openQuestion();
    if (question) {
      void this.respond(question.id, 'answered', { payload: textOf(message) });
      return this.#turns.done ?? message;
    }
    const stop = (): void => {
      this.#abortSend(message.id);
    };
    signal?.addEventListener('abort', stop);
    const reply = this.#waits || !this.#queue.isEmpty ? this.#enqueue(message) : this.#begin(message);
    if (signal?.aborted) stop();
    try {
      return await reply;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Takes a queued message back. */
  unqueue(id: string): ChatMessage | undefined {
    return this.#queue.takeBack(id);
  }

  /** Sends a queued message before the others and at once: a running reply is stopped for it. */
  sendNow(id: string): void {
    if (!this.#queue.toFront(id)) return;
    if (this.#turns.busy) this.stop();
    else this.#sendNext();
  }

  /** Ends the running reply at once. What has arrived stays. */
  stop(): void {
    this.#elsewhere?.stop();
    this.#turns.stop();
  }

  /** Ends the running reply as one that the reader did not end, and drops what waits: nobody is there to send it. */
  interrupt(): void {
    this.#queue.clear();
    this.#turns.stop({ status: 'interrupted', finish: 'error' });
  }

  /**
   * Picks up a reply that broke off, where its protocol can.
   *
   * @param quietly - nobody has asked for it: where it can't be done, the reply stays as it was
   * @throws ChatError when the last reply has not broken off.
   */
  resume({ quietly = false }: { readonly quietly?: boolean } = {}): Promise<ChatMessage> {
    if (this.#turns.done) return this.#turns.done;
    const { path } = this.store.state.thread;
    const start = path.findLastIndex(({ role }) => role === 'user');
    const turn = path[start];
    const last = path.at(-1);
    const broken = last === turn || BROKEN.has(last?.status);
    if (!turn || !broken) {
      return Promise.reject(new ChatError('protocol', 'There is no reply that broke off.', { reason: 'no-resume' }));
    }
    const saved = path.slice(start + 1);
    const messages = saved.map((message) => ({ ...message, status: 'streaming' as const }));
    this.#set({ thread: { ...this.store.state.thread, path: path.slice(0, start + 1) } });
    const resumed = this.#turns.restore(turn, { messages, saved, begin: 'resume', quietly });
    // What was sent meanwhile waits for something that nobody had asked for: it goes out whatever has become of that.
    if (quietly) void resumed.then(this.#goOn, this.#goOn);
    return resumed;
  }

  /** Makes a reply anew, as a branch beside the old one. Without an id it is the last one. */
  regenerate(id?: string): Promise<ChatMessage> {
    const { thread, run } = this.store.state;
    const messages = [...thread.path, ...(run?.messages ?? [])];
    const end = id === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === id);
    const turn = messages.slice(0, end + 1).findLast((message) => message.role === 'user');
    if (!turn) return Promise.reject(new ChatError('protocol', `There is no reply "${id ?? ''}" to make anew.`));
    const reply = messages.slice(messages.indexOf(turn) + 1).findLast(({ role }) => role === 'assistant');
    this.#end();
    this.#set({ thread: cutBehind(this.store.state.thread, turn.id) });
    return this.#turns.begin(turn, { fork: { by: 'regenerate', reply } });
  }

  /** Sends a message of the reader with other words, as a branch beside the old one. */
  async edit(id: string, text: string): Promise<ChatMessage> {
    const { path } = this.store.state.thread;
    const before = path.find((message) => message.id === id && message.role === 'user');
    if (!before) throw new ChatError('protocol', `There is no message "${id}" of the reader.`);
    const edited = editUserMessage(before, text);
    checkMessage(edited, this.#options.settings(), this.limits);
    if (!this.#options.hooks.beforeSend(edited)) return edited;
    this.#end();
    this.#set({ thread: addMessages(cutBehind(this.store.state.thread, before.parentId), [edited]) });
    return this.#turns.begin(edited, { fork: { by: 'edit' } });
  }

  selectBranch(id: string, index: number): void {
    this.#end();
    this.#set({ thread: selectBranch(this.store.state.thread, id, index) });
  }

  /** The tools that need not ask any more. */
  get approvals(): Approvals {
    return this.#turns.approvals;
  }

  /** Answers what the agent waits for. A second answer, or one to nothing, does nothing. */
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions = {}): Promise<void> {
    if (!this.#turns.busy) this.#elsewhere?.respond(blockId, decision, options);
    return this.#turns.respond(blockId, decision, options);
  }

  /**
   * Notes what the reader thinks of an answer, `undefined` to take it back, and tells the server where its protocol can. What the
   * server has not taken is not kept.
   *
   * @throws ChatError for a network that fails, and for any status but 2xx.
   */
  async rate(id: string, feedback: Pick<Feedback, 'value' | 'comment'> | undefined): Promise<void> {
    this.#ratings ??= import('./ratings.ts').then(
      ({ Ratings }) => new Ratings({ store: this.store, wayTo: (message) => this.#turns.wayTo(message) }),
    );
    await (await this.#ratings).rate(id, feedback);
  }

  addMessage(input: MessageInput): ChatMessage {
    const taken = [...this.messages, ...this.store.state.thread.hidden].map(({ id }) => id);
    const { path: added } = fillHistory({ path: [input], hidden: [] }, { ...whole(), taken });
    const { path } = this.store.state.thread;
    const thread = addMessages(this.store.state.thread, added);
    this.#set({ thread });
    return thread.path[path.length] ?? fill(input);
  }

  /** Changes a message, also one of the running reply or one that waits. New words take the place of the old ones. */
  updateMessage(id: string, patch: Partial<MessageInput>): void {
    const change = (message: ChatMessage): ChatMessage => {
      const kept = patch.text === undefined ? message.blocks : message.blocks.filter(({ type }) => type !== 'content');
      const reworded = patch.text !== undefined || patch.blocks !== undefined;
      return fill({ ...(reworded ? withoutRounds(message) : message), blocks: kept, ...patch, id });
    };
    this.#queue.change(id, change);
    this.#turns.change(id, change);
    this.#set({ thread: changeMessage(this.store.state.thread, id, change) });
  }

  /** Takes a message out: one that waits is taken back, and a running reply is stopped. */
  removeMessage(id: string): void {
    if (this.unqueue(id)) return;
    if (this.store.state.run?.messages.some((message) => message.id === id)) this.#end();
    this.#set({ thread: removeMessage(this.store.state.thread, id) });
  }

  /** An empty conversation. */
  clear(): void {
    this.replace({ path: [], hidden: [] });
    this.#threadId = newId();
    if (this.keptAs !== undefined) this.keptAs = this.#threadId;
  }

  /** As `stop()`, without waiting for another tab to do it: the conversation goes on otherwise now. */
  #end(): void {
    this.stop();
    if (!this.#elsewhere) return;
    this.#elsewhere = undefined;
    const { thread, run } = this.store.state;
    this.#set({ thread: addMessages(thread, run?.messages ?? []), run: undefined, stage: 'none' });
  }

  get #waits(): boolean {
    return this.#turns.busy || this.#elsewhere !== undefined;
  }

  #set(change: Partial<ChatState>): void {
    this.store.set({ ...this.store.state, ...change });
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

  /** Behind what waits. After a failure nothing is on its way, and the queue with the new message begins to go out. */
  #enqueue(message: ChatMessage): Promise<ChatMessage> {
    const reply = this.#queue.add(message);
    if (!this.#waits) this.#sendNext();
    return reply;
  }

  #sendNext(): void {
    const next = this.#queue.next();
    if (next) void this.#begin({ ...next.message, status: 'sending' }).then(next.resolve);
  }

  #abortSend(id: string): void {
    if (this.#turns.turnId === id) this.stop();
    else this.unqueue(id);
  }

  readonly #goOn = (): void => {
    if (!this.#turns.busy) this.#sendNext();
  };

  #begin(message: ChatMessage): Promise<ChatMessage> {
    this.#set({ thread: addMessages(this.store.state.thread, [message]) });
    return this.#turns.begin(message);
  }
}

/** What messages are made whole with. */
const whole = (): { readonly now: number; readonly newId: () => string } => ({ now: Date.now(), newId: newIds() });

/** How a reply stands that may be picked up; one that was `streaming` when its page was left says so still. */
const BROKEN = new Set<ChatMessage['status'] | undefined>(['interrupted', 'error', 'streaming']);
