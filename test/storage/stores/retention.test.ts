import { expect } from '@open-wc/testing';
import { expiryOf, threadsBeyondLimit } from '../../../src/storage/stores/retention.ts';

const DAY = 86_400_000;

describe('expiryOf()', () => {
  it('is the retention in days after the last change', () => expect(expiryOf(1000, 30)).to.equal(1000 + 30 * DAY));
  it('is the last change for a retention of 0 days', () => expect(expiryOf(1000, 0)).to.equal(1000));
  for (const days of [undefined, Infinity, Number.NaN, -1]) {
    it(`is undefined for ${String(days)}`, () => expect(expiryOf(1000, days)).to.equal(undefined));
  }
});

describe('threadsBeyondLimit()', () => {
  const thread = (id: string, updated: number, bytes: number) => ({ id, updated, bytes });
  const rows: readonly { name: string; threads: readonly ReturnType<typeof thread>[]; expected: readonly string[] }[] =
    [
      { name: 'nothing below the limit', threads: [thread('a', 1, 50), thread('b', 2, 50)], expected: [] },
      {
        name: 'the oldest first, in any order, and no more than needed',
        threads: [thread('new', 3, 60), thread('old', 1, 30), thread('middle', 2, 30)],
        expected: ['old'],
      },
      {
        name: 'never the conversation that is being written',
        threads: [thread('writing', 1, 90), thread('b', 2, 30), thread('c', 3, 30)],
        expected: ['b', 'c'],
      },
    ];
  for (const { name, threads, expected } of rows) {
    it(name, () => expect(threadsBeyondLimit(threads, 100, 'writing')).to.deep.equal(expected));
  }
});
