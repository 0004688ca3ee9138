import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../../src/model/blocks.ts';
import { has } from '../../components/support/mount.ts';
import { HOSTILE, showBlock, wordsIn } from '../support/show.ts';

const PAGES = [
  { title: 'Refund policy', url: 'https://shop.example/policy', content: 'Within 30 days.' },
  { url: 'https://shop.example/faq' },
];
const search = (more: Partial<BlockOf<'search'>> = {}) =>
  ({
    type: 'search',
    status: 'success',
    content: 'refund policy',
    extra: { total: 12, label: 'web', engine: 'e', actionType: 'search', pages: PAGES },
    ...more,
  }) as const;
const lineOf = (element: Element): string => wordsIn(element.querySelector('summary') ?? element);

describe('a search', () => {
  it('shows the query and the number of results', async () => {
    const { element } = await showBlock(search());
    expect(lineOf(element)).to.equal('Searched for refund policy · 12 results');
  });

  it('may have no query', async () => {
    const { content: _none, ...bare } = search();
    const { element } = await showBlock(bare);
    expect(lineOf(element)).to.equal('12 results');
  });

  it('without a query says that it is running', async () => {
    const { content: _none, ...bare } = search({ status: 'loading' });
    expect(lineOf((await showBlock(bare)).element)).to.equal('Getting data');
  });

  for (const [status, words] of [
    ['loading', 'Searching for refund policy'],
    ['reading', 'Reading the results'],
    ['optimizing', 'Ranking the results'],
  ] as const) {
    it(`${status}: ${words}`, async () => {
      const { element } = await showBlock(search({ status }));
      expect(lineOf(element)).to.equal(words);
    });
  }

  for (const [status, words] of [
    ['error', 'Searched for refund policy · Failed'],
    ['cancel', 'Searched for refund policy · cancelled'],
  ] as const)
    it(`without results says how it ended: ${status}`, async () => {
      const { element } = await showBlock(search({ status, extra: {} }));
      expect(lineOf(element)).to.equal(words);
    });

  it('lists its results as links when it is expanded', async () => {
    const { element } = await showBlock<HTMLDetailsElement>(search());
    expect(element.open).to.equal(false);
    element.querySelector('summary')?.click();
    await waitUntil(() => element.open);
    expect(
      [...element.querySelectorAll('a')].map((link) => [wordsIn(link), link.href, link.rel, link.target]),
    ).to.deep.equal([
      ['Refund policy', 'https://shop.example/policy', 'noopener noreferrer nofollow', '_blank'],
      ['https://shop.example/faq', 'https://shop.example/faq', 'noopener noreferrer nofollow', '_blank'],
    ]);
    expect(element.querySelector('li')?.title).to.equal('Within 30 days.');
  });

  it('without a total counts its pages; without pages there are 0 results', async () => {
    expect(lineOf((await showBlock(search({ extra: { pages: PAGES } }))).element)).to.contain('2 results');
    expect(lineOf((await showBlock({ type: 'search', content: 'x' })).element)).to.contain('0 results');
  });

  it('shows hostile titles as text, without links to unsafe addresses', async () => {
    const { chat, element } = await showBlock(
      search({ content: HOSTILE, extra: { pages: [{ title: `\u202E${HOSTILE}`, url: 'javascript:hit()' }] } }),
    );
    expect(lineOf(element)).to.contain(HOSTILE);
    expect(wordsIn(element.querySelector('li') ?? element)).to.equal(HOSTILE);
    expect(has(chat, 'agent-chat-message :is(a, img)')).to.equal(false);
  });

  it('shows the host of a link whose title looks like another host', async () => {
    const { element } = await showBlock(
      search({ extra: { pages: [{ title: 'bank.example', url: 'https://evil.example/' }] } }),
    );
    expect(wordsIn(element.querySelector('li') ?? element)).to.equal('bank.example (evil.example)');
  });

  it('rule 67: a result’s text is no tooltip of its link where it names another host', async () => {
    const [title, url] = ['Log in', 'https://evil.example/'];
    const contents = ['https://bank.example/login', 'The shop at evil.example', 'Within 30 days.'];
    const { element } = await showBlock(
      search({ extra: { pages: contents.map((content) => ({ title, url, content })) } }),
    );
    expect([...element.querySelectorAll('li')].map((item) => item.title)).to.deep.equal(['', ...contents.slice(1)]);
  });
});
