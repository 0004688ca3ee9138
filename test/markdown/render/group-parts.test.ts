import { expect } from '@open-wc/testing';
import { groupParts, type GroupSize, type ListNode } from '../../../src/markdown/render/vnode.ts';

interface Grouped {
  /** The parts of the group, with `*` after one that begins its group. */
  readonly parts: string;
  readonly settled: number;
  readonly changed: readonly number[];
  readonly whole: boolean;
  readonly last: boolean;
}

/** Groups parts that are named by their index. */
function group(
  list: Pick<ListNode, 'count' | 'settled' | 'changed'>,
  size: GroupSize,
  key: object = [],
): { readonly list: ListNode; readonly groups: readonly Grouped[] } {
  const groups: Grouped[] = [];
  const grouped = groupParts(
    { ...list, key: [key], at: (index, begins) => `${String(index)}${begins ? '*' : ''}` },
    size,
    (content, { whole, last }) => {
      const texts = Array.from({ length: content.count }, (_, index) => content.at(index, false) as string);
      groups.push({
        parts: texts.join(' '),
        settled: content.settled,
        changed: [...(content.changed ?? [])].sort(),
        whole,
        last,
      });
      return '';
    },
  );
  for (let index = 0; index < grouped.count; index++) grouped.at(index, index === 0);
  return { list: grouped, groups };
}

const partsOf = ({ groups }: ReturnType<typeof group>): readonly string[] => groups.map(({ parts }) => parts);

describe('groupParts', () => {
  for (const { count, expected } of [
    { count: 0, expected: [] },
    { count: 1, expected: ['0*'] },
    { count: 3, expected: ['0* 1 2'] },
    { count: 4, expected: ['0* 1 2', '3*'] },
    { count: 6, expected: ['0* 1 2', '3* 4 5'] },
  ])
    it(`puts ${String(count)} parts into groups of three`, () => {
      expect(partsOf(group({ count, settled: 0 }, { size: 3 }))).to.deep.equal(expected);
    });

  for (const { settled, groups, whole, within } of [
    { settled: 0, groups: 0, whole: [false, false, false], within: [0, 0, 0] },
    { settled: 2, groups: 0, whole: [false, false, false], within: [2, 0, 0] },
    { settled: 3, groups: 1, whole: [true, false, false], within: [3, 0, 0] },
    { settled: 5, groups: 1, whole: [true, false, false], within: [3, 2, 0] },
    { settled: 6, groups: 2, whole: [true, true, false], within: [3, 3, 0] },
  ])
    it(`settles ${String(groups)} groups of three with ${String(settled)} settled parts`, () => {
      const result = group({ count: 7, settled }, { size: 3 });
      expect(result.list.settled).to.equal(groups);
      expect(result.groups.map((content) => content.whole)).to.deep.equal(whole);
      expect(result.groups.map((content) => content.settled)).to.deep.equal(within);
      expect(result.groups.map(({ last }) => last)).to.deep.equal([false, false, true]);
    });

  it('settles all groups of a settled list', () => {
    const settled = Number.POSITIVE_INFINITY;
    expect(group({ count: 7, settled }, { size: 3 }).list.settled).to.equal(settled);
  });

  for (const { changed, groups, within } of [
    { changed: [2], groups: [0], within: [[2], [], []] },
    { changed: [3], groups: [1], within: [[], [0], []] },
    { changed: [0, 5, 6], groups: [0, 1, 2], within: [[0], [2], [0]] },
  ])
    it(`changes the groups of the parts ${changed.join(', ')}`, () => {
      const result = group({ count: 7, settled: 0, changed: new Set(changed) }, { size: 3 });
      expect([...(result.list.changed ?? [])].sort()).to.deep.equal(groups);
      expect(result.groups.map((content) => content.changed)).to.deep.equal(within);
    });

  it('changes no group without a changed part', () => {
    expect(group({ count: 7, settled: 0, changed: new Set() }, { size: 3 }).list.changed).to.equal(undefined);
    expect(group({ count: 7, settled: 0 }, { size: 3 }).list.changed).to.equal(undefined);
  });

  it('ends a group with the part that fills its length', () => {
    const lengths = [1, 9, 10, 4, 5, 1, 1, 1, 1];
    const size = { size: 3, most: 10, lengthOf: (index: number) => lengths[index] ?? 0 };
    expect(partsOf(group({ count: 9, settled: 0 }, size))).to.deep.equal(['0* 1', '2*', '3* 4 5', '6* 7 8']);
  });

  it('measures a settled part once, and the others whenever they change', () => {
    const key: object = [];
    const measured: number[] = [];
    const size = { size: 2, lengthOf: (index: number) => measured.push(index) };
    group({ count: 5, settled: 4 }, size, key);
    group({ count: 6, settled: 5 }, size, key);
    expect(measured).to.deep.equal([0, 1, 2, 3, 4, 4, 5]);
    // Fewer settled parts: another text.
    measured.length = 0;
    expect(partsOf(group({ count: 3, settled: 0 }, size, key))).to.deep.equal(['0* 1', '2*']);
    expect(measured).to.deep.equal([0, 1, 2]);
  });
});
