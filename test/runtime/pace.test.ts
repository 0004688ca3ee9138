import { expect } from '@open-wc/testing';
import { browserPace, paced, turnPerFrame, type Frames } from '../../src/runtime/pace.ts';
import { chunksOf } from '../support/cuts.ts';

/** Reads with so much work for each piece, on a clock that only work moves on. */
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
  for await (const piece of paced(chunksOf(batches), pace)) {
    read.push(...piece);
    log.push(String(piece.length));
    clock += work;
  }
  return { log, read };
}

describe('paced()', () => {
  const rows = [
    { name: 'little work needs no turn between', work: 1, sizes: [1, 1, 1], log: ['1', '1', '1'] },
    { name: 'much work does, as soon as it has been much', work: 4, sizes: [3, 3, 3], log: ['3', '3', 'way', '3'] },
    { name: 'each piece that takes long', work: 20, sizes: [1, 1], log: ['1', 'way', '1', 'way'] },
    { name: 'a burst comes in pieces', work: 3, sizes: [800], log: ['256', '256', '256', 'way', '32'] },
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

  it('lets the page have its turn for real', async () => {
    let turns = 0;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      turns++;
      port2.postMessage(undefined);
    };
    port2.postMessage(undefined);
    let clock = 0;
    const read: number[] = [];
    for await (const piece of paced(chunksOf([[1], [2]]), { ...browserPace(), now: () => (clock += 10) }))
      read.push(...piece);
    port1.close();
    expect(read).to.deep.equal([1, 2]);
    expect(turns).to.be.greaterThan(0);
  });
});

describe('turnPerFrame()', () => {
  const order = async (frames: Frames): Promise<readonly string[]> => {
    const log: string[] = [];
    const next = (callback: () => void): unknown =>
      frames.next(() => {
        log.push('frame');
        callback();
      });
    const pace = turnPerFrame({ ...frames, next });
    for (const turn of ['first', 'second']) {
      log.push(turn);
      await pace.giveWay();
    }
    pace.end?.();
    return log;
  };

  it('has a frame between turns', async () => {
    const frames = { seen: () => true, next: requestAnimationFrame.bind(window) };
    expect(await order(frames)).to.deep.equal(['first', 'frame', 'second', 'frame']);
  });

  it('waits for none in a tab that nobody sees', async () => {
    expect(await order({ seen: () => false, next: requestAnimationFrame.bind(window) })).to.deep.equal([
      'first',
      'second',
    ]);
  });

  it('goes on where none is made', async () => {
    expect(await order({ seen: () => true, next: () => undefined })).to.deep.equal(['first', 'second']);
  });
});
