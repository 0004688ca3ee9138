/** Controls the current turn, from the user message to the end of its reply. */
import { isEndpointAgent, selectAgent } from '../../agents/chosen-agent.ts';
import { isPageAgent } from '../../agents/is-page-agent.ts';
import type { RunOutcome } from '../../conversation/run.ts';
import { continueRun } from '../../conversation/continue-run.ts';
import { appendMessages, changeMessage, replaceMessage } from '../../conversation/thread.ts';
import type { MessageInput } from '../../conversation/normalize-message.ts';
import { cancelOpen } from '../../conversation/unsent-answers.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import { Approvals } from '../approvals.ts';
import type { ChatState, Store } from './chat-state.ts';
import { ChatError } from '../../errors.ts';
import { deferred } from '../deferred.ts';
import { detailOf, toChatError, warnOfPageError } from '../error-detail.ts';
import type { ChatHooks, RespondOptions } from '../chat-hooks.ts';
import { endpointWithoutSecrets } from '../endpoint-without-secrets.ts';
import type { Guards } from './send-guards.ts';
import type { Queued } from './message-queue.ts';
import type { Recipient } from './reply-authors.ts';
import type { RunningTurn, RunningTurnOptions, RestoredReply } from './run-turn.ts';
import type { Limits } from '../limits.ts';
import { offlineError, untilOnline } from '../request/wait-online.ts';
import type { ChatSettings } from '../chat-settings.ts';
import type { FeedbackContext } from './send-feedback.ts';
import { completeMessage } from './user-message.ts';

export interface ChatOptions {
  /** The current settings. */
  settings(): ChatSettings;
  readonly hooks: ChatHooks;
  readonly protocols: ProtocolRegistry;
  /** Prepares each turn: loads the code that runs it, and waits until this tab may continue the conversation, which may take minutes. */
  prepareTurn(): Promise<(options: RunningTurnOptions) => RunningTurn>;
  /** Resolves when the view can show a reply, or can't be loaded. The request does not wait for it, the reply does. */
  viewReady?(): Promise<unknown>;
  /** The permanent tool approvals, if several conversations share them. */
  readonly approvals?: Approvals;
  /** Conditions for sending. */
  readonly guards?: Guards;
}

export interface TurnControllerOptions extends ChatOptions {
  readonly store: Store<ChatState>;
  limits(): Limits;
  threadId(): string;
  /** Called when a reply has ended and no other turn has started in its place. */
  ended(outcome: RunOutcome): void;
}

interface Starting {
  readonly turnId: string;
  readonly done: Promise<ChatMessage>;
  /** Settles when the turn can start, or can't be prepared. */
  readonly prepared: Promise<unknown>;
  /**
   * Starts the turn when the user answers or stops it. Set when the turn can start, and only for a restored reply that waits for the
   * user and whose first message has an agent id: the page may list that agent later. Every other turn starts by itself.
   */
  run?: () => void;
  /** The reply that started earlier, with the changes that the page has made since. */
  readonly restored: { -readonly [Field in keyof RestoredReply]: RestoredReply[Field] } | undefined;
  stop(outcome?: RunOutcome): void;
  /** Ends the preparation. */
  readonly stopped?: AbortController;
  /** Where its message goes, and its promise. Undefined for a restored reply. */
  readonly unsent?: Omit<Queued, 'message'> | undefined;
}

export class TurnController {
  /** The permanent tool approvals. */
  readonly approvals: Approvals;
  readonly #options: TurnControllerOptions;
  /** The protocol of each endpoint, as detected or configured when it last replied. */
  readonly #detected = new Map<string, string>();
  /** See `ReplyAuthors.keysByMessage`. */
  readonly #authors = new Map<string, string>();
  #runningTurn: RunningTurn | undefined;
  /** Resolves when a restored reply accepts answers. */
  #readyForAnswers: Promise<unknown> | undefined;
  /** A turn that is just starting, or still being prepared: it waits for its code, for another tab's reply or for the network. */
  #starting: Starting | undefined;

  constructor(options: TurnControllerOptions) {
    this.#options = options;
    this.approvals = options.approvals ?? new Approvals();
  }

  get busy(): boolean {
    return this.#runningTurn !== undefined || this.#starting !== undefined;
  }

  /** Sets the protocol of a restored conversation, if the agent of its last reply is the chosen one. */
  setKnownProtocol(protocol: string, { agentId }: Pick<MessageInput, 'agentId'> = {}): void {
    const settings = withChosenAgent(this.#options.settings());
    const { agentId: recipientId, defaultAgentId } = this.#agentIds(settings.agent);
    if ((agentId ?? defaultAgentId) === recipientId) this.#detected.set(settings.endpoint ?? '', protocol);
  }

  /** Adopts the protocols that another conversation has detected. */
  adoptProtocols(other: TurnController): void {
    for (const [endpoint, protocol] of other.#detected) this.#detected.set(endpoint, protocol);
  }

  /** Id of the user message that is being answered. */
  get turnId(): string | undefined {
    return (this.#runningTurn ?? this.#starting)?.turnId;
  }

  /** Resolves with the reply. */
  get done(): Promise<ChatMessage> | undefined {
    return (this.#runningTurn ?? this.#starting)?.done;
  }

  /** Ends a turn that has not started, without a reply. Returns where its message goes, and its promise, which stays open. */
  withdraw(): Omit<Queued, 'message'> | undefined {
    const { unsent, stopped } = this.#starting ?? {};
    if (!unsent) return undefined;
    stopped?.abort();
    this.#starting = undefined;
    return unsent;
  }

  /** Ends the turn immediately. Default outcome: stopped by the user. */
  stop(outcome?: RunOutcome): void {
    this.#starting?.run?.();
    (this.#runningTurn ?? this.#starting)?.stop(outcome);
  }

  /** Answers a pending action. An answer that comes before the turn can start waits for that. */
  async respond(blockId: string, decision: Answer['decision'], options: RespondOptions): Promise<void> {
    if (!this.#runningTurn) await this.#starting?.prepared;
    this.#starting?.run?.();
    // All answers to a restored reply wait, so that none overtakes another.
    if (this.#readyForAnswers) {
      await this.#readyForAnswers;
      await this.#runningTurn?.checkAnswerable();
    }
    this.#runningTurn?.respond(blockId, decision, options);
  }

  /** Changes a message of the running reply, or of one that is about to continue. */
  change(id: string, change: (message: ChatMessage) => ChatMessage): void {
    this.#runningTurn?.change(id, change);
    const { restored } = this.#starting ?? {};
    if (!restored?.messages.length) return;
    restored.messages = changeMessage(restored.messages, id, change);
    restored.saved = changeMessage(restored.saved, id, change);
    const { store } = this.#options;
    store.set({ ...store.state, run: continueRun(restored.messages) });
  }

  /** Returns a function that checks whether the user is still the same. */
  watchUser(): () => boolean {
    const { guards } = this.#options;
    const owner = guards?.owner();
    return () => guards?.owner() === owner;
  }

  /**
   * The context for side requests, such as feedback.
   *
   * @param choose - returns the settings of the agent that gets them
   */
  sideRequestContext(
    choose: (settings: ChatSettings) => ChatSettings,
  ): Omit<FeedbackContext, 'messages' | 'isSameUser'> & Recipient {
    const settings = choose(this.#options.settings());
    const { endpoint } = settings;
    const { agentId, defaultAgentId } = this.#agentIds(settings.agent);
    return {
      settings,
      endpoint,
      agentId,
      authors: { keysByMessage: this.#authors, defaultAgentId },
      limits: this.#options.limits(),
      protocols: this.#options.protocols,
      knownProtocol: this.#detected.get(endpoint ?? ''),
      threadId: this.#options.threadId(),
    };
  }

  /** The settings for a message that is sent now, with the id of its agent; the page's endpoint may have none. */
  get recipient(): ChatSettings {
    const settings = this.#options.settings();
    return {
      ...settings,
      agent: selectAgent(settings.agents, settings.agent, settings.endpoint)?.id ?? settings.agent,
    };
  }

  /** The recipient of an earlier moment, if another one is chosen now. Undefined: no one was, or it is still chosen. */
  formerRecipient(before: ChatSettings): ChatSettings | undefined {
    const { endpoint, agent } = this.recipient;
    const isSame = before.endpoint === endpoint && before.agent === agent;
    return isSame || !(before.endpoint ?? before.agent) ? undefined : before;
  }

  /**
   * Asks the page whether a message may be sent. Returns undefined if the page prevented it. A listener may set another endpoint
   * for this message. An endpoint that the page set while the message waited does not apply to it.
   *
   * @param before - the settings when the user sent it
   * @returns `to`: where it goes, if not to the current recipient
   */
  askPage(message: ChatMessage, before: ChatSettings): { readonly to: ChatSettings | undefined } | undefined {
    const { recipient } = this;
    const former = this.formerRecipient(before);
    if (!this.#options.hooks.beforeSend(message)) return undefined;
    return { to: this.formerRecipient(recipient) ? undefined : former };
  }

  /** Whether the agent that replies, here or in another tab, is the one that a message goes to now. */
  get isWithRecipient(): boolean {
    const { endpoint, agent } = withChosenAgent(this.#options.settings());
    const { agentId, defaultAgentId } = this.#agentIds(agent);
    if (this.#runningTurn) return this.#runningTurn.isOf({ endpoint, agentId });
    // The question was restored and starts its turn with the answer, or another tab has the turn.
    const asked = this.#options.store.state.run?.messages[0];
    const author = (asked && this.withAuthor(asked).agentId) ?? defaultAgentId;
    return author === agentId || author === endpointWithoutSecrets(endpoint);
  }

  /** The message with its author as agent id. If it has no agent id: `agentKeyOf()`, since the page may have set another endpoint. */
  withAuthor(message: ChatMessage): ChatMessage {
    const agentId = message.agentId ?? this.#authors.get(message.id);
    return agentId === undefined ? message : { ...message, agentId };
  }

  /**
   * Continues a restored reply, which waits for the user or is resumed.
   *
   * @param to - gets the request if nobody knows who has written the reply
   */
  restore(userMessage: ChatMessage, restored: RestoredReply, to?: ChatSettings): Promise<ChatMessage> {
    const { store } = this.#options;
    if (restored.messages.length > 0) store.set({ ...store.state, run: continueRun(restored.messages) });
    return this.begin(userMessage, { restored, to });
  }

  /** Starts a turn. It appears on screen immediately; its request is sent after `prepareTurn`. */
  begin(
    userMessage: ChatMessage,
    { to, ...options }: Pick<RunningTurnOptions, 'restored' | 'fork'> & { readonly to?: ChatSettings | undefined } = {},
  ): Promise<ChatMessage> {
    const { store } = this.#options;
    const done = deferred<ChatMessage>();
    const stopped = new AbortController();
    // A reply is continued by its own agent, and a press in an agent UI goes to the agent that has shown it.
    const first = options.restored?.messages[0];
    const agentMessage = first ? this.withAuthor(first) : userMessage.agentId === undefined ? undefined : userMessage;
    // A message goes to the agent that was chosen when it was sent, also if its turn has to wait.
    const former = agentMessage?.agentId === undefined || !options.restored ? to : undefined;
    const sent = former ?? (options.restored ? undefined : this.#options.settings());
    const preparing = Promise.all([
      this.#prepareTurn(userMessage.id, stopped.signal),
      agentMessage && import('./earlier-reply-chunk.ts'),
    ]);
    const starting: Starting = {
      prepared: preparing.catch(() => undefined),
      turnId: userMessage.id,
      done: done.promise,
      restored: options.restored && { ...options.restored },
      stop: (outcome = { status: 'cancelled', finish: 'cancelled' }) => {
        stopped.abort();
        done.resolve(this.#endUnstarted(userMessage, outcome));
      },
      stopped,
      unsent: options.restored ? undefined : { to: to ?? this.recipient, resolve: done.resolve, origin: undefined },
    };
    this.#starting = starting;
    store.set({
      ...store.state,
      stage: options.restored?.begin === 'wait' ? 'parked' : 'connecting',
      since: Date.now(),
    });
    preparing
      .then(
        ([startTurn, earlierReplyChunk]) => {
          if (this.#starting !== starting) return;
          const before = sent ?? this.#options.settings();
          const { endpoint, protocol } = before;
          const run = (): void => {
            const now = {
              ...this.#options.settings(),
              // An agent that the page has removed since still gets what was sent to it.
              ...(sent && { agent: sent.agent, agents: sent.agents }),
              ...(endpoint && { endpoint, protocol }),
            };
            const settings = earlierReplyChunk?.authorSettings(now, agentMessage) ?? withChosenAgent(now);
            const later = { restored: starting.restored, withoutLastRound: earlierReplyChunk?.withoutLastRound };
            const runningTurn = this.#startPreparedTurn(starting, () =>
              startTurn({ ...this.#turnOptions(userMessage, settings, now), before, ...options, ...later }),
            );
            this.#readyForAnswers = options.restored?.begin === 'wait' ? runningTurn.askedOrEnded : undefined;
            void runningTurn.done.then(done.resolve);
          };
          // The page may list the agent that asks later than its question is restored.
          if (options.restored?.begin === 'wait' && agentMessage?.agentId) starting.run = run;
          else run();
        },
        (cause: unknown) => {
          if (this.#starting !== starting) return;
          if (isRefusal(cause)) throw cause;
          throw new ChatError('load', 'A part of the widget could not be loaded.', {
            reason: 'load',
            retryable: true,
            cause,
          });
        },
      )
      .catch((cause: unknown) => {
        const { quietly, saved } = starting.restored ?? {};
        done.resolve(
          quietly && saved?.length
            ? this.#endUnstarted(userMessage, INTERRUPTED, [], saved)
            : this.fail(userMessage, cause),
        );
      });
    return done.promise;
  }

  /** Starts a prepared turn. The page's code that runs meanwhile, such as `redact`, may stop it: it is stopped when it has started. */
  #startPreparedTurn({ prepared, turnId, done }: Starting, start: () => RunningTurn): RunningTurn {
    let stopOnceStarted: (() => void) | undefined;
    const stop: Starting['stop'] = (outcome) => {
      stopOnceStarted ??= () => this.#runningTurn?.stop(outcome);
    };
    this.#starting = { prepared, turnId, done, restored: undefined, stop };
    try {
      this.#runningTurn = start();
    } finally {
      this.#starting = undefined;
    }
    const runningTurn = this.#runningTurn;
    stopOnceStarted?.();
    return runningTurn;
  }

  /**
   * Shows and reports an error that prevented a turn from starting.
   * @returns the reply
   */
  fail(userMessage: ChatMessage, cause: unknown): ChatMessage {
    const error = toChatError(cause);
    const { kind, message, reason, retryable } = error;
    const problem = {
      type: 'error',
      status: 'error',
      content: message,
      extra: { reason, error_type: kind, recoverable: retryable },
    } as const;
    warnOfPageError(error);
    const reply = this.#endUnstarted(userMessage, { status: 'error', finish: 'error' }, [problem]);
    this.#options.hooks.error(detailOf(error));
    return reply;
  }

  /** Prepares a turn. While offline it waits for the network, and its message is `queued`, as in the turn itself. */
  async #prepareTurn(turnId: string, signal: AbortSignal): ReturnType<ChatOptions['prepareTurn']> {
    const { store, prepareTurn } = this.#options;
    const setWait = (wait: ChatState['wait'], from: 'sending' | 'queued', status: 'sending' | 'queued'): void => {
      const thread = replaceMessage(store.state.thread, turnId, (message) =>
        message.status === from ? { ...message, status } : message,
      );
      store.set({ ...store.state, thread, wait });
    };
    for (;;) {
      try {
        return await prepareTurn();
      } catch (cause) {
        if (navigator.onLine || signal.aborted || isRefusal(cause)) throw cause;
        const skip = new AbortController();
        const now = (): void => {
          skip.abort();
        };
        setWait({ attempt: 1, error: offlineError(cause), now }, 'sending', 'queued');
        await untilOnline(AbortSignal.any([signal, skip.signal])).catch(() => undefined);
        signal.throwIfAborted();
        setWait(undefined, 'queued', 'sending');
      }
    }
  }

  /**
   * Ends a turn that has not started. Its reply may have started earlier, before it was restored.
   *
   * @param blocks - added to the last message of the reply
   * @param saved - the messages of its reply, if they stay unchanged
   * @returns the last message of the reply
   */
  #endUnstarted(
    userMessage: ChatMessage,
    outcome: RunOutcome,
    blocks: NonNullable<MessageInput['blocks']> = [],
    saved?: readonly ChatMessage[],
  ): ChatMessage {
    const { store, hooks } = this.#options;
    this.#starting = undefined;
    const sent = replaceMessage(store.state.thread, userMessage.id, (message) =>
      message.status === 'sending' || message.status === 'queued' ? { ...message, status: 'failed' } : message,
    );
    // As in `settleRun()`, whose code may not be loaded: messages that had ended before stay as they are.
    const partialReply = store.state.run?.messages.map((message, index, { length }) =>
      completeMessage({
        ...message,
        ...((message.status === 'streaming' || index === length - 1) && outcome),
        blocks: [...message.blocks.map(cancelOpen), ...(index === length - 1 ? blocks : [])],
      }),
    );
    const reply = saved ?? partialReply ?? [completeMessage({ role: 'assistant', ...outcome, blocks })];
    const thread = appendMessages(sent, reply);
    store.set({ ...store.state, stage: 'none', run: undefined, wait: undefined, thread });
    const replies = thread.path.slice(sent.path.length);
    this.#ended(outcome);
    for (const message of [...sent.path.filter(({ id }) => id === userMessage.id), ...(saved ? [] : replies)])
      hooks.message(message);
    return replies.at(-1) ?? userMessage;
  }

  /**
   * @param settings - those of the agent that replies
   * @param page - those of the page, with the agents that it had when the message was sent
   */
  #turnOptions(
    userMessage: ChatMessage,
    settings: ChatSettings,
    page: ChatSettings,
  ): Omit<RunningTurnOptions, 'before'> {
    const { store, hooks, protocols, viewReady } = this.#options;
    const endpoint = settings.endpoint ?? '';
    const isSameUser = this.watchUser();
    const { agentId, defaultAgentId } = this.#agentIds(settings.agent, page);
    return {
      settings,
      latest: () => this.#options.settings(),
      isUserChanged: () => !isSameUser(),
      agentId,
      authors: { keysByMessage: this.#authors, defaultAgentId },
      limits: this.#options.limits(),
      protocols,
      threadId: this.#options.threadId(),
      knownProtocol: this.#detected.get(endpoint),
      userMessage,
      store,
      hooks,
      viewReady,
      approvals: this.approvals,
      protocolDetected: (id) => this.#detected.set(endpoint, id),
      ended: (outcome) => {
        this.#runningTurn = undefined;
        this.#ended(outcome);
      },
    };
  }

  /** The id of an agent, and that of the agent of messages without an id, by the page's settings. */
  #agentIds(
    agent: string | undefined,
    { agents = [], endpoint }: ChatSettings = this.#options.settings(),
  ): { readonly agentId: string | undefined; readonly defaultAgentId: string | undefined } {
    // Without a list, the page's endpoint replies, whichever agent the page names: it may list that one later.
    const agentId = selectAgent(agents, agent, endpoint)?.id ?? ((agents.length > 0 && agent) || undefined);
    return { agentId, defaultAgentId: agents.length > 0 && isEndpointAgent(agents, endpoint) ? undefined : agentId };
  }

  #ended(outcome: RunOutcome): void {
    // The caller that ended the turn may start another one immediately, such as a regeneration.
    queueMicrotask(() => {
      if (!this.busy) this.#options.ended(outcome);
    });
  }
}

const INTERRUPTED: RunOutcome = { status: 'interrupted', finish: 'error' };

/**
 * Whether the turn can't start because another tab has deleted the conversation. This ends only turns of a conversation that was
 * dropped before: on the deletion itself, its unsent messages move to a new one.
 */
const isRefusal = (cause: unknown): boolean => cause instanceof ChatError && cause.kind === 'storage';

/** The settings, with endpoint and protocol of the chosen agent if it has its own endpoint. */
function withChosenAgent(settings: ChatSettings): ChatSettings {
  const chosen = selectAgent(settings.agents, settings.agent, settings.endpoint);
  if (!chosen || isPageAgent(chosen)) return settings;
  const { id: agent, endpoint, protocol = 'auto' } = chosen;
  return { ...settings, agent, endpoint, protocol };
}
