import { expect } from '@open-wc/testing';
import { drawSoon } from '../../src/components/draw-soon.ts';
import { mount } from './support/mount.ts';

/** A browser whose frames come when the test says so, and in which a drawing takes so long. */
function makeFrames(cost: number) {
  let clock = 0;
  let waiting: (() => void)[] = [];
  let drawn = 0;
  const ask = drawSoon(
    () => {
      drawn++;
      clock += cost;
    },
    {
      now: () => clock,
      giveWay: () => Promise.resolve(),
      frame: (callback) => waiting.push(callback),
    },
  );
  return {
    ask,
    drawn: () => drawn,
    /** The next frame, 16 milliseconds behind the one before or as soon as that is through. */
    async frame(): Promise<void> {
      const callbacks = waiting;
      waiting = [];
      const begun = clock;
      for (const callback of callbacks) callback();
      // The browser has its turn, and waits for the next frame.
      await Promise.resolve();
      clock = Math.max(clock, begun + 16);
    },
  };
}

describe('drawSoon()', () => {
  const rows = [
    { name: 'cheap: in each frame', cost: 2, draws: [1, 2, 3, 4, 5, 6] },
    { name: 'half a frame: in every other one', cost: 12, draws: [1, 1, 2, 2, 3, 3] },
    { name: 'three frames: then it rests for three', cost: 48, draws: [1, 1, 1, 1, 2, 2] },
  ];
  for (const { name, cost, draws } of rows) {
    it(name, async () => {
      const { ask, drawn, frame } = makeFrames(cost);
      const seen: number[] = [];
      for (const _count of draws) {
        for (let event = 0; event < 100; event++) ask();
        await frame();
        seen.push(drawn());
      }
      expect(seen).to.deep.equal(draws);
    });
  }

  it('nothing without a frame, as in a hidden tab, and once for all when one comes', async () => {
    const { ask, drawn, frame } = makeFrames(2);
    for (let event = 0; event < 100; event++) ask();
    expect(drawn()).to.equal(0);
    await frame();
    expect(drawn()).to.equal(1);
  });

  it('nothing that nobody has asked for', async () => {
    const { ask, drawn, frame } = makeFrames(2);
    ask();
    await frame();
    await frame();
    expect(drawn()).to.equal(1);
  });
});

describe('a burst of events', () => {
  it('is drawn once a frame at most', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Go');
    await agent.heard(1);
    let frames = 0;
    let drawings = 0;
    let counting = true;
    const count = (): void => {
      frames++;
      if (counting) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    const { performUpdate } = chat as unknown as { performUpdate(): void };
    Object.assign(chat, {
      performUpdate() {
        drawings++;
        performUpdate.call(chat);
      },
    });
    for (let piece = 0; piece < 2000; piece++) agent.write(`word ${String(piece)} `);
    agent.end('Done.');
    const answer = await sent;
    counting = false;
    expect(answer.blocks.map((block) => block.content?.endsWith('word 1999 Done.'))).to.deep.equal([true]);
    // What begins and ends a reply is drawn for other reasons too.
    expect(drawings).to.be.at.most(frames + 4);
  });
});
