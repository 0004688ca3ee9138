/** Runs one turn: updates its run in the store, collects the user's answers and finishes the reply. */
import { closeRun } from '../../conversation/close-run.ts';
import { hasPendingAction } from '../../conversation/has-pending-action.ts';
import { mergeDeltas } from '../../conversation/merge-deltas.ts';
import { emptyRun, keepMetadata, restoreRun, withSavedMessages } from '../../conversation/restore-run.ts';
import { nextRound, pauseRun, reduceRun, startRun, type RunOutcome, type Run } from '../../conversation/run.ts';
import { appendMessages, replaceMessage } from '../../conversation/thread.ts';
import { ChatError } from '../../errors.ts';
import type { LLMAgentEvent } from '../../model/agent-events.ts';
import type { BlockOf, Media } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { withoutSubAgents } from '../../model/own-blocks.ts';
import { withAuthorRole } from '../../model/spoken-by.ts';
import { textOf } from '../../model/message-text.ts';
import type { Adapter, Answer, Fork } from '../../protocols/core/adapter.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import { refuseMedia } from '../../safety/media-policy.ts';
import { approvalId, approvalScopeOf, type Approvals } from '../approvals.ts';
import { answerBlock } from './answer-action.ts';
import { cancelReply, markUnlessCancelled } from './cancel-reply.ts';
import type { ChatState } from './chat-state.ts';
import { deferred } from '../deferred.ts';
import type { ChatHooks, RespondOptions } from '../chat-hooks.ts';
import type { Limits } from '../limits.ts';
import { newId } from '../new-id.ts';
import { pageAgentOf, runPageAgent } from '../tools/run-page-agent.ts';
import { detailOf, toChatError } from '../error-detail.ts';
import { agentProblem, errorEvent } from '../error-events.ts';
import { endpointWithoutSecrets } from '../endpoint-without-secrets.ts';
import { isAbort } from '../stream/read-response.ts';
import { redactAnswer, createMessageRedactor } from '../masking/redact.ts';
import type { ChatSettings } from '../chat-settings.ts';
import type { Store } from './store.ts';
import { isReplyGone } from '../stream/request-with-retries.ts';
import { Tracer } from '../tracer.ts';
import type { TurnStart, TurnContext } from '../turn-job.ts';
import { runRounds } from './turn-loop.ts';
import { addWebMcpTools } from '../tools/add-webmcp-tools.ts';

export interface RunningTurnOptions {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  readonly known: string | undefined;
  /** Id of the agent that replies. */
  readonly speaker: string | undefined;
  /** The user message. It is the last message of the thread. */
  readonly turn: ChatMessage;
  /** Set if the conversation previously continued differently from this message. */
  readonly fork?: Fork | undefined;
  /** A reply that started earlier: its messages, and how it continues. */
  readonly restored?: RestoredReply | undefined;
  readonly store: Store<ChatState>;
  readonly hooks: ChatHooks;
  /** Permanent tool approvals. */
  readonly approvals: Approvals;
  protocolDetected(protocol: string): void;
  ended(outcome: RunOutcome): void;
}

export interface RestoredReply {
  readonly messages: readonly ChatMessage[];
  /** The messages before the resume. They stay unchanged if the server has nothing more to send. */
  readonly saved?: readonly ChatMessage[];
  readonly begin: Exclude<TurnStart, 'send'>;
  /** Started without a user action: a reply that can't be resumed stays unchanged, and no error is reported. */
  readonly quietly?: boolean;
}

export interface RunningTurn {
  /** Id of the user message. */
  readonly turnId: string;
  readonly done: Promise<ChatMessage>;
  /** Ends the reply on screen immediately, then closes the connection. Default outcome: stopped by the user. */
  stop(outcome?: RunOutcome): void;
  change(id: string, change: (message: ChatMessage) => ChatMessage): void;
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions): void;
}

export function startTurn(options: RunningTurnOptions): RunningTurn {
  const { store, hooks, turn, restored, approvals } = options;
  let { settings } = options;
  const controller = new AbortController();
  const done = deferred<ChatMessage>();
  let over = false;
  let pendingAnswers: Answer[] = [];
  let wake: (() => void) | undefined;
  let unreadable = false;
  const redact = createMessageRedactor(settings.redact);
  let known = options.known;
  let adapter: Adapter | undefined;
  /** The server has accepted the request and may be working on it. */
  let accepted = false;
  const sink = hooks.trace?.();
  const trace = sink && new Tracer(sink, turn);

  const set = (change: Partial<ChatState>): void => {
    // Updates that arrive after the end of the reply are ignored.
    if (over) return;
    if (change.run) trace?.messages(change.run.messages);
    store.set({ ...store.state, ...change });
  };
  const { speaker } = options;
  const first: ChatMessage = {
    id: newId(),
    role: 'assistant',
    status: 'streaming',
    blocks: [],
    timestamp: Math.max(Date.now(), turn.timestamp),
    parentId: turn.id,
    ...(speaker !== undefined && { agentId: speaker }),
  };
  // Ids are numbered, so that replaying a reply produces the same ids and the page keeps its DOM nodes.
  const prefix = restored ? newId() : first.id;
  let count = 0;
  const initialRun = restored && restored.messages.length > 0 ? restoreRun(restored.messages) : startRun(first);
  /** The state at the start of this round, to which `restart` returns. */
  let roundStart = { run: restored?.begin === 'resume' ? emptyRun(initialRun) : initialRun, count };
  const context = {
    newId: () => `${prefix}.${String(++count)}`,
    refuseMedia: (media: Media) => refuseMedia(media, options.limits),
  };
  const run = (): Run => store.state.run ?? initialRun;
  const emitEvents = (events: readonly LLMAgentEvent[], message: ChatMessage): void => {
    for (const event of events) {
      // An event listener may end the reply.
      if (over) return;
      hooks.event(event, message);
    }
  };
  const dispatch: TurnContext['dispatch'] = (events, callBlockId) => {
    // With tracing on, events are applied one by one, so that the inspector shows the effect of each.
    const joined = trace ? events.map((event) => ({ event, of: [event] })) : mergeDeltas(events);
    for (const { event, of } of joined) {
      if (over) return;
      const before = run();
      const next = reduceRun(before, event, { ...context, callBlockId, now: Date.now() });
      trace?.event(event, before, next);
      set({ run: next, stage: 'streaming' });
      if (event.type === 'response' && event.data.state) {
        set({ agentState: event.data.state.value });
        hooks.state(event.data.state.value);
      }
      const message = next.messages[next.current];
      if (message) emitEvents(of, message);
      if (event.type === 'response' && event.data.tool_call === 'permission-required') grantRemembered();
    }
  };
  /** Identifies the agent by its configuration, not by the name that the stream sends. */
  const agentKey = (): string => [endpointWithoutSecrets(settings.endpoint), settings.agent].filter(Boolean).join(' ');
  const respond: RunningTurn['respond'] = (blockId, decision, response) => {
    const asked = permissions(run()).find(({ id }) => id === blockId);
    const always = asked && decision === 'granted' && response.remember === 'always';
    const approval =
      always && approvalScopeOf(asked, agentKey()).tool !== '' ? approvalScopeOf(asked, agentKey()) : undefined;
    const change = answerBlock(run(), blockId, decision, { ...response, approval: approval && approvalId(approval) });
    if (!change) return;
    if (approval) approvals.allow({ ...approval, since: Date.now() });
    pendingAnswers.push(redactAnswer(change.answer, settings.redact));
    set({ run: change.run });
    if (!hasPendingAction(change.run.messages)) {
      set({ stage: 'streaming' });
      wake?.();
      wake = undefined;
    }
  };
  /** Grants permissions that the user has approved permanently. */
  const grantRemembered = (): void => {
    for (const block of permissions(run())) {
      if (approvals.covers(approvalScopeOf(block, agentKey()))) respond(block.id, 'granted', { remember: 'always' });
    }
  };
  const setTurn = (status: ChatMessage['status']): void => {
    set({ thread: replaceMessage(store.state.thread, turn.id, (message) => ({ ...message, status })) });
  };

  /**
   * Ends the reply.
   *
   * @param saved - messages that stay unchanged, unless they ended within a word
   * @param byServer - the stream itself reported this outcome
   * @returns whether this call ended the reply
   */
  const finish = (outcome: RunOutcome, saved: readonly ChatMessage[] = [], byServer = false): boolean => {
    if (over) return false;
    over = true;
    const running = accepted && store.state.stage !== 'parked' && run().finish === undefined;
    const leaving = running && outcome.status === 'cancelled';
    const cancelled = leaving && adapter ? cancelReply(job, adapter) : undefined;
    const settled = closeRun(run(), outcome, { ...context, now: Date.now() });
    const ended = byServer && outcome.status === 'cancelled' ? settled.messages.map(stoppedByServer) : settled.messages;
    const messages = withSavedMessages(ended, saved);
    trace?.messages(messages);
    const sent = replaceMessage(store.state.thread, turn.id, (message) =>
      message.status === 'sending' || message.status === 'queued'
        ? { ...message, status: outcome.status === 'complete' ? 'complete' : 'failed' }
        : message,
    );
    const thread = appendMessages(sent, messages);
    store.set({ ...store.state, thread, run: undefined, stage: 'none', wait: undefined });
    controller.abort();
    // A model stops when its connection closes. Another agent may keep running, and the user is informed.
    if (leaving && adapter?.kind !== 'model') void markUnlessCancelled(store, messages.at(-1)?.id, cancelled);
    // Report the messages of the thread, so that listeners get the same objects as the page reads.
    const replies = thread.path.slice(sent.path.length);
    done.resolve(replies.at(-1) ?? first);
    options.ended(outcome);
    for (const message of [...sent.path.filter(({ id }) => id === turn.id), ...replies]) {
      if (!saved.includes(message)) hooks.message(message);
    }
    return true;
  };

  const fail = (cause: unknown): void => {
    if (over || (controller.signal.aborted && isAbort(cause))) return;
    const error = toChatError(cause);
    if (restored?.saved?.length && (isReplyGone(error) || (restored.quietly && !accepted))) {
      finish(INTERRUPTED, restored.saved);
      return;
    }
    // Most likely an error in a function of the host page. Its author needs the stack.
    if (error.reason === 'unexpected') console.warn(`<agent-chat>: ${error.message}`, cause);
    dispatch([errorEvent(error, newId())]);
    const status = INTERRUPTIONS.has(error.reason) ? 'interrupted' : 'error';
    if (finish({ status, finish: 'error' })) hooks.error(detailOf(error));
  };

  const job: TurnContext = {
    get settings() {
      return settings;
    },
    limits: options.limits,
    protocols: options.protocols,
    threadId: options.threadId,
    signal: controller.signal,
    trace,
    // The protocol detected in the first round applies to the later rounds of this turn.
    get known() {
      return known;
    },
    get adapter() {
      return adapter;
    },
    // A message labelled "Not sent", for example one that the server rejected, is not sent with a later turn either.
    conversation: () =>
      [...store.state.thread.path.filter(({ id, status }) => status !== 'failed' || id === turn.id), ...run().messages]
        .map(withoutSubAgents)
        .map(withAuthorRole)
        .map(redact),
    run,
    dispatch,
    restart() {
      ({ count } = roundStart);
      trace?.restart();
      set({ run: keepMetadata(roundStart.run, run(), unreadable ? UNREADABLE : {}) });
    },
    nextRound() {
      const next = nextRound(run());
      roundStart = { run: next, count };
      trace?.round();
      set({ run: next, stage: 'streaming' });
    },
    warn(warning) {
      hooks.warning(warning);
      trace?.warning(warning);
      if (unreadable || warning.kind === 'unknown') return;
      unreadable = true;
      dispatch([{ type: 'response', data: { eventId: newId(), metadata: UNREADABLE } }]);
      hooks.error({
        kind: 'protocol',
        message: `Part of the answer could not be used: ${warning.detail}`,
        retryable: false,
      });
    },
    adapterSelected(used) {
      adapter = used;
      trace?.protocol(used.id);
    },
    protocolDetected(used) {
      known = used.id;
      options.protocolDetected(used.id);
      set({ protocol: used.id });
    },
    accepted(used) {
      accepted = true;
      adapter = used;
      setTurn('complete');
    },
    waiting(wait) {
      set({ wait });
      if (accepted) return;
      // Without a network the message has not been sent.
      setTurn(wait && wait.until === undefined ? 'queued' : 'sending');
    },
    allows: (scope) => approvals.covers({ ...scope, agent: agentKey() }),
    answers() {
      const takeAnswers = (): readonly Answer[] => {
        const answers = pendingAnswers;
        pendingAnswers = [];
        return answers;
      };
      if (!hasPendingAction(run().messages)) return Promise.resolve(takeAnswers());
      set({ stage: 'parked', run: pauseRun(run()) });
      return new Promise((resolve) => {
        wake = () => {
          resolve(takeAnswers());
        };
      });
    },
  };

  if (!restored) setTurn('sending');
  set({ run: initialRun, stage: restored?.begin === 'wait' ? 'parked' : 'connecting', since: Date.now() });
  const agent = pageAgentOf(settings);
  const turnDone = agent
    ? restored?.quietly
      ? Promise.reject(
          new ChatError('protocol', 'An agent in the page cannot resume a reply automatically.', {
            reason: 'no-resume',
          }),
        )
      : runPageAgent(agent, redact(turn), job, restored?.begin)
    : addWebMcpTools(settings).then((prepared) => {
        settings = prepared;
        const { threadId, fork } = options;
        return runRounds(job, { text: textOf(redact(turn)), threadId, answers: [], fork }, restored?.begin);
      });
  turnDone.then(
    (outcome) => {
      const problem = outcome.status === 'error' ? agentProblem(run()) : undefined;
      if (finish(outcome, [], true) && problem) hooks.error(problem);
    },
    (cause: unknown) => {
      fail(cause);
    },
  );

  return {
    turnId: turn.id,
    done: done.promise,
    stop(outcome = { status: 'cancelled', finish: 'cancelled' }) {
      finish(outcome);
    },
    change(id, change) {
      const { messages } = run();
      const index = messages.findIndex((message) => message.id === id);
      const message = messages[index];
      if (message) set({ run: { ...run(), messages: messages.with(index, change(message)) } });
    },
    respond,
  };
}

/** Permission requests that are still pending. */
const permissions = (run: Run): readonly BlockOf<'action'>[] =>
  run.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.type === 'action' && block.action_type === 'tool_call_permission' && block.status === 'pending'
        ? [block]
        : [],
    ),
  );

/** Marks a reply as cancelled by its server, so that it is not shown as stopped by the user. */
const stoppedByServer = (message: ChatMessage): ChatMessage =>
  message.status === 'cancelled' ? { ...message, metadata: { ...message.metadata, stoppedBy: 'server' } } : message;

/** Metadata of a message of which a part could not be read. */
const UNREADABLE = { unreadable: true };

const INTERRUPTED: RunOutcome = { status: 'interrupted', finish: 'error' };

/** Errors that interrupt a reply after it started or while it was awaited. They are not rejections. */
const INTERRUPTIONS = new Set(['cut', 'dropped', 'stalled', 'no-answer']);
