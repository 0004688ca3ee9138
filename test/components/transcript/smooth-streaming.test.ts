/** Bursts of text are revealed evenly, with a limited delay. The test controls the time. */
import { expect } from '@open-wc/testing';
import { SmoothStreaming } from '../../../src/components/transcript/smooth-streaming.ts';
import type { BlockOf } from '../../../src/model/blocks.ts';
import type { ChatMessage } from '../../../src/model/message.ts';

const BURST = 'x'.repeat(100);

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

/** The number of shown characters at each time, for the text received by then. */
function lengths(
  even: SmoothStreaming,
  moments: readonly (readonly [time: number, content: string])[],
): readonly number[] {
  return moments.map(([time, content]) => shownOf(even.apply(says(content), time)).length);
}

describe('SmoothStreaming', () => {
  const isOn = (): boolean => false;

  it('reveals a burst over the time since the previous one', () => {
    const two = BURST + BURST;
    const moments = [
      [0, BURST],
      [200, two],
      [284, two],
      [384, two],
    ] as const;
    expect(lengths(new SmoothStreaming(isOn), moments)).to.deep.equal([100, 108, 150, 200]);
  });

  it('continues from the shown text when another burst arrives', () => {
    const even = new SmoothStreaming(isOn);
    lengths(even, [
      [0, BURST],
      [200, BURST + BURST],
    ]);
    const [now = 0, later = 0] = lengths(even, [
      [284, BURST + BURST + BURST],
      [368, BURST + BURST + BURST],
    ]);
    expect(now).to.be.within(108, 200);
    expect(later).to.equal(300);
  });

  const atOnce: readonly (readonly [string, string, number])[] = [
    ['a word or two', `${BURST}a word or two`, 200],
    ['text without a pause', BURST + BURST, 20],
    ['text that was ready', BURST.repeat(40), 200],
  ];
  for (const [name, content, time] of atOnce) {
    it(`${name} is shown immediately`, () => {
      const even = new SmoothStreaming(isOn);
      even.apply(says(BURST), 0);
      expect(shownOf(even.apply(says(content), time))).to.equal(content);
      expect(even.hasPendingText).to.equal(false);
    });
  }

  it('the end shows everything, as the same list', () => {
    const even = new SmoothStreaming(isOn);
    even.apply(says(BURST), 0);
    even.apply(says(BURST + BURST), 200);
    expect(even.hasPendingText).to.equal(true);
    const ended = says(BURST + BURST, {}, 'complete');
    expect(even.apply(ended, 201)).to.equal(ended);
    expect(even.hasPendingText).to.equal(false);
  });

  it('delays nothing by more than a quarter of a second, however long the pause was', () => {
    const even = new SmoothStreaming(isOn);
    even.apply(says(BURST), 0);
    even.apply(says(BURST + BURST), 60_000);
    expect(shownOf(even.apply(says(BURST + BURST), 60_250))).to.have.length(200);
  });

  it('delays nothing with reduced motion', () => {
    const even = new SmoothStreaming(() => true);
    const all = says(BURST + BURST);
    even.apply(says(BURST), 0);
    expect(even.apply(all, 200)).to.equal(all);
  });

  it('splits no character, and shows no citation before its text', () => {
    const even = new SmoothStreaming(isOn);
    even.apply(says(BURST), 0);
    const content = BURST + '😀'.repeat(50);
    const citations = [
      { id: 'a', end: 10 },
      { id: 'b', end: 200 },
    ];
    for (let time = 200; time < 384; time += 7) {
      const shown = even.apply(says(content, { citations }), time);
      expect(shownOf(shown).isWellFormed()).to.equal(true);
      const block = shown.at(-1)?.blocks.at(-1);
      if (!even.hasPendingText) break;
      expect(block?.type === 'content' && block.citations).to.deep.equal([citations[0]]);
    }
  });

  it('keeps the previous messages the same objects', () => {
    const even = new SmoothStreaming(isOn);
    even.apply(says(BURST), 0);
    const all = says(BURST + BURST);
    expect(even.apply(all, 200)[0]).to.equal(all[0]);
  });
});
