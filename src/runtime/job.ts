/** One turn under way: its run in the store, its answers, its end. */
import { askAgent, isPageAgent } from '../agents/page-agent.ts';
import type { ReduceContext } from '../conversation/blocks.ts';
import { isWaiting } from '../conversation/is-waiting.ts';
import { nextRound, park, reduceRun, settle, startRun, type Outcome, type Run } from '../conversation/run.ts';
import { addMessages, changeMessage } from '../conversation/thread.ts';
import { ChatError } from '../errors.ts';
import { messageTypeOf, type AgentMessage, type AgentMessageContent } from '../model/agent-message.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { BaseAgent } from '../model/agent.ts';
import type { AssistantMessageBlock, BlockOf, Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import { refuseMedia } from '../safety/media-policy.ts';
import type { ChatHooks, ErrorDetail, RespondOptions } from './hooks.ts';
import type { ChatState } from './chat-state.ts';
import type { Limits } from './limits.ts';
import { newId } from './new-id.ts';
import { isAbort } from './read-response.ts';
import type { ChatSettings } from './settings.ts';
import type { Store } from './store.ts';
import { runTurn, type TurnJob } from './turn.ts';

export interface JobOptions {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  readonly known: string | undefined;
  /** The reader's message; it is the last of the thread. */
  readonly turn: ChatMessage;
  readonly store: Store<ChatState>;
  readonly hooks: ChatHooks;
  found(protocol: string): void;
  ended(outcome: Outcome): void;
}

export interface Job {
  /** The id of the reader's message. */
  readonly turnId: string;
  /** Resolves with the assistant's last message. */
  readonly done: Promise<ChatMessage>;
  /** Ends it on screen at once, then on the wire. Without an outcome it is the reader's own stop. */
  stop(outcome?: Outcome): void;
  respond(blockId: string, decision: Answer['decision'], options: RespondOptions): void;
}

export function startJob(options: JobOptions): Job {
  const { store, hooks, turn, settings } = options;
  const controller = new AbortController();
  const done = Promise.withResolvers<ChatMessage>();
  let over = false;
  let answered: Answer[] = [];
  let wake: (() => void) | undefined;
  let unreadable = false;
  let known = options.known;

  const set = (change: Partial<ChatState>): void => {
    store.set({ ...store.state, ...change });
  };
  const first: ChatMessage = {
    id: newId(),
    role: 'assistant',
    status: 'streaming',
    blocks: [],
    timestamp: Math.max(Date.now(), turn.timestamp),
    parentId: turn.id,
    ...(settings.agent !== undefined && { agentId: settings.agent }),
  };
  // Ids are counted, so that a reply that is played again gives the same ones and the page keeps its nodes.
  let count = 0;
  const context = {
    newId: () => `${first.id}.${String(++count)}`,
    refuseMedia: (media: Media) => refuseMedia(media, options.limits),
  };
  const run = (): Run => store.state.run ?? startRun(first);
  const dispatch = (events: readonly LLMAgentEvent[]): void => {
    if (over || events.length === 0) return;
    let next = run();
    for (const event of events) {
      next = reduceRun(next, event, { ...context, now: Date.now() });
      const message = next.messages[next.current];
      if (message) hooks.event(event, message);
    }
    set({ run: next, stage: 'streaming' });
  };
  const setTurn = (status: ChatMessage['status']): void => {
    set({ thread: changeMessage(store.state.thread, turn.id, (message) => ({ ...message, status })) });
  };

  const finish = (outcome: Outcome): void => {
    if (over) return;
    over = true;
    const settled = settle(closeRun(run(), outcome, context), outcome);
    const sent = store.state.thread.path.find(({ id }) => id === turn.id);
    const thread = changeMessage(store.state.thread, turn.id, (message) =>
      message.status === 'sending'
        ? { ...message, status: outcome.status === 'complete' ? 'complete' : 'failed' }
        : message,
    );
    set({ thread: addMessages(thread, settled.messages), run: undefined, stage: 'none', wait: undefined });
    controller.abort();
    if (sent) hooks.message(sent);
    for (const message of settled.messages) hooks.message(message);
    options.ended(outcome);
    done.resolve(settled.messages.at(-1) ?? first);
  };

  const fail = (cause: unknown): void => {
    if (over || (controller.signal.aborted && isAbort(cause))) return;
    const error = toChatError(cause);
    const eventId = newId();
    dispatch([
      {
        type: 'error',
        data: {
          eventId,
          error: error.serverMessage ?? error.message,
          reason: error.reason,
          values: { ...error.values },
          recoverable: error.retryable,
          error_type: error.kind,
          ...(error.code !== undefined && { code: error.code }),
        },
      },
    ]);
    finish({ status: INTERRUPTIONS.has(error.reason) ? 'interrupted' : 'error', finish: 'error' });
    hooks.error(detailOf(error));
  };

  const job: TurnJob = {
    settings,
    limits: options.limits,
    protocols: options.protocols,
    threadId: options.threadId,
    signal: controller.signal,
    // What the first round has found, the next ones of this turn speak.
    get known() {
      return known;
    },
    conversation: () => [...store.state.thread.path, ...run().messages],
    run,
    dispatch,
    restart() {
      count = 0;
      set({ run: startRun(unreadable ? { ...first, metadata: UNREADABLE } : first) });
    },
    nextRound() {
      set({ run: nextRound(run()), stage: 'streaming' });
    },
    warn(warning) {
      hooks.warning(warning);
      if (unreadable || warning.kind === 'unknown') return;
      unreadable = true;
      dispatch([{ type: 'response', data: { eventId: newId(), metadata: UNREADABLE } }]);
      hooks.error({
        kind: 'protocol',
        message: `Part of the answer could not be used: ${warning.detail}`,
        retryable: false,
      });
    },
    found({ id }) {
      known = id;
      options.found(id);
      set({ protocol: id });
    },
    accepted() {
      setTurn('complete');
    },
    waiting(wait) {
      if (!over) set({ wait });
    },
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

  setTurn('sending');
  set({ run: startRun(first), stage: 'connecting', since: Date.now() });
  const agent = pageAgentOf(settings);
  const playing = agent
    ? playAgent(agent, turn, job)
    : runTurn(job, { text: textOf(turn), threadId: options.threadId, answers: [] });
  playing.then(
    (outcome) => {
      const problem = outcome.status === 'error' ? agentProblem(run()) : undefined;
      finish(outcome);
      if (problem) hooks.error(problem);
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
    respond(blockId, decision, given) {
      const change = answerBlock(run(), blockId, decision, given);
      if (!change) return;
      answered.push(change.answer);
      set({ run: change.run });
      if (!isWaiting(change.run.messages)) {
        set({ stage: 'streaming' });
        wake?.();
        wake = undefined;
      }
    },
  };
}

/** Part of the reply could not be read. */
const UNREADABLE = { unreadable: true };

/** What ended a reply after it had begun, or while it was waited for: it is cut, not refused. */
const INTERRUPTIONS = new Set(['cut', 'dropped', 'stalled', 'no-answer']);

/** The run with an end to everything that was still open. */
function closeRun(run: Run, outcome: Outcome, context: Omit<ReduceContext, 'now'>): Run {
  const userStop = outcome.status === 'cancelled';
  const end: LLMAgentEvent = { type: 'end', data: { eventId: '', userStop } };
  const closed = reduceRun(run, end, { ...context, now: Date.now() });
  const cancel = (block: AssistantMessageBlock): AssistantMessageBlock =>
    block.type === 'action' && block.status === 'pending' ? { ...block, status: 'cancel' } : block;
  const messages = closed.messages.map((message) => ({ ...message, blocks: message.blocks.map(cancel) }));
  return { ...closed, messages };
}

function toChatError(cause: unknown): ChatError {
  if (cause instanceof ChatError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  // A chunk that can't be fetched fails its import with a TypeError.
  const load = cause instanceof TypeError && /import|module/i.test(message);
  return load
    ? new ChatError('load', `A part of the widget can't be loaded: ${message}`, {
        reason: 'load',
        retryable: true,
        cause,
      })
    : new ChatError('protocol', `The request could not be made: ${message}`, { reason: 'unexpected', cause });
}

const detailOf = (error: ChatError): ErrorDetail => ({
  kind: error.kind,
  message: error.message,
  retryable: error.retryable,
  ...(error.status !== undefined && { status: error.status }),
  ...(error.code !== undefined && { code: error.code }),
  ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  cause: error.cause,
});

/** What the agent itself said was wrong. */
function agentProblem(run: Run): ErrorDetail {
  const block = run.messages.flatMap((message) => message.blocks).findLast((candidate) => candidate.type === 'error');
  const code = block?.extra?.['code'];
  return {
    kind: 'agent',
    message: block?.content ?? 'The agent ended its answer with an error.',
    retryable: block?.extra?.['recoverable'] === true,
    ...(typeof code === 'string' && { code }),
  };
}

/** The run with a waiting block answered; undefined when nothing of that id waits. */
function answerBlock(
  run: Run,
  blockId: string,
  decision: Answer['decision'],
  { payload, note }: RespondOptions,
): { readonly run: Run; readonly answer: Answer } | undefined {
  const isIt = (block: AssistantMessageBlock): block is BlockOf<'action'> =>
    block.id === blockId && block.type === 'action' && block.status === 'pending';
  const block = run.messages.flatMap((message) => message.blocks).find(isIt);
  if (!block) return undefined;
  const status = decision === 'denied' || decision === 'dismissed' ? 'denied' : 'granted';
  const extra = { ...block.extra, decided: Date.now(), ...(note !== undefined && { note }) };
  const messages = run.messages.map((message) =>
    message.blocks.includes(block)
      ? {
          ...message,
          blocks: message.blocks.map((other) => (other === block ? ({ ...block, status, extra } as const) : other)),
        }
      : message,
  );
  return {
    run: { ...run, messages },
    answer: {
      decision,
      blockId,
      actionType: block.action_type,
      ...(block.tool_call?.id !== undefined && { toolCallId: block.tool_call.id }),
      ...(payload !== undefined && { payload }),
      ...(note !== undefined && { note }),
      ...(block.extra && { extra: block.extra }),
    },
  };
}

function pageAgentOf({ agents = [], agent }: ChatSettings): BaseAgent | undefined {
  const chosen = agents.find(({ id }) => id === agent) ?? agents[0];
  return chosen && isPageAgent(chosen) ? chosen : undefined;
}

/**
 * The reader's message to an agent of the page, and behind it their answers to what it asks: each is a message of its own, with
 * the answer's words as its text and the whole of it as `metadata.answer`.
 */
async function playAgent(agent: BaseAgent, turn: ChatMessage, job: TurnJob): Promise<Outcome> {
  const content = (turn.metadata?.['content'] as AgentMessageContent | undefined) ?? { text: textOf(turn) };
  const address = { role: 'user', agentId: agent.id } as const;
  let messages: readonly AgentMessage[] = [
    { ...address, id: turn.id, type: messageTypeOf(content), content, metadata: {}, timestamp: turn.timestamp },
  ];
  const eventId = newId();
  for (;;) {
    for (const message of messages) {
      for await (const events of askAgent(agent, message, { eventId, signal: job.signal })) {
        if (job.signal.aborted) break;
        job.dispatch(events);
      }
    }
    const finish = job.run().finish ?? 'complete';
    if (finish === 'error') return { status: 'error', finish };
    const answers = await job.answers();
    messages = answers
      .filter(({ decision }) => decision !== 'dismissed')
      .map((answer) => ({
        ...address,
        id: newId(),
        type: 'text',
        content: { text: typeof answer.payload === 'string' ? answer.payload : answer.decision },
        metadata: { answer },
        timestamp: Date.now(),
      }));
    if (messages.length === 0) return { status: 'complete', finish: 'complete' };
    job.nextRound();
  }
}
