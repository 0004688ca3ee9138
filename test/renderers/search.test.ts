import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../src/model/blocks.ts';
import { has } from '../components/support/mount.ts';
import { HOSTILE, showBlock, wordsIn } from './support/show.ts';

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
  it('says what was looked for and how much was found', async () => {
    const { element } = await showBlock(search());
    expect(lineOf(element)).to.equal('Searched for refund policy · 12 results');
  });

  for (const [status, words] of [
    ['loading', 'Searching for refund policy'],
    ['reading', 'Reading the results'],
    ['optimizing', 'Ordering the results'],
  ] as const) {
    it(`${status}: ${words}`, async () => {
      const { element } = await showBlock(search({ status }));
      expect(lineOf(element)).to.equal(words);
    });
  }

  it('opened, it lists its sources as links, with a name each', async () => {
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

  it('without a total counts its pages; without pages there are none', async () => {
    expect(lineOf((await showBlock(search({ extra: { pages: PAGES } }))).element)).to.contain('2 results');
    expect(lineOf((await showBlock({ type: 'search', content: 'x' })).element)).to.contain('0 results');
  });

  it('hostile titles are text, hostile addresses no links', async () => {
    const { chat, element } = await showBlock(
      search({ content: HOSTILE, extra: { pages: [{ title: `\u202E${HOSTILE}`, url: 'javascript:hit()' }] } }),
    );
    expect(lineOf(element)).to.contain(HOSTILE);
    expect(wordsIn(element.querySelector('li') ?? element)).to.equal(HOSTILE);
    expect(has(chat, 'agent-chat-message :is(a, img)')).to.equal(false);
  });

  it('a title that looks like another host is told apart', async () => {
    const { element } = await showBlock(
      search({ extra: { pages: [{ title: 'bank.example', url: 'https://evil.example/' }] } }),
    );
    expect(wordsIn(element.querySelector('li') ?? element)).to.equal('bank.example (evil.example)');
  });
});
