/**
 * The states of a turn, and what each event does in each of them: pure data, performed by `run-turn.ts`. `docs/house.md`
 * shows it as a picture.
 */
import type { RunOutcome } from '../../conversation/run.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { RetryWait } from '../reply-context.ts';
import type { ChatState } from './chat-state.ts';

/** The two states to which a wait returns. */
type Active = 'connecting' | 'streaming';

/**
 * `accepted`: whether the server has accepted a request of this run. From then on the agent may be working on it. A run begins without,
 * also if its message was accepted before: for a restored reply, or one that is regenerated.
 */
export type TurnState =
  /** The first request is on its way, or its response has no content yet. Later requests leave the state at `streaming`. */
  | { readonly phase: 'connecting'; readonly accepted: boolean }
  /** No request was accepted yet, and the next attempt waits for a delay or for the network. */
  | { readonly phase: 'waiting'; readonly wait: RetryWait; readonly next: Active }
  | { readonly phase: 'streaming'; readonly accepted: boolean }
  /** The stream has ended without an error, and the agent waits for the user. A stream that stays open for the answer is `streaming`. */
  | { readonly phase: 'parked'; readonly accepted: boolean }
  /** A request was accepted before, and the next one waits: to resume the reply, or to repeat that of a later round. */
  | { readonly phase: 'reconnecting'; readonly wait: RetryWait; readonly next: Active }
  | { readonly phase: 'done'; readonly outcome: RunOutcome };

export type TurnEvent =
  /** The server has accepted the request. */
  | { readonly type: 'accepted' }
  /** The next attempt has to wait. */
  | { readonly type: 'wait'; readonly wait: RetryWait }
  /** The wait is over. */
  | { readonly type: 'attempt' }
  /** An event was applied, of the stream or of the widget itself, or the next round begins. */
  | { readonly type: 'content' }
  /** The stream has ended without an error, and an action block is pending. */
  | { readonly type: 'question' }
  /** The user has answered everything. */
  | { readonly type: 'answer' }
  | { readonly type: 'end'; readonly end: TurnEnd };

export interface TurnEnd {
  readonly outcome: RunOutcome;
  /** Whether the stream has reported its end before. */
  readonly isFinished: boolean;
  /** Whether the outcome comes from the stream, and not from a stop or an error in the widget. */
  readonly byServer: boolean;
  /** The messages before a resume that has brought nothing. All but those that are `streaming` stay unchanged. */
  readonly saved: readonly ChatMessage[];
}

export type TurnEffect =
  /** Sets the status of the user message. One that was accepted before stays `complete`. */
  | { readonly type: 'mark'; readonly status: 'sending' | 'queued' | 'complete' }
  /** Asks the server to cancel the reply. */
  | { readonly type: 'cancel' }
  /** Moves the reply into the thread with its outcome, closes the connection and reports the reply. */
  | { readonly type: 'settle'; readonly end: TurnEnd };

export type TurnStep = readonly [state: TurnState, ...effects: readonly TurnEffect[]];

type Phase = TurnState['phase'];
type StateOf<P extends Phase> = Extract<TurnState, { phase: P }>;
type EventOf<T extends TurnEvent['type']> = Extract<TurnEvent, { type: T }>;

/** Total: a new phase or event does not compile until its cells are filled in. */
type Transitions = {
  readonly [P in Phase]: {
    readonly [T in TurnEvent['type']]: (state: StateOf<P>, event: EventOf<T>) => TurnStep;
  };
};

const stay = (state: TurnState): TurnStep => [state];

/** The user message is `complete` when the server has accepted it, before its reply has ended. */
const sent = { type: 'mark', status: 'complete' } as const;
const sending = { type: 'mark', status: 'sending' } as const;

/** Without a time, the wait is for the network. */
const waitFor = (wait: RetryWait, next: Active): TurnStep => [
  { phase: 'waiting', wait, next },
  { type: 'mark', status: wait.until === undefined ? 'queued' : 'sending' },
];

const accept = (phase: Active): TurnStep => [{ phase, accepted: true }, sent];

const waitAgain = ({ phase, accepted }: StateOf<Active>, { wait }: EventOf<'wait'>): TurnStep =>
  accepted ? [{ phase: 'reconnecting', wait, next: phase }] : waitFor(wait, phase);

const settle = (end: TurnEnd, ...before: readonly TurnEffect[]): TurnStep => [
  { phase: 'done', outcome: end.outcome },
  ...before,
  { type: 'settle', end },
];

const end = (_state: TurnState, event: EventOf<'end'>): TurnStep => settle(event.end);

/**
 * A stop before the stream has reported its end: without a cancel request, an agent on a server would continue. The request is
 * built first, because it contains the reply as it is now.
 */
const leave = (_state: TurnState, event: EventOf<'end'>): TurnStep =>
  event.end.outcome.status === 'cancelled' && !event.end.isFinished
    ? settle(event.end, { type: 'cancel' })
    : settle(event.end);

const endActive = (state: StateOf<Active>, event: EventOf<'end'>): TurnStep =>
  state.accepted ? leave(state, event) : end(state, event);

const stream = ({ accepted }: StateOf<Active | 'parked'>): TurnStep => [{ phase: 'streaming', accepted }];
const park = ({ accepted }: StateOf<Active | 'parked'>): TurnStep => [{ phase: 'parked', accepted }];

const transitions: Transitions = {
  connecting: {
    accepted: () => accept('connecting'),
    wait: waitAgain,
    attempt: stay,
    content: stream,
    question: park,
    answer: stream,
    end: endActive,
  },
  waiting: {
    accepted: ({ next }) => accept(next),
    wait: ({ next }, { wait }) => waitFor(wait, next),
    attempt: ({ next }) => [{ phase: next, accepted: false }, sending],
    content: (state) => [{ ...state, next: 'streaming' }],
    question: () => [{ phase: 'parked', accepted: false }],
    answer: (state) => [{ ...state, next: 'streaming' }],
    end,
  },
  streaming: {
    accepted: () => accept('streaming'),
    wait: waitAgain,
    attempt: stay,
    content: stay,
    question: park,
    answer: stay,
    end: endActive,
  },
  parked: {
    accepted: () => [{ phase: 'parked', accepted: true }, sent],
    wait: (state, { wait }) =>
      state.accepted ? [{ phase: 'reconnecting', wait, next: 'streaming' }] : waitFor(wait, 'streaming'),
    attempt: stay,
    content: stream,
    question: stay,
    answer: stream,
    // Nothing runs on the server.
    end,
  },
  reconnecting: {
    accepted: ({ next }) => accept(next),
    wait: (state, { wait }) => [{ ...state, wait }],
    attempt: ({ next }) => [{ phase: next, accepted: true }],
    content: (state) => [{ ...state, next: 'streaming' }],
    question: () => [{ phase: 'parked', accepted: true }],
    answer: (state) => [{ ...state, next: 'streaming' }],
    end: leave,
  },
  // Events that arrive after the end are ignored.
  done: { accepted: stay, wait: stay, attempt: stay, content: stay, question: stay, answer: stay, end: stay },
};

/** The state after an event, and the effects to perform, in their order. */
export function transition(state: TurnState, event: TurnEvent): TurnStep {
  // TypeScript cannot tie both keys to their arguments; the type of the table is the proof.
  return transitions[state.phase][event.type](state as never, event as never);
}

/** Whether the server has accepted a request of this run. */
export const isAccepted = (state: TurnState): boolean =>
  state.phase === 'reconnecting' || ('accepted' in state && state.accepted);

/** The fields of the conversation's state that show a turn. */
export function stageOf(state: TurnState): Pick<ChatState, 'stage' | 'wait'> {
  if ('wait' in state) return { stage: state.next, wait: state.wait };
  return { stage: state.phase === 'done' ? 'none' : state.phase, wait: undefined };
}
