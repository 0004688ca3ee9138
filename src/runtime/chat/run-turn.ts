/**
 * Runs one turn: updates its run in the store, collects the user's answers and finishes the reply. A turn is one exchange, from a
 * message of the user to the end of its reply; each of its rounds is one request with its stream. `docs/house.md` defines these terms.
 */
import type { BlockDraft } from '../../conversation/block-list.ts';
import { closeRun } from '../../conversation/close-run.ts';
import { hasPendingAction } from '../../conversation/has-pending-action.ts';
import { mergeDeltas } from '../../conversation/merge-deltas.ts';
import { keepMetadata, continueRun, markRound, withSavedMessages } from '../../conversation/continue-run.ts';
import { nextRound, reduceRun, startRun, type RunOutcome, type Run } from '../../conversation/run.ts';
import { appendMessages, changeMessage, replaceMessage } from '../../conversation/thread.ts';
import { ChatError } from '../../errors.ts';
import { loadOnce } from '../../load-once.ts';
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { AssistantMessageBlock, Media } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { withoutSubAgents } from '../../model/own-blocks.ts';
import { withAuthorRole } from '../../model/spoken-by.ts';
import { textOf } from '../../model/message-text.ts';
import type { Adapter, Answer, Fork, Warning } from '../../protocols/core/adapter.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import { refuseMedia } from '../../safety/media-policy.ts';
import type { Approvals } from '../approvals.ts';
import { sendCancelRequest } from './send-cancel-request.ts';
import type { ChatState, Store } from './chat-state.ts';
import { deferred } from '../deferred.ts';
import type { ChatHooks, RespondOptions } from '../chat-hooks.ts';
import type { Limits } from '../limits.ts';
import { newId } from '../new-id.ts';
import { QuestionIds } from '../question-ids.ts';
import {
  agentKeyOf,
  messagesFor,
  agentIdOf,
  withoutOthersServerData,
  type Recipient,
  type ReplyAuthors,
} from './reply-authors.ts';
import { pageAgentOf } from '../tools/chosen-page-agent.ts';
import { detailOf, toChatError, warnOfPageError } from '../error-detail.ts';
import { agentProblem, errorEvent } from '../reply-errors.ts';
import type { Redactor } from '../masking/redact-for-sending.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { contentSize } from '../stream/resume-stream.ts';
import { adapterFor, endpointAddress, isReplyGone } from '../stream/request-with-retries.ts';
import type { Tracer } from '../tracer.ts';
import type { RetryWait } from '../reply-context.ts';
import type { TurnStart, TurnContext } from '../turn-context.ts';
import {
  isAccepted,
  stageOf,
  transition,
  type TurnEffect,
  type TurnEnd,
  type TurnEvent,
  type TurnState,
} from './turn-state.ts';
import { settingsOfEndpoint, type TurnSettings } from './settings-of-endpoint.ts';
import { runRounds } from './turn-loop.ts';
import { TurnAnswers, type AnsweredTurn } from '../answers/turn-answers.ts';
import { addWebMcpTools } from '../tools/add-webmcp-tools.ts';

export interface RunningTurnOptions {
  /** The settings for the agent that replies. */
  readonly settings: ChatSettings;
  /** The page's settings when the message was sent, or when its question was restored. */
  readonly before: ChatSettings;
  /** Returns the page's current settings. */
  latest(): ChatSettings;
  /** Whether another user has signed in since the turn began. */
  isUserChanged(): boolean;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  /** Id of the protocol that has read an earlier reply of this endpoint. */
  readonly knownProtocol: string | undefined;
  /** Id of the agent that replies. */
  readonly agentId: string | undefined;
  readonly authors: ReplyAuthors;
  /** The user message. It is the last message of the thread when the turn begins; the page may append others meanwhile. */
  readonly userMessage: ChatMessage;
  /** Set if the reply is regenerated or the user message was edited. */
  readonly fork?: Fork | undefined;
  /** A reply that started earlier: its messages, and how it continues. */
  readonly restored?: RestoredReply | undefined;
  /** For a reply that is resumed: returns the run as it was when its last round began. */
  readonly withoutLastRound?: ((run: Run) => Run) | undefined;
  readonly store: Store<ChatState>;
  readonly hooks: ChatHooks;
  /** Resolves when the view can show the reply. */
  readonly viewReady?: (() => Promise<unknown>) | undefined;
  /** Permanent tool approvals. */
  readonly approvals: Approvals;
  /** Called when the endpoint's protocol has read a reply, whether it was detected or configured. */
  protocolDetected(protocol: string): void;
  ended(outcome: RunOutcome): void;
}

export interface RestoredReply {
  readonly messages: readonly ChatMessage[];
  /** The messages before the resume. They stay unchanged if the server has nothing more to send. If empty, the error becomes the reply. */
  readonly saved: readonly ChatMessage[];
  readonly begin: Exclude<TurnStart, 'send'>;
  /**
   * The turn was started without a user action. If the server accepts no request, `saved` stays unchanged and no error is reported. If
   * `saved` is empty, the error becomes the reply.
   */
  readonly quietly?: boolean;
}

export interface RunningTurn {
  /** Id of the user message. */
  readonly turnId: string;
  readonly done: Promise<ChatMessage>;
  /** Resolves when the turn waits for an answer, or has ended. */
  readonly askedOrEnded: Promise<unknown>;
  /** Ends the reply on screen immediately, then closes the connection. Default outcome: stopped by the user. */
  stop(outcome?: RunOutcome): void;
  change(id: string, change: (message: ChatMessage) => ChatMessage): void;
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions): void;
  /** Rejects if the answer to a restored question can't be sent, because nobody knows the protocol yet. */
  checkAnswerable(): Promise<void>;
  /** Whether the reply comes from this agent at this endpoint. */
  isOf(agent: Pick<Recipient, 'endpoint' | 'agentId'>): boolean;
}

/** Loaded on demand, because few pages set `redact`. */
export const loadRedaction = loadOnce(() => import('../masking/redact-for-sending.ts'));

/** Masks keys in an error of the page's code, such as an agent in the page. Each error that is not a `ChatError` counts as one. */
async function withoutPageKeys(error: unknown): Promise<unknown> {
  if (error instanceof ChatError && error.reason !== 'page-function') return error;
  const errors = await import('../request/request-errors.ts').catch(() => undefined);
  return errors ? errors.withoutKeys(error) : error;
}

/** Starts a turn. The turn's own promise never rejects: an error is part of the reply. */
export function startTurn(options: RunningTurnOptions): RunningTurn {
  const turn = new TurnRunner(options);
  turn.start();
  return turn;
}

/** Performs a turn. Its states are in `turn-state.ts`; everything else that changes is a field here. */
class TurnRunner implements TurnContext, AnsweredTurn, RunningTurn {
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  readonly turnId: string;
  readonly trace: Tracer | undefined;
  readonly #options: RunningTurnOptions;
  readonly #abortController = new AbortController();
  readonly #done = deferred<ChatMessage>();
  readonly #asked = deferred<undefined>();
  readonly answers: TurnAnswers;
  /** Applies the page's `redact`. Undefined if the page has not set it, or until the module is loaded. */
  #redactor: Redactor | undefined;
  readonly #agentId: string | undefined;
  readonly #firstReply: ChatMessage;
  readonly #initialRun: Run;
  /**
   * Ids are numbered, so that replaying a reply produces the same ids and the page keeps its DOM nodes. A turn that continues a
   * restored reply has another prefix, so new blocks never have the id of a restored one.
   */
  readonly #idPrefix: string;
  #idCount = 0;
  readonly #questionIds = new QuestionIds();
  #state: TurnState;
  readonly #ownSettings: TurnSettings;
  /** The settings in `#ownSettings`, with the WebMCP tools that the page has registered with the browser. */
  #settings: ChatSettings;
  #knownProtocol: string | undefined;
  #adapter: Adapter | undefined;
  /** Whether the reply comes from an agent in the page. `signal` stops it, without a cancel request. */
  #isInPage = false;
  /** The state at the start of this round, to which `restart()` returns. */
  #roundStart: { readonly run: Run; readonly idCount: number };
  /** Whether this round resumes a restored reply. */
  #isResumedRound: boolean;
  /** The state before the last restart of this round that discarded content. */
  #beforeRestart: { readonly run: Run; readonly idCount: number } | undefined;
  /** Whether a part of the reply could not be read. */
  #hasUnreadablePart = false;
  /** The messages before the resume, with the changes that the page has made since. */
  #saved: readonly ChatMessage[];
  /** With the `poll` setting: keeps a question answered that a response still reports as open, because the server has no answer yet. */
  #keepAnswers: ((run: Run) => Run) | undefined;

  constructor(options: RunningTurnOptions) {
    const { userMessage, restored } = options;
    this.#state = { phase: restored?.begin === 'wait' ? 'parked' : 'connecting', accepted: false };
    // After its end, a turn sends only a cancel request. If another user has signed in, that request must not contain the new user's key.
    this.#ownSettings = settingsOfEndpoint(options.settings, options.before, () =>
      this.isOver && options.isUserChanged() ? options.before : options.latest(),
    );
    const { settings } = this.#ownSettings;
    const agentId = agentIdOf(options.agentId, settings);
    this.#agentId = agentId;
    this.#saved = restored?.saved ?? [];
    this.#options = options;
    this.#settings = settings;
    this.#knownProtocol = options.knownProtocol;
    this.limits = options.limits;
    this.protocols = options.protocols;
    this.threadId = options.threadId;
    this.turnId = userMessage.id;
    this.trace = options.hooks.trace?.(userMessage);
    this.#firstReply = {
      id: newId(),
      role: 'assistant',
      status: 'streaming',
      blocks: [],
      timestamp: Math.max(Date.now(), userMessage.timestamp),
      parentId: userMessage.id,
      ...(agentId !== undefined && { agentId }),
    };
    this.#idPrefix = restored ? newId() : this.#firstReply.id;
    this.#initialRun =
      restored && restored.messages.length > 0 ? continueRun(restored.messages) : startRun(this.#firstReply);
    this.#isResumedRound = restored?.begin === 'resume';
    const run = (this.#isResumedRound && options.withoutLastRound?.(this.#initialRun)) || this.#initialRun;
    this.#roundStart = { run, idCount: 0 };
    this.answers = new TurnAnswers(this);
  }

  start(): void {
    this.#perform({ type: 'mark', status: 'sending' });
    this.#set({ ...stageOf(this.#state), run: this.#initialRun, since: Date.now() });
    this.#reply().then(
      (outcome) => {
        const problem = outcome.status === 'error' ? agentProblem(this.run()) : undefined;
        if (this.#finish(outcome, { byServer: true }) && problem) this.#options.hooks.error(problem);
      },
      async (cause: unknown) => {
        await this.viewReady?.();
        this.#fail(await withoutPageKeys(cause));
      },
    );
  }

  get done(): Promise<ChatMessage> {
    return this.#done.promise;
  }

  get askedOrEnded(): Promise<unknown> {
    return Promise.race([this.#asked.promise, this.done]);
  }

  get settings(): ChatSettings {
    return this.#settings;
  }

  get viewReady(): (() => Promise<unknown>) | undefined {
    return this.#options.viewReady;
  }

  get signal(): AbortSignal {
    return this.#abortController.signal;
  }

  /** After the first round: the protocol that has read it. It applies to the later rounds of this turn. */
  get knownProtocol(): string | undefined {
    return this.#knownProtocol;
  }

  get adapter(): Adapter | undefined {
    return this.#adapter;
  }

  readonly silenceFrom = (): number =>
    hasPendingAction(this.run().messages) ? performance.now() : this.answers.answeredAt;

  /** The messages to send. A message labelled "Not sent" (`failed`), for example after a rejection, is sent only by its own turn. */
  conversation(): readonly ChatMessage[] {
    const sent = this.#store.state.thread.path.filter(({ id, status }) => status !== 'failed' || id === this.turnId);
    return messagesFor([...sent, ...this.run().messages], this.#recipient, this.turnId)
      .map(withoutSubAgents)
      .map(withAuthorRole)
      .map(this.redaction.message);
  }

  /** @throws {ChatError} if `redact` is set but not loaded yet, because nothing may be sent unredacted */
  get redaction(): Redactor {
    if (this.#redactor) return this.#redactor;
    if (this.#settings.redact) throw new ChatError('load', '`redact` is not applied yet.');
    return UNREDACTED;
  }

  run(): Run {
    // After the end of this turn, the store has the run of the next one.
    return (!this.signal.aborted && this.#store.state.run) || this.#initialRun;
  }

  dispatch(events: readonly LLMAgentEvent[], callBlockId?: string): void {
    // With tracing on, events are applied one by one, so that the inspector shows the effect of each.
    const merged = this.trace ? events.map((event) => ({ event, originals: [event] })) : mergeDeltas(events);
    for (const { event, originals } of merged) {
      if (this.isOver) return;
      const before = this.run();
      const reduced = reduceRun(before, event, { ...this.#reduceContext(), callBlockId });
      const next = this.#keepAnswers?.(reduced) ?? reduced;
      this.trace?.event(event, before, next);
      this.#apply({ type: 'content' }, next);
      this.answers.streamed();
      if (event.type === 'response' && event.data.state) {
        this.#set({ agentState: event.data.state.value });
        this.#options.hooks.state(event.data.state.value);
      }
      // A result may belong to a call of an earlier message.
      const changed = next.messages.findLast((message, index) => message !== before.messages[index]);
      const message = changed ?? next.messages[next.current];
      if (message) this.#emit(originals, message);
      if (event.type === 'response' && event.data.tool_call === 'permission-required') this.answers.grantApproved();
    }
  }

  restart(keepAnswers?: (run: Run) => Run): void {
    const { run, idCount } = this.#roundStart;
    if (this.#hasNewContent()) this.#beforeRestart = { run: this.run(), idCount: this.#idCount };
    this.#idCount = idCount;
    this.#keepAnswers = keepAnswers;
    if (!keepAnswers) this.answers.discard();
    this.trace?.restart();
    this.#set({ run: keepMetadata(run, this.run(), this.#hasUnreadablePart ? UNREADABLE : {}) });
  }

  async listTools(): Promise<void> {
    const { settings, tools } = this.#ownSettings;
    this.#settings = await addWebMcpTools({ ...settings, ...tools() });
  }

  nextRound(): void {
    this.answers.markSent();
    const next = nextRound(this.run());
    const run = this.#adapter?.resumesRound ? markRound(next) : next;
    this.#roundStart = { run, idCount: this.#idCount };
    this.#beforeRestart = this.#keepAnswers = undefined;
    this.#isResumedRound = false;
    this.trace?.round();
    this.#apply({ type: 'content' }, run);
  }

  warn(warning: Warning): void {
    const { hooks } = this.#options;
    hooks.warning(warning);
    this.trace?.warning(warning);
    if (this.#hasUnreadablePart || warning.kind === 'unknown') return;
    this.#hasUnreadablePart = true;
    this.dispatch([{ type: 'response', data: { eventId: newId(), metadata: UNREADABLE } }]);
    hooks.error({
      kind: 'protocol',
      message: `Part of the answer could not be used: ${warning.detail}`,
      retryable: false,
    });
  }

  adapterSelected(used: Adapter): void {
    this.#adapter = used;
    this.trace?.protocol(used.id);
  }

  protocolDetected(used: Adapter): void {
    this.#knownProtocol = used.id;
    this.#options.protocolDetected(used.id);
    this.#set({ protocol: used.id });
  }

  accepted(used?: Adapter): void {
    this.#adapter = used;
    this.#apply({ type: 'accepted' });
  }

  isRestored(blockId: string): boolean {
    // A server that sends a round again may send its calls with new ids and other arguments. Therefore the tool names are compared.
    const tool = this.#isResumedRound && toolOf(blocksOf(this.run()).find(({ id }) => id === blockId));
    return blocksOf(this.#initialRun).some(
      (block) => block.id === blockId || (typeof tool === 'string' && toolOf(block) === tool),
    );
  }

  waitingForRetry(wait: RetryWait | undefined): void {
    this.#apply(wait ? { type: 'wait', wait } : { type: 'attempt' });
  }

  queued(): Promise<undefined> {
    return new Promise((resolve) => {
      const check = (): void => {
        const isQueued = this.#store.state.queue.length > 0 && hasPendingAction(this.run().messages);
        if (!isQueued && !this.isOver) return;
        unsubscribe();
        resolve(undefined);
      };
      const unsubscribe = this.#store.subscribe(check);
      check();
    });
  }

  stop(outcome: RunOutcome = { status: 'cancelled', finish: 'cancelled' }): void {
    this.#finish(outcome);
  }

  change(id: string, change: (message: ChatMessage) => ChatMessage): void {
    const run = this.run();
    const messages = changeMessage(run.messages, id, change);
    if (messages !== run.messages) this.#set({ run: { ...run, messages } });
    this.#saved = changeMessage(this.#saved, id, change);
  }

  respond(blockId: string, decision: Answer['decision'], response: RespondOptions): void {
    this.answers.respond(blockId, decision, response);
  }

  async checkAnswerable(): Promise<void> {
    // The request for an unknown protocol has no field for an answer. Without an endpoint, the reply fails instead.
    if (this.#adapter || this.#isInPage || !this.#settings.endpoint) return;
    if (await adapterFor(this, endpointAddress(this.#settings))) return;
    throw new ChatError('protocol', 'Set "protocol" to answer.', { reason: 'unexpected' });
  }

  get isStreaming(): boolean {
    return this.#state.phase === 'streaming';
  }

  get approvals(): Approvals {
    return this.#options.approvals;
  }

  setRun(run: Run): void {
    this.#set({ run });
  }

  asked(run: Run): void {
    this.#apply({ type: 'question' }, run);
    this.#asked.resolve(undefined);
  }

  answered(): void {
    this.#apply({ type: 'answer' });
  }

  get #store(): Store<ChatState> {
    return this.#options.store;
  }

  get isOver(): boolean {
    return this.#state.phase === 'done';
  }

  #reduceContext() {
    return {
      newId: (draft?: BlockDraft) => this.#nextId(draft),
      refuseMedia: (media: Media) => refuseMedia(media, this.limits),
      now: Date.now(),
    };
  }

  /**
   * After a restart, the same content gets the same ids. The id of a question depends on its content, not on its position in the reply:
   * an answer that the user has just given must not apply to another question.
   */
  #nextId(draft?: BlockDraft): string {
    const id = `${this.#idPrefix}.${String(++this.#idCount)}`;
    if (draft?.type !== 'action') return id;
    const used = new Set(this.run().messages.flatMap((message) => message.blocks.map((block) => block.id)));
    return this.#questionIds.next(JSON.stringify(draft), used, id);
  }

  /** Updates the store. Changes after the end of the reply are ignored. */
  #set(change: Partial<ChatState>): void {
    if (this.isOver) return;
    if (change.run) this.trace?.messages(change.run.messages);
    this.#store.set({ ...this.#store.state, ...change });
  }

  /** Moves the turn to its next state and sets the run in the same store update. Then performs the effects. */
  #apply(event: TurnEvent, run?: Run): void {
    if (this.isOver) return;
    const [state, ...effects] = transition(this.#state, event);
    this.#state = state;
    this.#set({ ...stageOf(state), ...(run && { run }) });
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: TurnEffect): void {
    switch (effect.type) {
      case 'mark':
        this.#markUserMessage(effect.status);
        break;
      case 'cancel':
        void this.#cancelOnServer();
        break;
      case 'settle':
        this.#settle(effect.end);
    }
  }

  #markUserMessage(status: ChatMessage['status']): void {
    // An accepted message stays `complete`, because later requests may continue or regenerate its reply.
    const { restored, userMessage } = this.#options;
    if ((restored || userMessage.status === 'complete') && status !== 'complete') return;
    const { thread } = this.#store.state;
    if (thread.path.some((message) => message.id === this.turnId && message.status === status)) return;
    this.#set({ thread: replaceMessage(thread, this.turnId, (message) => ({ ...message, status })) });
  }

  #emit(events: readonly LLMAgentEvent[], message: ChatMessage): void {
    for (const event of events) {
      // An event listener may end the reply.
      if (this.isOver) return;
      this.#options.hooks.event(event, message);
    }
  }

  get #recipient(): Recipient {
    return { authors: this.#options.authors, agentId: this.#agentId, endpoint: this.#settings.endpoint };
  }

  get #agentKey(): string {
    return agentKeyOf(this.#recipient);
  }

  isOf(agent: Pick<Recipient, 'endpoint' | 'agentId'>): boolean {
    return agentKeyOf(agent) === this.#agentKey;
  }

  /**
   * Identifies the agent that a permanent approval is for. Without a list of agents, `agent` names one of the endpoint's agents. On
   * some servers, `model` and fields of `body` choose the agent. Undefined if these fields are not known yet.
   */
  get approvalKey(): string | undefined {
    const { agent, model } = this.#settings;
    const key = agentKeyOf({ ...this.#recipient, agentId: this.#agentId ?? agent });
    // An agent in the page gets no `body`.
    const fields = this.#ownSettings.agentFields() ?? (this.#isInPage ? [] : undefined);
    if (!fields) return undefined;
    return model === undefined && fields.length === 0 ? key : JSON.stringify([key, model, ...fields]);
  }

  /** Produces the reply, either with an agent in the page or with requests to the endpoint. */
  async #reply(): Promise<RunOutcome> {
    const { userMessage, restored, fork } = this.#options;
    const agent = pageAgentOf(this.#settings);
    this.#isInPage = agent !== undefined;
    const { redact } = this.#settings;
    if (redact) this.#redactor = (await loadRedaction()).createRedactor(redact);
    const message = this.redaction.message(userMessage);
    // The page's `redact` function may have stopped the reply.
    if (this.isOver) return INTERRUPTED;
    if (!agent) {
      const forkToSend = fork && { ...fork, reply: fork.reply && withoutOthersServerData(fork.reply, this.#recipient) };
      const first = { text: textOf(message), threadId: this.threadId, answers: [], fork: forkToSend };
      return await runRounds(this, first, restored?.begin);
    }
    // Loaded only when needed: most pages have an endpoint instead of an agent in the page.
    const [{ runPageAgent }] = await Promise.all([import('../tools/run-page-agent.ts'), this.viewReady?.()]);
    return await runPageAgent(agent, message, this, restored);
  }

  #fail(cause: unknown): void {
    if (this.isOver) return;
    const { restored, hooks } = this.#options;
    const error = toChatError(cause);
    const hasNothingNew = isReplyGone(error) || (restored?.quietly && !isAccepted(this.#state));
    if (hasNothingNew && this.#saved.length > 0) {
      this.#finish(INTERRUPTED, { saved: this.#saved });
      return;
    }
    // A server that has forgotten the reply may answer with an empty stream. The content from before the restart is then shown again.
    const isForgotten = this.#beforeRestart !== undefined && !this.#hasNewContent();
    if (this.#beforeRestart && isForgotten) {
      this.#idCount = this.#beforeRestart.idCount;
      this.#set({ run: this.#beforeRestart.run });
    }
    warnOfPageError(error);
    this.dispatch([errorEvent(error, newId())]);
    const status = isForgotten || INTERRUPTIONS.has(error.reason) ? 'interrupted' : 'error';
    if (this.#finish({ status, finish: 'error' })) hooks.error(detailOf(error));
  }

  /** Whether this round has added content. The text of a round may continue a block of the previous one. */
  #hasNewContent(): boolean {
    return contentSize(this.run()) > contentSize(this.#roundStart.run);
  }

  /** Ends the reply. Returns whether this call ended it. */
  #finish(outcome: RunOutcome, how: Partial<Pick<TurnEnd, 'saved' | 'byServer'>> = {}): boolean {
    if (this.isOver) return false;
    const isFinished = this.run().finish !== undefined;
    const end: TurnEnd = { outcome, isFinished, saved: [], byServer: false, ...how };
    this.#apply({ type: 'end', end });
    return true;
  }

  #settle({ outcome, byServer, saved }: TurnEnd): void {
    const closed = closeRun(this.run(), outcome, this.#reduceContext()).messages;
    const ended = byServer && outcome.status === 'cancelled' ? closed.map(stoppedByServer) : closed;
    const messages = withSavedMessages(ended, saved);
    const { keysByMessage } = this.#options.authors;
    // Without an agent and an endpoint, the reply was not continued, so its author does not change.
    if (this.#isInPage || this.#settings.endpoint)
      for (const id of [this.turnId, ...messages.map(({ id }) => id)])
        keysByMessage.set(id, keysByMessage.get(id) ?? this.#agentKey);
    this.trace?.messages(messages);
    const sent = replaceMessage(this.#store.state.thread, this.turnId, (message) =>
      message.status === 'sending' || message.status === 'queued'
        ? { ...message, status: outcome.status === 'complete' ? 'complete' : 'failed' }
        : message,
    );
    const thread = appendMessages(sent, messages);
    this.#store.set({ ...this.#store.state, ...stageOf(this.#state), thread, run: undefined });
    // Needed after a complete reply too, because some servers leave the connection open.
    this.#abortController.abort();
    // The result and the listeners get the messages as they are in the thread now. `agentMayContinue` is set later, when it is known
    // whether the server has accepted the cancellation: the page finds it in `messages` only.
    const replies = thread.path.slice(sent.path.length);
    // The listeners below run first, and the next message begins. Only then does code continue that awaits the result.
    this.#done.resolve(replies.at(-1) ?? this.#firstReply);
    this.#options.ended(outcome);
    for (const message of [...sent.path.filter(({ id }) => id === this.turnId), ...replies]) {
      if (!saved.includes(message)) this.#options.hooks.message(message);
    }
  }

  async #cancelOnServer(): Promise<void> {
    if (this.#isInPage) return;
    const adapter = this.#adapter;
    const id = this.run().messages.at(-1)?.id;
    // Sent immediately: a server that knows only the conversation would otherwise cancel the next reply.
    const cancelled = adapter?.cancel && sendCancelRequest(this, adapter, this.#options);
    // A model stops when its connection closes. Any other agent may keep running; the mark tells the user so.
    if (adapter?.kind !== 'model') await markUnlessCancelled(this.#store, id, cancelled);
  }
}

/** For a page that does not redact. */
const UNREDACTED: Redactor = { message: (message) => message, answer: (answer) => answer };

/**
 * Marks a message in the thread, after its reply has ended, as one whose agent may still be working, unless the server has
 * accepted the cancellation.
 */
async function markUnlessCancelled(
  store: Store<ChatState>,
  id: string | undefined,
  isCancelled: Promise<boolean> | undefined,
): Promise<void> {
  if (id === undefined || (await isCancelled)) return;
  const mark = (message: ChatMessage): ChatMessage => ({
    ...message,
    metadata: { ...message.metadata, agentMayContinue: true },
  });
  const { path, hidden } = store.state.thread;
  // The user may have regenerated the reply meanwhile, so that it is in another branch.
  const thread = { path: changeMessage(path, id, mark), hidden: changeMessage(hidden, id, mark) };
  store.set({ ...store.state, thread });
}

/** Marks a reply as cancelled by its server, so that it is not shown as stopped by the user. */
const stoppedByServer = (message: ChatMessage): ChatMessage =>
  message.status === 'cancelled' ? { ...message, metadata: { ...message.metadata, stoppedBy: 'server' } } : message;

/** Metadata of a message of which a part could not be read. */
const UNREADABLE = { unreadable: true };

const INTERRUPTED: RunOutcome = { status: 'interrupted', finish: 'error' };

/**
 * Reasons of errors after which a reply has the status `interrupted`, not `error`: the server has not refused it. A reply whose
 * content a restart has removed gets that status after any error.
 */
const INTERRUPTIONS = new Set(['cut', 'dropped', 'stalled', 'no-answer']);

const blocksOf = ({ messages }: Run): readonly AssistantMessageBlock[] => messages.flatMap(({ blocks }) => blocks);

const toolOf = (block: AssistantMessageBlock | undefined): string | undefined =>
  block?.type === 'tool_call' ? block.tool_call.name : undefined;
