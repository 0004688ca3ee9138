import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { TraceLog } from '../../../src/runtime/trace/trace-log.ts';
import type { TraceEntry } from '../../../src/runtime/tracer.ts';
import { NOW } from '../../support/play-body.ts';

const message: ChatMessage = { id: 't', role: 'user', status: 'complete', blocks: [], timestamp: NOW };
type Said = TraceEntry extends infer Entry ? (Entry extends TraceEntry ? Omit<Entry, 'turn' | 'time'> : never) : never;
const add = (log: TraceLog, said: Said, turn = 't'): void => {
  log.add({ ...said, turn, time: NOW });
};
const begin = (log: TraceLog, turn = 't'): void => {
  add(log, { kind: 'turn', text: 'Hi', message: { ...message, id: turn }, mask: (value) => value }, turn);
};
const frame = (number: number, data = 'x'): Said => ({ kind: 'frame', number, frame: { data } });
const numbers = (log: TraceLog): readonly (readonly number[])[] => log.turns.map(({ frames }) => [...frames.keys()]);

describe('TraceLog', () => {
  it('keeps the newest entries and counts the dropped ones', () => {
    const log = new TraceLog({ entries: 2, length: 100 });
    begin(log);
    for (const number of [1, 2, 3]) add(log, frame(number));
    expect(numbers(log)).to.deep.equal([[2, 3]]);
    expect(log.dropped).to.equal(1);
  });

  it('keeps a limited amount of text, but always the last frame', () => {
    const log = new TraceLog({ entries: 10, length: 5 });
    begin(log);
    add(log, frame(1, '1234'));
    add(log, frame(2, '56'));
    expect(numbers(log)).to.deep.equal([[2]]);
    add(log, frame(3, 'longer than it may be'));
    expect(numbers(log)).to.deep.equal([[3]]);
  });

  it('removes a turn without entries', () => {
    const log = new TraceLog({ entries: 1, length: 100 });
    begin(log, 'first');
    add(log, frame(1), 'first');
    begin(log, 'second');
    add(log, frame(1), 'second');
    expect(log.turns.map(({ message: { id } }) => id)).to.deep.equal(['second']);
  });

  it('restarts for a turn that is answered again', () => {
    const log = new TraceLog();
    begin(log);
    add(log, frame(1));
    begin(log);
    add(log, frame(1));
    add(log, frame(2));
    expect(numbers(log)).to.deep.equal([[1], [1, 2]]);
  });

  it('adds nothing to a turn that was cleared', () => {
    const log = new TraceLog();
    begin(log);
    log.clear();
    add(log, frame(1));
    expect(log.turns).to.deep.equal([]);
  });

  it('counts from zero after it was cleared', () => {
    const log = new TraceLog({ entries: 2, length: 5 });
    const addEvents = (): void => {
      for (const content of ['a', 'b'])
        add(log, { kind: 'event', event: { type: 'response', data: { eventId: 'e', content } } } as Said);
    };
    begin(log);
    for (const number of [1, 2, 3]) add(log, frame(number));
    addEvents();
    log.clear();
    expect(log.dropped).to.equal(0);
    begin(log);
    add(log, frame(1, '12'));
    add(log, frame(2, '345'));
    addEvents();
    expect(numbers(log)).to.deep.equal([[1, 2]]);
    expect(log.turns[0]?.events.length).to.equal(2);
    expect(log.dropped).to.equal(0);
  });

  it('knows the frames of a reply that was repeated from its start', () => {
    const log = new TraceLog();
    begin(log);
    const feed = (number: number): void => {
      add(log, frame(number));
      add(log, { kind: 'fed', number });
    };
    feed(1);
    add(log, { kind: 'round' });
    feed(2);
    add(log, { kind: 'restart' });
    feed(3);
    expect(log.turns[0]?.fed).to.deep.equal([
      { number: 1, round: 0 },
      { number: 3, round: 1 },
    ]);
  });
});
