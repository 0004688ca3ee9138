import { expect } from '@open-wc/testing';
import { Heights } from '../../src/components/heights.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { assistant, conversation, user } from '../support/messages.ts';

const messages = conversation(
  ...Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? user('a') : assistant('b'))),
);
const at = (index: number): ChatMessage => messages[index]!;

/** One by one, which is what the sum must be. */
const added = (heights: Heights, list: readonly ChatMessage[]): number =>
  list.reduce((sum, message) => sum + heights.of(message), 0);

function measured(): Heights {
  const heights = new Heights();
  for (const index of [0, 7, 8, 39]) heights.set(at(index), index, 100 + index);
  return heights;
}

describe('heights', () => {
  const rows: readonly { readonly name: string; readonly list: readonly ChatMessage[] }[] = [
    { name: 'all of them', list: messages },
    {
      name: 'older ones before them',
      list: [...conversation(user('x'), user('y')).map((one) => ({ ...one, id: `old ${one.id}` })), ...messages],
    },
    { name: 'one that was seen and is gone', list: messages.toSpliced(7, 1) },
    { name: 'others altogether', list: messages.map((message) => ({ ...message, id: `other ${message.id}` })) },
  ];
  for (const { name, list } of rows) {
    it(`are summed as one by one: ${name}`, () => {
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

  it('of what was not seen are those of its kind', () => {
    const heights = new Heights();
    const before = heights.of(at(3));
    heights.set(at(0), 0, 1000);
    expect(heights.of(at(3))).to.be.greaterThan(before);
    expect(heights.of(at(1))).to.equal(new Heights().of(at(1)));
  });
});
