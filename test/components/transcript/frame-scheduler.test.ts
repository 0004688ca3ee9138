import { expect } from '@open-wc/testing';
import { makeRenderScheduler } from '../../../src/components/transcript/frame-scheduler.ts';
import { mount } from '../support/mount.ts';

/** A browser whose frames are triggered by the test, with a given rendering time. */
function makeFrames(cost: number) {
  let clock = 0;
  let waiting: (() => void)[] = [];
  let drawn = 0;
  const ask = makeRenderScheduler(
    () => {
      drawn++;
      clock += cost;
    },
    {
      now: () => clock,
      giveWay: () => Promise.resolve(),
      requestFrame: (callback) => waiting.push(callback),
    },
  );
  return {
    ask,
    drawn: () => drawn,
    /** The next frame, 16 ms after the previous one, or as soon as that is finished. */
    async frame(): Promise<void> {
      const callbacks = waiting;
      waiting = [];
      const begun = clock;
      for (const callback of callbacks) callback();
      // The browser continues and waits for the next frame.
      await Promise.resolve();
      clock = Math.max(clock, begun + 16);
    },
  };
}

describe('makeRenderScheduler()', () => {
  const rows = [
    { name: 'fast rendering: in each frame', cost: 2, draws: [1, 2, 3, 4, 5, 6] },
    { name: 'rendering of half a frame: in every other frame', cost: 12, draws: [1, 1, 2, 2, 3, 3] },
    { name: 'rendering of three frames: then three frames without rendering', cost: 48, draws: [1, 1, 1, 1, 2, 2] },
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

  it('does not wait after a slow rendering if it had nothing to render before for as long', async () => {
    const { ask, drawn, frame } = makeFrames(48);
    ask();
    await frame();
    for (let pause = 0; pause < 6; pause++) await frame();
    ask();
    await frame();
    ask();
    await frame();
    expect(drawn(), 'the second and the third, which wait for nothing').to.equal(3);
    ask();
    await frame();
    expect(drawn(), 'no time is left for a fourth').to.equal(3);
  });

  it('renders nothing without a frame, as in a hidden tab, and once when a frame comes', async () => {
    const { ask, drawn, frame } = makeFrames(2);
    for (let event = 0; event < 100; event++) ask();
    expect(drawn()).to.equal(0);
    await frame();
    expect(drawn()).to.equal(1);
  });

  it('renders only when it is requested', async () => {
    const { ask, drawn, frame } = makeFrames(2);
    ask();
    await frame();
    await frame();
    expect(drawn()).to.equal(1);
  });
});

describe('a burst of events', () => {
  it('is rendered at most once a frame', async () => {
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
    // The beginning and the end of a reply render for other reasons as well.
    expect(drawings).to.be.at.most(frames + 4);
  });
});
