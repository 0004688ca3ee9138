import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { reorderEvents } from '../../src/protocols/shared/reorder-events.ts';
import { chunksOf } from '../support/cuts.ts';
import { fakeDelay, handFed, settled } from '../support/fake-delay.ts';
import { effort } from '../support/effort.ts';

const never = { delay: () => new Promise<void>(() => undefined) };
/** A number is an event with that sequence number, a letter one without. */
type Event = number | string;
const placeOf = (event: Event): number | undefined => (typeof event === 'number' ? event : undefined);

async function order(batches: readonly (readonly Event[])[]): Promise<string> {
  const events: Event[] = [];
  for await (const batch of reorderEvents(chunksOf(batches), placeOf, never)) events.push(...batch);
  return events.join(' ');
}

const rows: readonly { readonly name: string; readonly events: readonly Event[]; readonly order: string }[] = [
  { name: 'in order', events: [0, 1, 2], order: '0 1 2' },
  { name: 'two swapped', events: [0, 2, 1, 3], order: '0 1 2 3' },
  { name: 'one far too early', events: [0, 4, 1, 2, 3, 5], order: '0 1 2 3 4 5' },
  { name: 'in reverse order', events: [3, 2, 1, 0], order: '0 1 2 3' },
  { name: 'duplicates', events: [0, 1, 1, 0, 2, 1], order: '0 1 2' },
  { name: 'a duplicate of a held event', events: [0, 2, 2, 1], order: '0 1 2' },
  { name: 'a gap that is never filled', events: [0, 2, 3, 5], order: '0 2 3 5' },
  { name: 'a first number that is not 0', events: [5, 6], order: '5 6' },
  { name: 'without numbers', events: ['a', 'b'], order: 'a b' },
  { name: 'without numbers between others, which pass immediately', events: [0, 2, 'a', 1], order: '0 a 1 2' },
];

describe('inSequence', () => {
  for (const { name, events, order: expected } of rows) {
    it(`${name}, event by event`, async () => {
      expect(await order(events.map((event) => [event]))).to.equal(expected);
    });
    it(`${name}, in one batch`, async () => {
      expect(await order([events])).to.equal(expected);
    });
  }

  it('restores any order within its limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(
          Array.from({ length: 40 }, (_item, index) => index),
          { minLength: 40 },
        ),
        async (events) => {
          expect(await order(events.map((event) => [event]))).to.equal(
            Array.from({ length: 40 }, (_item, index) => index).join(' '),
          );
        },
      ),
      { numRuns: effort(30) },
    );
  });

  it('holds only a limited number of later events', async () => {
    const fed = handFed<readonly Event[]>();
    fed.feed(Array.from({ length: 300 }, (_item, index) => index + 1));
    for await (const batch of reorderEvents(fed.stream, placeOf, never)) {
      expect(batch.slice(0, 2)).to.deep.equal([1, 2]);
      break;
    }
  });

  it('waits half a second for a gap, however much comes meanwhile', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    const seen: Event[] = [];
    const reading = (async () => {
      for await (const batch of reorderEvents(fed.stream, placeOf, { delay })) seen.push(...batch);
    })();
    for (const batch of [[0], [2], [3], [4]]) {
      fed.feed(batch);
      await settled();
    }
    expect(seen).to.deep.equal([0]);
    expect(waiting.map(({ milliseconds }) => milliseconds)).to.deep.equal([500]);
    waiting[0]?.end();
    await settled();
    expect(seen).to.deep.equal([0, 2, 3, 4]);
    fed.feed([5]);
    await settled();
    expect(seen).to.deep.equal([0, 2, 3, 4, 5]);
    fed.end();
    await reading;
  });

  it('emits late events once, since nothing that arrived is lost', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    const seen: Event[] = [];
    const reading = (async () => {
      for await (const batch of reorderEvents(fed.stream, placeOf, { delay })) seen.push(...batch);
    })();
    fed.feed([0, 2]);
    await settled();
    waiting[0]?.end();
    await settled();
    fed.feed([1], [1], [2], [3]);
    fed.end();
    await reading;
    expect(seen).to.deep.equal([0, 2, 1, 3]);
  });

  it('restarts the wait for another gap', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    const seen: Event[] = [];
    const reading = (async () => {
      for await (const batch of reorderEvents(fed.stream, placeOf, { delay })) seen.push(...batch);
    })();
    for (const batch of [[0, 2], [1], [4]]) {
      fed.feed(batch);
      await settled();
    }
    expect([seen.join(' '), waiting.length]).to.deep.equal(['0 1 2', 2]);
    waiting[0]?.end();
    await settled();
    expect(seen.join(' ')).to.equal('0 1 2');
    waiting[1]?.end();
    await settled();
    expect(seen.join(' ')).to.equal('0 1 2 4');
    fed.end();
    await reading;
  });

  it('ends immediately when its consumer ends, though the stream is still open', async () => {
    const fed = handFed<readonly Event[]>();
    fed.feed([0]);
    for await (const batch of reorderEvents(fed.stream, placeOf, never)) {
      expect(batch).to.deep.equal([0]);
      break;
    }
    expect(fed.state.ended).to.equal(true);
  });

  it('ends immediately too while events are held', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    fed.feed([1]);
    const results = reorderEvents(fed.stream, placeOf, { delay });
    const first = results.next();
    await settled();
    waiting[0]?.end();
    expect((await first).value).to.deep.equal([1]);
    expect((await results.return(undefined)).done).to.equal(true);
  });

  it('passes on the error of the stream', async () => {
    const failing = (async function* () {
      yield await Promise.resolve([0]);
      throw new Error('lost');
    })();
    const seen: Event[] = [];
    try {
      for await (const batch of reorderEvents(failing, placeOf, never)) seen.push(...batch);
    } catch (error) {
      seen.push((error as Error).message);
    }
    expect(seen).to.deep.equal([0, 'lost']);
  });
});
