import { expect } from '@open-wc/testing';
import {
  nextStatus,
  transitions,
  type ThreadEvent,
  type ThreadStatus,
} from '../../../src/storage/threads/thread-status.ts';

const statuses = Object.keys(transitions) as readonly ThreadStatus[];
const events = [...new Set(Object.values(transitions).flatMap((row) => Object.keys(row)))] as readonly ThreadEvent[];
const after = (from: ThreadStatus, ...list: readonly ThreadEvent[]): ThreadStatus => list.reduce(nextStatus, from);

/** The status after each event; a point where it stays. The columns are those of `columns`. */
const columns = 'claim restore begin end run-elsewhere end-elsewhere take-over clear delete'.split(
  ' ',
) as readonly ThreadEvent[];
const table: Readonly<Record<ThreadStatus, string>> = {
  fresh: 'untouched idle running-here . running-elsewhere idle . untouched deleted',
  untouched: '. idle running-here . running-elsewhere idle . . deleted',
  idle: '. . running-here . running-elsewhere . . untouched deleted',
  'running-here': '. . . idle . . . untouched deleted',
  'running-elsewhere': '. . . . . idle idle untouched deleted',
  deleted: '. . . . . . . . .',
};

describe('nextStatus()', () => {
  for (const from of statuses) {
    const row = table[from].split(' ');
    for (const [index, event] of columns.entries()) {
      const expected = row[index] === '.' ? from : row[index];
      it(`${from}: ${event} → ${String(expected)}`, () => {
        expect(nextStatus(from, event)).to.equal(expected);
      });
    }
  }

  it('has a row for every event', () => {
    expect([...events].sort()).to.deep.equal([...columns].sort());
  });

  it('changes from every status to `deleted`, and from `deleted` to none', () => {
    for (const status of statuses) expect(nextStatus(status, 'delete')).to.equal('deleted');
    for (const event of events) expect(nextStatus('deleted', event)).to.equal('deleted');
  });

  it('can reach every status from every other, except from deleted and to fresh', () => {
    for (const start of statuses.filter((status) => status !== 'deleted')) {
      const reached = new Set<ThreadStatus>([start]);
      for (const status of reached) for (const event of events) reached.add(nextStatus(status, event));
      for (const status of statuses.filter((one) => one !== 'fresh' && one !== 'untouched'))
        expect(reached, `from ${start}`).to.include(status);
    }
  });

  const cases: readonly { name: string; events: readonly ThreadEvent[]; expected: ThreadStatus }[] = [
    { name: 'a turn', events: ['begin', 'end'], expected: 'idle' },
    { name: 'a reply of another tab, to its end', events: ['run-elsewhere', 'end-elsewhere'], expected: 'idle' },
    { name: 'a reply whose tab was closed', events: ['run-elsewhere', 'take-over', 'begin'], expected: 'running-here' },
    { name: 'two tabs that begin at the same moment', events: ['begin', 'run-elsewhere'], expected: 'running-here' },
    { name: 'cleared while streaming', events: ['begin', 'clear'], expected: 'untouched' },
    {
      name: 'cleared while following another tab',
      events: ['run-elsewhere', 'clear', 'end-elsewhere'],
      expected: 'idle',
    },
    { name: 'restored', events: ['claim', 'restore'], expected: 'idle' },
  ];
  for (const { name, events: list, expected } of cases)
    it(name, () => {
      expect(after('fresh', ...list)).to.equal(expected);
    });
});
