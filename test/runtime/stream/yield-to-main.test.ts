import { expect } from '@open-wc/testing';
import { taskScheduler } from '../../../src/runtime/stream/task-scheduler.ts';
import {
  yieldBetweenSlices,
  yieldToMain,
  frameScheduler,
  type FrameSource,
} from '../../../src/runtime/stream/yield-to-main.ts';
import { chunksOf } from '../../support/cuts.ts';

/** Reads chunks that each take so much work, on a clock that only this work advances. */
async function readWith(work: number, sizes: readonly number[]) {
  const log: string[] = [];
  let clock = 0;
  let first = 0;
  const batches = sizes.map((size) => Array.from({ length: size }, () => first++));
  const read: number[] = [];
  const pace = {
    now: () => clock,
    giveWay: () => {
      log.push('way');
      return Promise.resolve();
    },
  };
  for await (const piece of yieldToMain(chunksOf(batches), pace)) {
    read.push(...piece);
    log.push(String(piece.length));
    clock += work;
  }
  return { log, read };
}

describe('yieldBetweenSlices()', () => {
  it('passes a large read on in slices of 32 KiB, and yields after slow work on one', async () => {
    const bytes = Uint8Array.from({ length: 80 * 1024 }, (_, index) => index % 251);
    const log: string[] = [];
    const read: number[] = [];
    let clock = 0;
    const pace = {
      now: () => clock,
      giveWay: () => {
        log.push('way');
        return Promise.resolve();
      },
    };
    for await (const slice of yieldBetweenSlices(chunksOf([bytes, bytes.subarray(0, 3)]), pace)) {
      log.push(String(slice.length));
      read.push(...slice);
      clock += 5;
    }
    expect(log).to.deep.equal(['32768', '32768', 'way', '16384', '3', 'way']);
    expect(read).to.deep.equal([...bytes, ...bytes.subarray(0, 3)]);
  });
});

describe('yieldToMain()', () => {
  const rows = [
    { name: 'a little work does not yield', work: 1, sizes: [1, 1, 1], log: ['1', '1', '1'] },
    { name: 'long work yields as soon as it has taken long', work: 4, sizes: [3, 3, 3], log: ['3', '3', 'way', '3'] },
    { name: 'after each slow chunk', work: 20, sizes: [1, 1], log: ['1', 'way', '1', 'way'] },
    { name: 'in a burst of chunks', work: 3, sizes: [800], log: ['256', '256', '256', 'way', '32'] },
    { name: 'nothing', work: 20, sizes: [], log: [] },
  ];
  for (const { name, work, sizes, log } of rows) {
    it(name, async () => {
      const seen = await readWith(work, sizes);
      expect(seen.log).to.deep.equal(log);
      expect(seen.read).to.deep.equal(
        Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, index) => index),
      );
    });
  }

  it('rule 95: batches are as small as the work on them is slow, and begin with one item after long ones', async () => {
    const items = [...Array<number>(300).fill(1), 70_000, ...Array<number>(6).fill(1)];
    let clock = 0;
    const log: string[] = [];
    const pace = {
      now: () => clock,
      giveWay: () => {
        log.push('way');
        return Promise.resolve();
      },
    };
    for await (const batch of yieldToMain(chunksOf([items]), pace, (length) => length)) {
      log.push(String(batch.length));
      // From the long item on, each item takes long.
      if (batch.includes(70_000) || log.length > 2) clock += 30 * batch.length;
    }
    expect(log).to.deep.equal(['256', '45', 'way', ...Array<string[]>(6).fill(['1', 'way']).flat()]);
  });

  it('yields to the real event loop', async () => {
    let turns = 0;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      turns++;
      port2.postMessage(undefined);
    };
    port2.postMessage(undefined);
    let clock = 0;
    const read: number[] = [];
    for await (const piece of yieldToMain(chunksOf([[1], [2]]), { ...taskScheduler(), now: () => (clock += 10) }))
      read.push(...piece);
    port1.close();
    expect(read).to.deep.equal([1, 2]);
    expect(turns).to.be.greaterThan(0);
  });
});

describe('turnPerFrame()', () => {
  const order = async (frames: FrameSource): Promise<readonly string[]> => {
    const log: string[] = [];
    const next = (callback: () => void): unknown =>
      frames.next(() => {
        log.push('frame');
        callback();
      });
    const pace = frameScheduler({ ...frames, next });
    for (const turn of ['first', 'second']) {
      log.push(turn);
      await pace.giveWay();
    }
    pace.dispose?.();
    return log;
  };

  it('has a frame between two batches', async () => {
    const frames = { seen: () => true, next: requestAnimationFrame.bind(window) };
    expect(await order(frames)).to.deep.equal(['first', 'frame', 'second', 'frame']);
  });

  it('does not wait for frames in a hidden tab', async () => {
    expect(await order({ seen: () => false, next: requestAnimationFrame.bind(window) })).to.deep.equal([
      'first',
      'second',
    ]);
  });

  it('continues if the browser makes no frame', async () => {
    expect(await order({ seen: () => true, next: () => undefined })).to.deep.equal(['first', 'second']);
  });
});
