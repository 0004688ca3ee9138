import { expect, waitUntil } from '@open-wc/testing';
import fc from 'fast-check';
import { splitCitationMarks, withoutIncompleteMark } from '../../../src/renderers/text/find-citation-marks.ts';
import { find, has, next } from '../../components/support/mount.ts';
import type { LooseBlock } from '../../support/messages.ts';
import { effort } from '../../support/effort.ts';
import { named, showBlock, showBlocks, update, wordsIn } from '../support/show.ts';

const sources = [
  { id: 'a', title: 'First', url: 'https://a.example/1' },
  { id: 'b', title: 'Second', url: 'https://b.example/2' },
  { id: 'c', title: 'Third' },
];

/** The text of a block, with the numbers of its marks in ‹…›. */
const shownIn = (element: Element): string => {
  const copy = element.cloneNode(true) as Element;
  for (const mark of copy.querySelectorAll('button.citation')) mark.textContent = `‹${mark.textContent.trim()}›`;
  return wordsIn(copy);
};

describe('references to sources in a text', () => {
  const rows: readonly (readonly [text: string, pieces: readonly (string | number)[]])[] = [
    ['a[1] b', ['a', 1, ' b']],
    ['a [1][2], b [1, 3].', ['a ', 1, 2, ', b ', 1, 3, '.']],
    ['a [citation:2] [citation: 3]', ['a ', 2, ' ', 3]],
    ['a【1†source】b【4:2†L1-L9】【3】', ['a', 1, 'b', 2, 3]],
    ['a [^1^] [^2] [doc3] [ref_1]', ['a ', 1, ' ', 2, ' ', 3, ' ', 1]],
    // No source has the number.
    ['a [0] [4] [1, 9] 【0†source】 [1234]', ['a [0] [4] [1, 9] 【0†source】 [1234]']],
    ['a [b] [1a] [ 1] 1] [1', ['a [b] [1a] [ 1] 1] [1']],
    ['', ['']],
    ['[1]'.repeat(200), [...Array<number>(64).fill(1), '[1]'.repeat(136)]],
  ];
  for (const [text, pieces] of rows)
    it(JSON.stringify(text.slice(0, 80)), () => {
      expect(splitCitationMarks(text, [1, 2, 3], () => undefined)).to.deep.equal(pieces);
    });

  it('a source that was sent twice has one number', () => {
    expect(splitCitationMarks('a [1] [2] [3]', [1, 1, 2], () => undefined)).to.deep.equal(['a ', 1, ' ', 1, ' ', 2]);
  });

  it('an incomplete one is not visible yet, and a text only grows', () => {
    for (const text of ['a [', 'a [1', 'a [1]', 'a [1][2', 'a 【1†sour', 'a [citation:', 'a [1][2]'])
      expect(withoutIncompleteMark(text)).to.equal('a ');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[', ']', '1', ' a', '【', '†', '】', '[1]'), { maxLength: 60 }),
        (parts) => {
          const text = parts.join('');
          let before = '';
          for (let length = 0; length <= text.length; length++) {
            const visible = withoutIncompleteMark(text.slice(0, length));
            expect(text.startsWith(visible) && visible.startsWith(before)).to.equal(true);
            before = visible;
          }
        },
      ),
      { numRuns: effort(60) },
    );
  });

  const text = 'It **was so [1]**[2].\n\n- item [citation:3]\n\n| a【1†source】 |\n|---|\n| b [1, 2] |';
  const expected = 'It was so ‹1›‹2›.item ‹3›a‹1›b ‹1›‹2›';

  it('are marks with the title of their source, and emit it when clicked', async () => {
    const { chat, element } = await showBlock({ type: 'content', content: text, citations: sources });
    expect(shownIn(element)).to.equal(expected);
    const actionEvent = next(chat, 'agent-chat-action');
    named(element, 'Source 3: Third').click();
    expect((await actionEvent).detail.payload).to.deep.include({ id: 'c' });
  });

  it('grow a character at a time without a raw mark', async () => {
    const block: LooseBlock = { id: 'b', type: 'content', content: 'It', citations: sources };
    const { chat, element } = await showBlock(block, { message: { status: 'streaming' } });
    const raw: string[] = [];
    new MutationObserver(() => {
      if (/[[\]【†]|citation/.test(shownIn(element))) raw.push(shownIn(element));
    }).observe(element, { childList: true, characterData: true, subtree: true });
    for (let length = 3; length <= text.length; length++) {
      update(chat, [{ ...block, content: text.slice(0, length) }], { status: 'streaming' });
      await chat.updateComplete;
    }
    update(chat, [{ ...block, content: text }], { status: 'complete', finish: 'complete' });
    await waitUntil(() => shownIn(element) === expected);
    expect(raw).to.deep.equal([]);
  });

  it('become marks when their sources arrive after the text, one by one, in an earlier text as well', async () => {
    const first: LooseBlock = { id: 'b', type: 'content', content: text };
    const later = (count: number): readonly LooseBlock[] => [
      first,
      { id: 'c', type: 'content', content: 'End.', citations: sources.slice(0, count) },
    ];
    const chat = await showBlocks(later(0), { message: { status: 'streaming' } });
    await waitUntil(() => has(chat, 'table'));
    const element = find(chat, '[part~="block-content"]');
    expect(shownIn(element)).to.contain('[citation:3]');
    const item = element.querySelector('li');
    for (const count of [1, 2, 3]) update(chat, later(count), { status: 'streaming' });
    await waitUntil(() => shownIn(element).includes('‹2›'));
    update(chat, later(3), { status: 'complete', finish: 'complete' });
    await waitUntil(() => shownIn(element) === expected);
    expect(element.querySelector('li')).to.equal(item);
  });

  it('are text without a source, in code, in links, escaped, and beside marks with positions', async () => {
    const plain = '`a[1]` [[1]](https://a.example) \\[2\\] [3](https://b.example)\n\n    b[1]';
    const { element } = await showBlock({ type: 'content', content: plain, citations: sources });
    await waitUntil(() => wordsIn(element).includes('b[1]'));
    expect(shownIn(element)).to.match(/^a\[1\] \[1\] \[2\] 3/);
    expect(element.querySelector('button.citation')).to.equal(null);

    const placed = sources.map((source, index) => (index === 0 ? { ...source, end: 1 } : source));
    const { element: other } = await showBlock({ type: 'content', content: 'a [1]', citations: placed });
    expect(shownIn(other)).to.equal('a‹1› [1]');

    const { element: without } = await showBlock({ type: 'content', content: text });
    expect(shownIn(without)).to.contain('[citation:3]').and.to.contain('[1, 2]');
  });

  it('work in plain text', async () => {
    const { element } = await showBlock({
      type: 'content',
      format: 'text',
      content: 'a [1] *b* [2]',
      citations: sources,
    });
    expect(shownIn(element)).to.equal('a ‹1› *b* ‹2›');
  });
});
