import { expect } from '@open-wc/testing';
import { PropStabilizer } from '../../src/react/steady.ts';

const commit = (
  steady: PropStabilizer,
  props: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const kept = steady.stabilize(props);
  kept.commit();
  return kept.props;
};

/** Written anew each time, as a component does. */
const same: readonly { readonly name: string; readonly make: () => unknown }[] = [
  { name: 'a plain object', make: () => ({ a: 1 }) },
  { name: 'a list', make: () => [1, 'b'] },
  { name: 'an empty list', make: () => [] },
  { name: 'an object in a list in an object', make: () => ({ list: [{ a: { b: [1] } }] }) },
  { name: 'a function', make: () => () => 1 },
  { name: 'a function in a list', make: () => [{ name: 'now', execute: () => 1 }] },
];

const other: readonly { readonly name: string; readonly before: unknown; readonly now: unknown }[] = [
  { name: 'another word', before: { a: 1 }, now: { a: 2 } },
  { name: 'one name more', before: { a: 1 }, now: { a: 1, b: undefined } },
  { name: 'one name less', before: { a: 1, b: 1 }, now: { a: 1 } },
  { name: 'another name', before: { a: undefined }, now: { b: undefined } },
  { name: 'a longer list', before: [1], now: [1, 2] },
  { name: 'an empty object for an empty list', before: [], now: {} },
  { name: 'another instance of a class', before: new Date(0), now: new Date(0) },
];

describe('props of React', () => {
  for (const { name, make } of same) {
    it(`${name} that says the same stays the same`, () => {
      const steady = new PropStabilizer();
      const first = commit(steady, { prop: make() });
      expect(commit(steady, { prop: make() })['prop']).to.equal(first['prop']);
    });
  }
  for (const { name, before, now } of other) {
    it(`${name} is a change`, () => {
      const steady = new PropStabilizer();
      const first = commit(steady, { prop: before });
      const second = commit(steady, { prop: now });
      expect(second['prop']).not.to.equal(first['prop']);
      expect(second['prop']).to.equal(now);
    });
  }

  it('a function that stays calls the newest, with what it is given', () => {
    const steady = new PropStabilizer();
    const first = commit(steady, { tools: [{ execute: (by: number) => by }] });
    commit(steady, { tools: [{ execute: (by: number) => by * 10 }] });
    const [tool] = first['tools'] as [{ execute(by: number): number }];
    expect(tool.execute(2)).to.equal(20);
  });

  it('what was rendered and thrown away has changed nothing', () => {
    const steady = new PropStabilizer();
    const first = commit(steady, { answer: () => 'shown' });
    steady.stabilize({ answer: () => 'thrown away' });
    expect((first['answer'] as () => string)()).to.equal('shown');
  });

  it('what holds itself is compared to a depth', () => {
    const make = (): object => {
      const round: Record<string, unknown> = {};
      round['self'] = round;
      return round;
    };
    const steady = new PropStabilizer();
    commit(steady, { prop: make() });
    const now = make();
    expect(commit(steady, { prop: now })['prop']).to.be.an('object');
  });
});
