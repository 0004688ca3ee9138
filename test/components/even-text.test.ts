/** Heaps of words appear one after another, and nothing is late. Time is in the test's hands. */
import { expect } from '@open-wc/testing';
import { EvenText } from '../../src/components/even-text.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';

const HEAP = 'x'.repeat(100);

const says = (
  content: string,
  more: Partial<BlockOf<'content'>> = {},
  status: ChatMessage['status'] = 'streaming',
): readonly ChatMessage[] => [
  { id: 'u', role: 'user', status: 'complete', blocks: [], timestamp: 0 },
  {
    id: 'm',
    role: 'assistant',
    status,
    blocks: [{ id: 'b', type: 'content', status: 'success', timestamp: 0, content, ...more }],
    timestamp: 0,
  },
];

const shownOf = (messages: readonly ChatMessage[]): string => messages.at(-1)?.blocks.at(-1)?.content ?? '';

/** How much is shown at each time, of what has come by then. */
function lengths(even: EvenText, moments: readonly (readonly [time: number, content: string])[]): readonly number[] {
  return moments.map(([time, content]) => shownOf(even.take(says(content), time)).length);
}

describe('text that comes in heaps', () => {
  const isOn = (): boolean => false;

  it('appears over as long as the heap before it has taken', () => {
    const two = HEAP + HEAP;
    const moments = [
      [0, HEAP],
      [200, two],
      [284, two],
      [384, two],
    ] as const;
    expect(lengths(new EvenText(isOn), moments)).to.deep.equal([100, 108, 150, 200]);
  });

  it('what comes meanwhile begins from what is shown', () => {
    const even = new EvenText(isOn);
    lengths(even, [
      [0, HEAP],
      [200, HEAP + HEAP],
    ]);
    const [now = 0, later = 0] = lengths(even, [
      [284, HEAP + HEAP + HEAP],
      [368, HEAP + HEAP + HEAP],
    ]);
    expect(now).to.be.within(108, 200);
    expect(later).to.equal(300);
  });

  const atOnce: readonly (readonly [string, string, number])[] = [
    ['a word or two', `${HEAP}a word or two`, 200],
    ['what comes without a pause', HEAP + HEAP, 20],
    ['what was ready', HEAP.repeat(40), 200],
  ];
  for (const [name, content, time] of atOnce) {
    it(`${name} is there at once`, () => {
      const even = new EvenText(isOn);
      even.take(says(HEAP), 0);
      expect(shownOf(even.take(says(content), time))).to.equal(content);
      expect(even.isBehind).to.equal(false);
    });
  }

  it('the end shows all, as the same list', () => {
    const even = new EvenText(isOn);
    even.take(says(HEAP), 0);
    even.take(says(HEAP + HEAP), 200);
    expect(even.isBehind).to.equal(true);
    const ended = says(HEAP + HEAP, {}, 'complete');
    expect(even.take(ended, 201)).to.equal(ended);
    expect(even.isBehind).to.equal(false);
  });

  it('nothing waits longer than a quarter of a second, however long the pause was', () => {
    const even = new EvenText(isOn);
    even.take(says(HEAP), 0);
    even.take(says(HEAP + HEAP), 60_000);
    expect(shownOf(even.take(says(HEAP + HEAP), 60_250))).to.have.length(200);
  });

  it('for who wants less motion nothing waits', () => {
    const even = new EvenText(() => true);
    const all = says(HEAP + HEAP);
    even.take(says(HEAP), 0);
    expect(even.take(all, 200)).to.equal(all);
  });

  it('no character is halved, and no mark stands before its words', () => {
    const even = new EvenText(isOn);
    even.take(says(HEAP), 0);
    const content = HEAP + '😀'.repeat(50);
    const citations = [
      { id: 'a', end: 10 },
      { id: 'b', end: 200 },
    ];
    for (let time = 200; time < 384; time += 7) {
      const shown = even.take(says(content, { citations }), time);
      expect(shownOf(shown).isWellFormed()).to.equal(true);
      const block = shown.at(-1)?.blocks.at(-1);
      if (!even.isBehind) break;
      expect(block?.type === 'content' && block.citations).to.deep.equal([citations[0]]);
    }
  });

  it('the messages before it are the objects that they were', () => {
    const even = new EvenText(isOn);
    even.take(says(HEAP), 0);
    const all = says(HEAP + HEAP);
    expect(even.take(all, 200)[0]).to.equal(all[0]);
  });
});
