import { expect } from '@open-wc/testing';
import { HeightCache } from '../../../src/components/transcript/window/height-cache.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { assistant, conversation, user } from '../../support/messages.ts';

const messages = conversation(
  ...Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? user('a') : assistant('b'))),
);
const at = (index: number): ChatMessage => messages[index]!;

/** The expected sum, added one by one. */
const added = (heights: HeightCache, list: readonly ChatMessage[]): number =>
  list.reduce((sum, message) => sum + heights.get(message), 0);

function measured(): HeightCache {
  const heights = new HeightCache();
  for (const index of [0, 7, 8, 39]) heights.set(at(index), index, 100 + index);
  return heights;
}

describe('HeightCache', () => {
  const rows: readonly { readonly name: string; readonly list: readonly ChatMessage[] }[] = [
    { name: 'all messages', list: messages },
    {
      name: 'older messages before them',
      list: [...conversation(user('x'), user('y')).map((one) => ({ ...one, id: `old ${one.id}` })), ...messages],
    },
    { name: 'a removed message', list: messages.toSpliced(7, 1) },
    {
      name: 'entirely different messages',
      list: messages.map((message) => ({ ...message, id: `other ${message.id}` })),
    },
  ];
  for (const { name, list } of rows) {
    it(`sums are those of single additions: ${name}`, () => {
      const heights = measured();
      for (const [from, to] of [
        [0, list.length],
        [5, 9],
        [8, 8],
        [30, list.length],
      ] as const) {
        expect(heights.sum(list, from, to)).to.be.closeTo(added(heights, list.slice(from, to)), 0.001);
      }
    });
  }

  it('estimates unmeasured messages from messages of their kind', () => {
    const heights = new HeightCache();
    const before = heights.get(at(3));
    heights.set(at(0), 0, 1000);
    expect(heights.get(at(3))).to.be.greaterThan(before);
    expect(heights.get(at(1))).to.equal(new HeightCache().get(at(1)));
  });
});
