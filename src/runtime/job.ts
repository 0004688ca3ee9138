/** One turn under way: its run in the store, its answers, its end. */
import { chosenAgent } from '../agents/chosen-agent.ts';
import { closeRun } from '../conversation/close-run.ts';
import { isWaiting } from '../conversation/is-waiting.ts';
import { joinDeltas } from '../conversation/join-deltas.ts';
import { emptied, keepFacts, restoredRun, withSaved } from '../conversation/restored-run.ts';
import { nextRound, park, reduceRun, startRun, type Outcome, type Run } from '../conversation/run.ts';
import { addMessages, changeMessage } from '../conversation/thread.ts';
import { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { BlockOf, Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { withoutSubAgents } from '../model/own-blocks.ts';
import { textOf } from '../model/text-of.ts';
import type { Adapter, Answer, Fork } from '../protocols/adapter.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import { refuseMedia } from '../safety/media-policy.ts';
import { approvalId, scopeOf, type Approvals } from './approvals.ts';
import { answerBlock } from './answer-block.ts';
import { cancelReply, markUnlessHeard } from './cancel-reply.ts';
import type { ChatState } from './chat-state.ts';
import type { ChatHooks, RespondOptions } from './hooks.ts';
import type { Limits } from './limits.ts';
import { newId } from './new-id.ts';
import { pageAgentOf, playAgent } from './play-agent.ts';
import { agentProblem, detailOf, errorEvent, toChatError } from './problems.ts';
import { placeOf } from './keeping/scope.ts';
import { isAbort } from './read-response.ts';
import { redactAnswer, redactFor } from './redact.ts';
import type { ChatSettings } from './settings.ts';
import type { Store } from './store.ts';
import { saysNothingRuns } from './connect.ts';
import { Tracer } from './trace.ts';
import { runTurn, type Beginning, type TurnJob } from './turn.ts';
import { withPageTools } from './with-page-tools.ts';

export interface JobOptions {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  readonly known: string | undefined;
  /** The reader's message; it is the last of the thread. */
  readonly turn: ChatMessage;
  /** The conversation has gone on otherwise from here before. */
  readonly fork?: Fork | undefined;
  /** A reply that has begun before: what is there of it, and how it goes on. */
  readonly restored?: Restored | undefined;
  readonly store: Store<ChatState>;
  readonly hooks: ChatHooks;
  /** What need not be asked any more. */
  readonly approvals: Approvals;
  found(protocol: string): void;
  ended(outcome: Outcome): void;
}

export interface Restored {
  readonly messages: readonly ChatMessage[];
  /** As they stood before they were to be picked up: they stay so when the server has nothing more to say of them. */
  readonly saved?: readonly ChatMessage[];
  readonly begin: Exclude<Beginning, 'send'>;
  /** Nobody has asked for it: a reply that can't be picked up stays as it was, and nobody is told. */
  readonly quietly?: boolean;
}

export interface Job {
  /** The id of the reader's message. */
  readonly turnId: string;
  /** Resolves with the assistant's last message. */
  readonly done: Promise<ChatMessage>;
  /** Ends it on screen at once, then on the wire. Without an outcome it is the reader's own stop. */
  stop(outcome?: Outcome): void;
  /** Changes a message of the reply. */
  change(id: string, change: (message: ChatMessage) => ChatMessage): void;
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions): void;
}

export function startJob(options: JobOptions): Job {
  const { store, hooks, turn, restored, approvals } = options;
  let { settings } = options;
  const controller = new AbortController();
  const done = Promise.withResolvers<ChatMessage>();
  let over = false;
  let answered: Answer[] = [];
  let wake: (() => void) | undefined;
  let unreadable = false;
  const redact = redactFor(settings.redact);
  let known = options.known;
  let adapter: Adapter | undefined;
  /** The server has the request, and may be working. */
  let accepted = false;
  const sink = hooks.trace?.();
  const trace = sink && new Tracer(sink, turn);

  const set = (change: Partial<ChatState>): void => {
    // What is still under way when the reply is over has nothing to say any more.
    if (over) return;
    if (change.run) trace?.messages(change.run.messages);
    store.set({ ...store.state, ...change });
  };
  const speaker = chosenAgent(settings.agents, settings.agent)?.id ?? settings.agent;
  const first: ChatMessage = {
    id: newId(),
    role: 'assistant',
    status: 'streaming',
    blocks: [],
    timestamp: Math.max(Date.now(), turn.timestamp),
    parentId: turn.id,
    ...(speaker !== undefined && { agentId: speaker }),
  };
  // Ids are counted, so that a reply that is played again gives the same ones and the page keeps its nodes.
  const prefix = restored ? newId() : first.id;
  let count = 0;
  const begun = restored && restored.messages.length > 0 ? restoredRun(restored.messages) : startRun(first);
  /** Where this round has begun, to begin it anew. */
  let base = { run: restored?.begin === 'resume' ? emptied(begun) : begun, count };
  const context = {
    newId: () => `${prefix}.${String(++count)}`,
    refuseMedia: (media: Media) => refuseMedia(media, options.limits),
  };
  const run = (): Run => store.state.run ?? begun;
  const tell = (events: readonly LLMAgentEvent[], message: ChatMessage): void => {
    for (const event of events) {
      // Whoever hears of an event may end the reply.
      if (over) return;
      hooks.event(event, message);
    }
  };
  const dispatch = (events: readonly LLMAgentEvent[]): void => {
    // Whoever looks on sees what each of them has done.
    const joined = trace ? events.map((event) => ({ event, of: [event] })) : joinDeltas(events);
    for (const { event, of } of joined) {
      if (over) return;
      const before = run();
      const next = reduceRun(before, event, { ...context, now: Date.now() });
      trace?.event(event, before, next);
      set({ run: next, stage: 'streaming' });
      if (event.type === 'response' && event.data.state) {
        set({ agentState: event.data.state.value });
        hooks.state(event.data.state.value);
      }
      const message = next.messages[next.current];
      if (message) tell(of, message);
      if (event.type === 'response' && event.data.tool_call === 'permission-required') grantRemembered();
    }
  };
  /** The agent as the page knows it: what it calls itself is its own affair. */
  const agentKey = (): string => [placeOf(settings.endpoint), settings.agent].filter(Boolean).join(' ');
  const respond: Job['respond'] = (blockId, decision, given) => {
    const asked = permissions(run()).find(({ id }) => id === blockId);
    const always = asked && decision === 'granted' && given.remember === 'always';
    const approval = always && scopeOf(asked, agentKey()).tool !== '' ? scopeOf(asked, agentKey()) : undefined;
    const change = answerBlock(run(), blockId, decision, { ...given, approval: approval && approvalId(approval) });
    if (!change) return;
    if (approval) approvals.allow({ ...approval, since: Date.now() });
    answered.push(redactAnswer(change.answer, settings.redact));
    set({ run: change.run });
    if (!isWaiting(change.run.messages)) {
      set({ stage: 'streaming' });
      wake?.();
      wake = undefined;
    }
  };
  /** Answers what the reader has allowed for good. */
  const grantRemembered = (): void => {
    for (const block of permissions(run())) {
      if (approvals.covers(scopeOf(block, agentKey()))) respond(block.id, 'granted', { remember: 'always' });
    }
  };
  const setTurn = (status: ChatMessage['status']): void => {
    set({ thread: changeMessage(store.state.thread, turn.id, (message) => ({ ...message, status })) });
  };

  /**
   * @param saved - messages that stay as they were, unless they were in the middle of a word
   * @returns whether it is this that has ended the reply
   */
  const finish = (outcome: Outcome, saved: readonly ChatMessage[] = []): boolean => {
    if (over) return false;
    over = true;
    const running = accepted && store.state.stage !== 'parked' && run().finish === undefined;
    const leaving = running && outcome.status === 'cancelled';
    const heard = leaving && adapter ? cancelReply(job, adapter) : undefined;
    const settled = closeRun(run(), outcome, { ...context, now: Date.now() });
    const messages = withSaved(settled.messages, saved);
    trace?.messages(messages);
    const sent = changeMessage(store.state.thread, turn.id, (message) =>
      message.status === 'sending' || message.status === 'queued'
        ? { ...message, status: outcome.status === 'complete' ? 'complete' : 'failed' }
        : message,
    );
    const thread = addMessages(sent, messages);
    store.set({ ...store.state, thread, run: undefined, stage: 'none', wait: undefined });
    controller.abort();
    // A model stops with its connection; an agent may go on, and the reader is told.
    if (leaving && adapter?.kind !== 'model') void markUnlessHeard(store, messages.at(-1)?.id, heard);
    // Those of the thread: what a page is told of is what it finds there.
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
    if (restored?.saved?.length && (saysNothingRuns(error) || (restored.quietly && !accepted))) {
      finish(INTERRUPTED, restored.saved);
      return;
    }
    // A fault of a function of the page, most likely, which its author would look for there.
    if (error.reason === 'unexpected') console.warn(`<agent-chat>: ${error.message}`, cause);
    dispatch([errorEvent(error, newId())]);
    const status = INTERRUPTIONS.has(error.reason) ? 'interrupted' : 'error';
    if (finish({ status, finish: 'error' })) hooks.error(detailOf(error));
  };

  const job: TurnJob = {
    get settings() {
      return settings;
    },
    limits: options.limits,
    protocols: options.protocols,
    threadId: options.threadId,
    signal: controller.signal,
    trace,
    // What the first round has found, the next ones of this turn speak.
    get known() {
      return known;
    },
    get adapter() {
      return adapter;
    },
    conversation: () => [...store.state.thread.path, ...run().messages].map(withoutSubAgents).map(redact),
    run,
    dispatch,
    restart() {
      ({ count } = base);
      trace?.restart();
      set({ run: keepFacts(base.run, run(), unreadable ? UNREADABLE : {}) });
    },
    nextRound() {
      const next = nextRound(run());
      base = { run: next, count };
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
    found(used) {
      known = used.id;
      adapter = used;
      options.found(used.id);
      trace?.protocol(used.id);
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
      // Without a network it has not gone out.
      setTurn(wait && wait.until === undefined ? 'queued' : 'sending');
    },
    allows: (scope) => approvals.covers({ ...scope, agent: agentKey() }),
    answers() {
      const take = (): readonly Answer[] => {
        const taken = answered;
        answered = [];
        return taken;
      };
      if (!isWaiting(run().messages)) return Promise.resolve(take());
      set({ stage: 'parked', run: park(run()) });
      return new Promise((resolve) => {
        wake = () => {
          resolve(take());
        };
      });
    },
  };

  if (!restored) setTurn('sending');
  set({ run: begun, stage: restored?.begin === 'wait' ? 'parked' : 'connecting', since: Date.now() });
  const agent = pageAgentOf(settings);
  const playing = agent
    ? restored?.quietly
      ? Promise.reject(
          new ChatError('protocol', 'An agent in the page does not go on by itself.', { reason: 'no-resume' }),
        )
      : playAgent(agent, redact(turn), job, restored?.begin)
    : withPageTools(settings).then((whole) => {
        settings = whole;
        const { threadId, fork } = options;
        return runTurn(job, { text: textOf(redact(turn)), threadId, answers: [], fork }, restored?.begin);
      });
  playing.then(
    (outcome) => {
      const problem = outcome.status === 'error' ? agentProblem(run()) : undefined;
      if (finish(outcome) && problem) hooks.error(problem);
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

/** The permissions that are waited for. */
const permissions = (run: Run): readonly BlockOf<'action'>[] =>
  run.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.type === 'action' && block.action_type === 'tool_call_permission' && block.status === 'pending'
        ? [block]
        : [],
    ),
  );

/** Part of the reply could not be read. */
const UNREADABLE = { unreadable: true };

const INTERRUPTED: Outcome = { status: 'interrupted', finish: 'error' };

/** What ended a reply after it had begun, or while it was waited for: it is cut, not refused. */
const INTERRUPTIONS = new Set(['cut', 'dropped', 'stalled', 'no-answer']);
