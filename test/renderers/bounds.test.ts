/** What is drawn of an answer is bounded, whatever came; the rest is said, or a press away. */
import { expect, waitUntil } from '@open-wc/testing';
import { parseJson } from '../../src/model/json.ts';
import { toChart, toTable } from '../../src/renderers/table-data.ts';
import type { AgentChatCopy } from '../../src/primitives/copy-button.ts';
import { find, has } from '../components/support/mount.ts';
import type { LooseBlock } from '../support/messages.ts';
import { named, showBlock, showBlocks, update, wordsIn } from './support/show.ts';

const many = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index));

describe('bounds of what is drawn', () => {
  const limits = { shownLength: 20 };
  const first: LooseBlock = { id: 'a', type: 'content', content: 'First words.' };
  const second: LooseBlock = { id: 'b', type: 'content', content: '**Second** words and more.', format: 'markdown' };

  it('Markdown past its limit is there when it is asked for', async () => {
    const chat = await showBlocks([{ ...first, content: 'x'.repeat(25) }], { settings: { limits } });
    const block = find(chat, '[part~="block-content"]');
    expect(wordsIn(block)).to.equal(`${'x'.repeat(20)} Show more`);
    named(block, 'Show more').click();
    expect(wordsIn(block)).to.equal('x'.repeat(25));
  });

  it('the limit is that of the message, over all of its blocks', async () => {
    const chat = await showBlocks([first, { id: 't', type: 'tool_call', tool_call: {} }, second], {
      settings: { limits },
    });
    const blocks = [...find(chat, 'article').querySelectorAll('[part~="block-content"]')].map(wordsIn);
    expect(blocks[0]).to.equal('First words.');
    expect(blocks[1]).to.match(/^Second\S* Show more$|^\*\*Second Show more$/);
  });

  it('what is there stays the same node when the limit is reached', async () => {
    const around = { settings: { limits }, message: { status: 'streaming' as const } };
    const { chat, element } = await showBlock({ id: 'b', type: 'content', content: 'One.\n\nTwo.' }, around);
    const node = element.querySelector('p')?.firstChild;
    update(chat, [{ id: 'b', type: 'content', content: 'One.\n\nTwo. And far too much.' }], { status: 'streaming' });
    await waitUntil(() => wordsIn(element).includes('Show more'));
    expect(element.querySelector('p')?.firstChild).to.equal(node);
    expect(wordsIn(element)).to.equal('One.Two. And far t Show more');
  });

  it('a character is not halved', async () => {
    const { element } = await showBlock(
      { type: 'content', content: 'ab😀cd' },
      { settings: { limits: { shownLength: 3 } } },
    );
    expect(wordsIn(element)).to.equal('ab Show more');
  });

  it('a tree has so many leaves, however they are spread', async () => {
    const data = many(190, () => many(190, (index) => index));
    const { element } = await showBlock({ type: 'data', data: { data_type: 'custom', data } });
    expect(element.querySelectorAll('.json-leaf, details').length).to.be.within(1000, 5500);
    expect(wordsIn(element)).to.contain('…');
  });

  it('a result of a tool is drawn in part, and copied whole', async () => {
    const response = 'x'.repeat(300_000);
    const { element } = await showBlock({ type: 'tool_call', tool_call: { id: 't', name: 'f', response } });
    expect(element.querySelector('pre')?.textContent.length).to.be.within(100_000, 100_010);
    const copy = element.querySelector<AgentChatCopy>('agent-chat-copy');
    const copied = typeof copy?.value === 'function' ? copy.value() : copy?.value;
    // (Compared by itself: words of this length can't be shown beside each other.)
    expect(copied === response, 'all of it is copied').to.equal(true);
  });

  it('arguments without end in their depth are shown as they came', async () => {
    const params = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { element } = await showBlock({ type: 'tool_call', tool_call: { id: 't', name: 'f', params } });
    expect(element.querySelector('pre')?.textContent.startsWith('[[[[')).to.equal(true);
  });

  it('the words of an error are cut', async () => {
    const { element } = await showBlock({ type: 'error', status: 'error', content: 'x'.repeat(10_000) });
    expect(wordsIn(element).length).to.be.lessThan(2100);
  });

  it('so many suggestions and options are offered', async () => {
    const suggestions = many(500, (index) => ({ label: String(index), prompt: 'x' }));
    const chat = await showBlocks([first], { message: { suggestions } });
    await waitUntil(() => has(chat, '[part~="suggestion"]'));
    expect(find(chat, '[part~="suggestions"]').querySelectorAll('button').length).to.equal(20);

    const options = many(1000, (index) => ({ label: String(index) }));
    const ask: LooseBlock = { type: 'action', action_type: 'question', status: 'pending', extra: { options } };
    const { element } = await showBlock(ask);
    expect(element.querySelectorAll('.choice').length).to.equal(200);
  });

  it('a search shows so many pages, and says how many there are', async () => {
    const pages = many(1000, (index) => ({ title: String(index), url: 'https://a.example/' }));
    const { element } = await showBlock({ type: 'search', status: 'success', content: 'x', extra: { pages } });
    expect(element.querySelectorAll('li').length).to.equal(200);
    expect(wordsIn(element)).to.contain('1,000 results');
  });

  it('a table keeps so many columns and cells: a few bytes may be rows without number', () => {
    const wide = toTable({ columns: many(100_000, String), rows: many(100_000, () => []) });
    expect(wide?.columns.length).to.equal(200);
    expect(wide?.rows.length).to.equal(2500);
    expect(toTable({ columns: ['a'], rows: many(10_000, () => [1]) })?.rows.length).to.equal(10_000);
  });

  it('a chart keeps so many series and points', () => {
    const chart = toChart({ series: many(100, () => ({ data: many(20_000, (index) => index) })) });
    expect([chart?.series.length, chart?.labels.length]).to.deep.equal([50, 10_000]);
    expect(toChart({ series: many(20_000, (index) => index) })?.labels.length).to.equal(10_000);
  });
});

describe('parseJson()', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const rows = [
    { name: 'as deep as is read', text: nested(256), isRead: true },
    { name: 'one deeper', text: nested(257), isRead: false },
    { name: 'a million deep', text: nested(1_000_000), isRead: false },
    { name: 'objects', text: `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, isRead: false },
    { name: 'brackets in words', text: JSON.stringify(`"\\${'['.repeat(1000)}`), isRead: true },
    { name: 'brackets beside one another', text: `[${'[],'.repeat(1000)}[]]`, isRead: true },
  ];
  for (const { name, text, isRead } of rows) {
    it(`${name}: ${isRead ? 'read' : 'not read'}`, () => {
      expect(parseJson(text) !== undefined).to.equal(isRead);
    });
  }
});
