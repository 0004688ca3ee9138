import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { inSequence } from '../../src/protocols/shared/sequence.ts';
import { chunksOf } from '../support/cuts.ts';
import { fakeDelay, handFed, settled } from '../support/fake-delay.ts';
import { effort } from '../support/effort.ts';

const never = { delay: () => new Promise<void>(() => undefined) };
/** A number is an event with that place, a letter one without. */
type Event = number | string;
const placeOf = (event: Event): number | undefined => (typeof event === 'number' ? event : undefined);

async function order(batches: readonly (readonly Event[])[]): Promise<string> {
  const events: Event[] = [];
  for await (const batch of inSequence(chunksOf(batches), placeOf, never)) events.push(...batch);
  return events.join(' ');
}

const rows: readonly { readonly name: string; readonly events: readonly Event[]; readonly order: string }[] = [
  { name: 'in order', events: [0, 1, 2], order: '0 1 2' },
  { name: 'two swapped', events: [0, 2, 1, 3], order: '0 1 2 3' },
  { name: 'one far too early', events: [0, 4, 1, 2, 3, 5], order: '0 1 2 3 4 5' },
  { name: 'all the wrong way round', events: [3, 2, 1, 0], order: '0 1 2 3' },
  { name: 'duplicates', events: [0, 1, 1, 0, 2, 1], order: '0 1 2' },
  { name: 'a duplicate of one that is held', events: [0, 2, 2, 1], order: '0 1 2' },
  { name: 'a hole that is never filled', events: [0, 2, 3, 5], order: '0 2 3 5' },
  { name: 'a first number that is not 0', events: [5, 6], order: '5 6' },
  { name: 'without numbers', events: ['a', 'b'], order: 'a b' },
  { name: 'without numbers between others, which pass at once', events: [0, 2, 'a', 1], order: '0 a 1 2' },
];

describe('inSequence', () => {
  for (const { name, events, order: expected } of rows) {
    it(`${name}, event by event`, async () => {
      expect(await order(events.map((event) => [event]))).to.equal(expected);
    });
    it(`${name}, at once`, async () => {
      expect(await order([events])).to.equal(expected);
    });
  }

  it('puts any order right that is not too far off', async () => {
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

  it('holds no more than a bounded number of later events', async () => {
    const fed = handFed<readonly Event[]>();
    fed.feed(Array.from({ length: 300 }, (_item, index) => index + 1));
    for await (const batch of inSequence(fed.stream, placeOf, never)) {
      expect(batch.slice(0, 2)).to.deep.equal([1, 2]);
      break;
    }
  });

  it('waits half a second for a hole, however much comes meanwhile', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    const seen: Event[] = [];
    const reading = (async () => {
      for await (const batch of inSequence(fed.stream, placeOf, { delay })) seen.push(...batch);
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

  it('gives what comes later than it was waited for, once, since nothing that arrived is lost', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    const seen: Event[] = [];
    const reading = (async () => {
      for await (const batch of inSequence(fed.stream, placeOf, { delay })) seen.push(...batch);
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

  it('waits anew for another hole', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    const seen: Event[] = [];
    const reading = (async () => {
      for await (const batch of inSequence(fed.stream, placeOf, { delay })) seen.push(...batch);
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

  it('ends at once when its reader ends, though the stream is still open', async () => {
    const fed = handFed<readonly Event[]>();
    fed.feed([0]);
    for await (const batch of inSequence(fed.stream, placeOf, never)) {
      expect(batch).to.deep.equal([0]);
      break;
    }
    expect(fed.state.ended).to.equal(true);
  });

  it('ends at once too while something is held', async () => {
    const { delay, waiting } = fakeDelay();
    const fed = handFed<readonly Event[]>();
    fed.feed([1]);
    const results = inSequence(fed.stream, placeOf, { delay });
    const first = results.next();
    await settled();
    waiting[0]?.end();
    expect((await first).value).to.deep.equal([1]);
    expect((await results.return(undefined)).done).to.equal(true);
  });

  it('passes on what makes the stream fail', async () => {
    const failing = (async function* () {
      yield await Promise.resolve([0]);
      throw new Error('lost');
    })();
    const seen: Event[] = [];
    try {
      for await (const batch of inSequence(failing, placeOf, never)) seen.push(...batch);
    } catch (error) {
      seen.push((error as Error).message);
    }
    expect(seen).to.deep.equal([0, 'lost']);
  });
});
