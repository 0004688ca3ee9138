import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import type { RetryWait } from '../../../src/runtime/reply-context.ts';
import {
  isAccepted,
  stageOf,
  transition,
  type TurnEffect,
  type TurnEnd,
  type TurnEvent,
  type TurnState,
} from '../../../src/runtime/chat/turn-state.ts';

const error = new ChatError('network', 'offline', { reason: 'offline' });
const delay: RetryWait = { until: 1000, attempt: 1, error, now: () => undefined };
const offline: RetryWait = { attempt: 1, error, now: () => undefined };

const states = {
  connecting: { phase: 'connecting', accepted: false },
  accepted: { phase: 'connecting', accepted: true },
  waiting: { phase: 'waiting', wait: delay, next: 'connecting' },
  'waiting, offline': { phase: 'waiting', wait: offline, next: 'connecting' },
  'waiting, later': { phase: 'waiting', wait: delay, next: 'streaming' },
  streaming: { phase: 'streaming', accepted: true },
  'streaming, not accepted': { phase: 'streaming', accepted: false },
  parked: { phase: 'parked', accepted: true },
  'parked, restored': { phase: 'parked', accepted: false },
  reconnecting: { phase: 'reconnecting', wait: delay, next: 'streaming' },
  'reconnecting, offline': { phase: 'reconnecting', wait: offline, next: 'streaming' },
  'reconnecting, without content': { phase: 'reconnecting', wait: delay, next: 'connecting' },
} as const satisfies Readonly<Record<string, TurnState>>;
type Name = keyof typeof states;

const stopped: TurnEnd = {
  outcome: { status: 'cancelled', finish: 'cancelled' },
  isFinished: false,
  byServer: false,
  saved: [],
};
const events = {
  accepted: { type: 'accepted' },
  delay: { type: 'wait', wait: delay },
  offline: { type: 'wait', wait: offline },
  attempt: { type: 'attempt' },
  content: { type: 'content' },
  question: { type: 'question' },
  answer: { type: 'answer' },
} as const satisfies Readonly<Record<string, TurnEvent>>;

/** State, event, the state after it, and the status that the user message gets. */
const cases: readonly [Name, keyof typeof events, Name, ('sending' | 'queued' | 'complete')?][] = [
  ['connecting', 'accepted', 'accepted', 'complete'],
  ['connecting', 'delay', 'waiting', 'sending'],
  ['connecting', 'offline', 'waiting, offline', 'queued'],
  ['connecting', 'attempt', 'connecting'],
  ['connecting', 'content', 'streaming, not accepted'],
  ['connecting', 'question', 'parked, restored'],
  ['connecting', 'answer', 'streaming, not accepted'],
  ['accepted', 'accepted', 'accepted', 'complete'],
  ['accepted', 'delay', 'reconnecting, without content'],
  ['accepted', 'attempt', 'accepted'],
  ['accepted', 'content', 'streaming'],
  ['accepted', 'question', 'parked'],
  ['accepted', 'answer', 'streaming'],
  ['waiting', 'accepted', 'accepted', 'complete'],
  ['waiting', 'delay', 'waiting', 'sending'],
  ['waiting', 'offline', 'waiting, offline', 'queued'],
  ['waiting', 'attempt', 'connecting', 'sending'],
  ['waiting', 'content', 'waiting, later'],
  ['waiting', 'question', 'parked, restored'],
  ['waiting', 'answer', 'waiting, later'],
  ['waiting, offline', 'delay', 'waiting', 'sending'],
  ['waiting, later', 'attempt', 'streaming, not accepted', 'sending'],
  ['waiting, later', 'accepted', 'streaming', 'complete'],
  ['streaming', 'accepted', 'streaming', 'complete'],
  ['streaming', 'delay', 'reconnecting'],
  ['streaming', 'offline', 'reconnecting, offline'],
  ['streaming', 'attempt', 'streaming'],
  ['streaming', 'content', 'streaming'],
  ['streaming', 'question', 'parked'],
  ['streaming', 'answer', 'streaming'],
  ['streaming, not accepted', 'accepted', 'streaming', 'complete'],
  ['streaming, not accepted', 'delay', 'waiting, later', 'sending'],
  ['parked', 'accepted', 'parked', 'complete'],
  ['parked', 'delay', 'reconnecting'],
  ['parked', 'attempt', 'parked'],
  ['parked', 'content', 'streaming'],
  ['parked', 'question', 'parked'],
  ['parked', 'answer', 'streaming'],
  ['parked, restored', 'delay', 'waiting, later', 'sending'],
  ['parked, restored', 'answer', 'streaming, not accepted'],
  ['reconnecting', 'accepted', 'streaming', 'complete'],
  ['reconnecting', 'offline', 'reconnecting, offline'],
  ['reconnecting', 'attempt', 'streaming'],
  ['reconnecting', 'content', 'reconnecting'],
  ['reconnecting', 'question', 'parked'],
  ['reconnecting', 'answer', 'reconnecting'],
  ['reconnecting, without content', 'attempt', 'accepted'],
  ['reconnecting, without content', 'content', 'reconnecting'],
];

describe('the states of a turn', () => {
  for (const [name, event, expected, mark] of cases) {
    it(`${name}: ${event} → ${expected}${mark ? `, the message is ${mark}` : ''}`, () => {
      const effects: readonly TurnEffect[] = mark ? [{ type: 'mark', status: mark }] : [];
      expect(transition(states[name], events[event])).to.deep.equal([states[expected], ...effects]);
    });
  }

  for (const name of Object.keys(states) as Name[]) {
    const tellsServer = ['accepted', 'streaming'].includes(name) || name.startsWith('reconnecting');
    it(`${name}: a stop ${tellsServer ? 'tells the server' : 'tells nobody'} before the reply is settled`, () => {
      const [state, ...effects] = transition(states[name], { type: 'end', end: stopped });
      expect(state).to.deep.equal({ phase: 'done', outcome: stopped.outcome });
      const settle = { type: 'settle', end: stopped };
      expect(effects).to.deep.equal(tellsServer ? [{ type: 'cancel' }, settle] : [settle]);
    });

    it(`${name}: any other end, and a stop after the end of the stream, tell the server nothing`, () => {
      const complete: TurnEnd = { ...stopped, outcome: { status: 'complete', finish: 'complete' } };
      for (const end of [complete, { ...stopped, isFinished: true }]) {
        expect(transition(states[name], { type: 'end', end })).to.deep.equal([
          { phase: 'done', outcome: end.outcome },
          { type: 'settle', end },
        ]);
      }
    });
  }

  it('done: nothing changes it', () => {
    const done: TurnState = { phase: 'done', outcome: stopped.outcome };
    for (const event of [...Object.values(events), { type: 'end', end: stopped } as const]) {
      expect(transition(done, event)).to.deep.equal([done]);
    }
  });

  it('are visible as stage and wait', () => {
    expect(stageOf(states.connecting)).to.deep.equal({ stage: 'connecting', wait: undefined });
    expect(stageOf(states['waiting, later'])).to.deep.equal({ stage: 'streaming', wait: delay });
    expect(stageOf(states.reconnecting)).to.deep.equal({ stage: 'streaming', wait: delay });
    expect(stageOf(states.parked)).to.deep.equal({ stage: 'parked', wait: undefined });
    expect(stageOf({ phase: 'done', outcome: stopped.outcome })).to.deep.equal({ stage: 'none', wait: undefined });
  });

  it('know whether the server has accepted the message', () => {
    const accepted = (Object.keys(states) as Name[]).filter((name) => isAccepted(states[name]));
    expect(accepted).to.deep.equal([
      'accepted',
      'streaming',
      'parked',
      'reconnecting',
      'reconnecting, offline',
      'reconnecting, without content',
    ]);
  });
});
