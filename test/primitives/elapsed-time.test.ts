import { expect, fixture, html } from '@open-wc/testing';
import { createLocalize } from '../../src/locales/localize.ts';
import type { AgentChatElapsed } from '../../src/primitives/elapsed-time.ts';
import '../../src/components/conversation-chunk.ts';

/** A clock under the test's control, with the intervals that run on it. */
function fakeClock() {
  const { setInterval, clearInterval } = globalThis;
  const { now } = Date;
  const ticking = new Map<number, () => void>();
  const clock = { now: 1_000_000 };
  let count = 0;
  Date.now = () => clock.now;
  Object.assign(globalThis, {
    setInterval: (act: () => void) => {
      ticking.set(++count, act);
      return count;
    },
    clearInterval: (id: number) => ticking.delete(id),
  });
  return {
    ticking,
    pass(milliseconds: number): void {
      clock.now += milliseconds;
      for (const act of ticking.values()) act();
    },
    restore(): void {
      Date.now = now;
      Object.assign(globalThis, { setInterval, clearInterval });
    },
  };
}

describe('elapsed time', () => {
  let clock: ReturnType<typeof fakeClock>;
  beforeEach(() => {
    clock = fakeClock();
  });
  afterEach(() => {
    clock.restore();
  });

  const make = (since: number, until?: number) => {
    const localize = createLocalize('en');
    return fixture<AgentChatElapsed>(
      html`<agent-chat-elapsed .since=${since} .until=${until} .localize=${localize}></agent-chat-elapsed>`,
    );
  };
  const textAfter = async (element: AgentChatElapsed, milliseconds: number) => {
    clock.pass(milliseconds);
    await element.updateComplete;
    return element.textContent.replace(/\s/g, ' ').trim();
  };

  it('counts up from a moment', async () => {
    const element = await make(1_000_000 - 4000);
    expect(await textAfter(element, 0)).to.match(/^4 ?s$/);
    expect(await textAfter(element, 8000)).to.match(/^12 ?s$/);
    expect(await textAfter(element, 60_000)).to.match(/^1 ?m 12 ?s$/);
  });

  it('counts down to a moment, and not below zero', async () => {
    const element = await make(1_000_000, 1_000_000 + 3000);
    expect(await textAfter(element, 1000)).to.match(/^2 ?s$/);
    expect(await textAfter(element, 5000)).to.match(/^0 ?s$/);
  });

  it('shows zero for a moment in the future', async () => {
    expect(await textAfter(await make(2_000_000), 0)).to.match(/^0 ?s$/);
  });

  it('ticks only while it is on the page', async () => {
    const element = await make(1_000_000);
    const container = element.parentElement;
    expect(clock.ticking.size).to.equal(1);
    element.remove();
    expect(clock.ticking.size).to.equal(0);
    container?.append(element);
    expect(clock.ticking.size).to.equal(1);
    expect(await textAfter(element, 3000)).to.match(/^3 ?s$/);
  });
});
