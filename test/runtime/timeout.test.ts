import { expect } from '@open-wc/testing';
import { ChatError } from '../../src/errors.ts';
import { withTimeout, type Clock } from '../../src/runtime/timeout.ts';
import { settled } from '../support/fake-delay.ts';

/** A clock that the test controls. */
function handClock() {
  let time = 0;
  let timer: { readonly due: number; readonly callback: () => void } | undefined;
  const clock: Clock = {
    now: () => time,
    after(milliseconds, callback) {
      timer = { due: time + milliseconds, callback };
      return () => {
        timer = undefined;
      };
    },
  };
  return {
    clock,
    isSet: () => timer !== undefined,
    /** Advances the clock. Timers that are due are called `late` milliseconds afterwards. */
    pass(milliseconds: number, late = 0): void {
      time += milliseconds;
      const due = timer;
      if (!due || due.due > time) return;
      timer = undefined;
      time = due.due + late;
      due.callback();
    },
  };
}

/** The state of a promise. */
async function standing(promise: Promise<unknown>): Promise<unknown> {
  const open = settled().then(() => 'open');
  return Promise.race([promise.catch((error: unknown) => (error instanceof ChatError ? error.reason : error)), open]);
}

const never = new Promise<string>(() => undefined);

describe('within()', () => {
  it('settles with the promise, and clears its timer', async () => {
    const { clock, isSet } = handClock();
    expect(await withTimeout(Promise.resolve('a'), 1000, 'stalled', undefined, clock)).to.equal('a');
    expect(isSet()).to.equal(false);
  });

  const rows = [
    { name: 'silence before the first byte', begun: false, late: 0, seen: 'no-answer' },
    { name: 'silence in a reply', begun: true, late: 0, seen: 'stalled' },
    { name: 'a timer that is a second late, as in a hidden tab', begun: true, late: 1000, seen: 'stalled' },
    { name: 'a page that was frozen meanwhile', begun: true, late: 600_000, seen: 'open' },
  ];
  for (const { name, begun, late, seen } of rows) {
    it(`${name}: ${seen}`, async () => {
      const { clock, pass } = handClock();
      const waiting = withTimeout(never, 60_000, begun ? 'stalled' : 'no-answer', undefined, clock);
      pass(60_000, late);
      expect(await standing(waiting)).to.equal(seen);
    });
  }

  it('after a freeze the timer restarts, and silence in that time is silence', async () => {
    const { clock, pass } = handClock();
    const waiting = withTimeout(never, 60_000, 'stalled', undefined, clock);
    pass(60_000, 3_600_000);
    pass(59_999);
    expect(await standing(waiting)).to.equal('open');
    pass(1);
    expect(await standing(waiting)).to.equal('stalled');
  });

  it('while the agent waits for the user there is no limit, and with the answer it starts again', async () => {
    const { clock, pass } = handClock();
    const answers: number[] = [];
    const waiting = withTimeout(never, 60_000, 'stalled', () => answers[0] ?? clock.now(), clock);
    pass(60_000);
    pass(59_000);
    answers.push(clock.now());
    pass(1000);
    pass(58_999);
    expect(await standing(waiting)).to.equal('open');
    pass(1);
    expect(await standing(waiting)).to.equal('stalled');
  });
});
