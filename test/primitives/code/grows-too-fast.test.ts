import { expect } from '@open-wc/testing';
import { growsTooFast } from '../../../src/primitives/code/grows-too-fast.ts';

/** The answer for a text whose parts take these times, and the longest of them. */
async function tried(length: number, timeOf: (start: number, end: number) => number) {
  const times: number[] = [];
  const measure = (start: number, end: number): number => {
    times.push(timeOf(start, end));
    return times.at(-1) ?? 0;
  };
  const grows = await growsTooFast(length, measure, () => Promise.resolve());
  return { grows, longest: Math.max(...times), calls: times.length };
}

describe('growsTooFast()', () => {
  const quadratic = (start: number, end: number): number => 5 * (Math.max(0, end - start) / 1024) ** 2;

  it('measures a short text once', async () => {
    expect(await tried(2000, () => 1)).to.deep.equal({ grows: false, longest: 1, calls: 1 });
  });

  it('accepts time in proportion to the length, also on a slow device', async () => {
    expect((await tried(50_000, (start, end) => (end - start) / 1000)).grows).to.equal(false);
    expect((await tried(50_000, (start, end) => (end - start) / 100)).grows).to.equal(false);
  });

  it('finds quadratic time before a part takes long', async () => {
    const { grows, longest } = await tried(50_000, quadratic);
    expect([grows, longest]).to.deep.equal([true, 80]);
  });

  it('finds it in any part of the text', async () => {
    for (const from of [0, 10_000, 45_000]) {
      const { grows, longest } = await tried(50_000, (start, end) =>
        quadratic(Math.max(start, from), Math.min(end, from + 5000)),
      );
      expect([grows, longest <= 125], String(from)).to.deep.equal([true, true]);
    }
  });

  it('measures again what other work has delayed', async () => {
    let calls = 0;
    expect((await tried(3000, () => (++calls > 1 && calls < 5 ? 500 : 2))).grows).to.equal(false);
  });
});
