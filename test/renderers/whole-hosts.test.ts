import { expect, waitUntil } from '@open-wc/testing';
import { find } from '../components/support/mount.ts';
import type { LooseBlock } from '../support/messages.ts';
import { showBlocks } from './support/show.ts';

/** An address whose real host is only at its end. */
const HOST = `www.bank.example.login.${'s'.repeat(60)}.evil.test`;
const URL_OF_HOST = `https://${HOST}/a`;
const LONG_TITLE = 'https://www.bank.example/login and the account overview for our customers, with a security notice';

const surface = (...components: readonly object[]): LooseBlock => ({
  type: 'ui',
  ui: {
    kind: 'a2ui',
    messages: [
      {
        version: 'v0.9',
        createSurface: { surfaceId: 's', catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json' },
      },
      { version: 'v0.9', updateComponents: { surfaceId: 's', components } },
    ],
  },
});
const openUrl = { functionCall: { call: 'openUrl', args: { url: URL_OF_HOST } } };

const places: Readonly<Record<string, { readonly block: LooseBlock; readonly host?: string }>> = {
  'a link': { block: { type: 'content', content: `[www.bank.example](${URL_OF_HOST})` } },
  'a table': { block: { type: 'content', content: `|a|b|\n|-|-|\n|[www.bank.example](${URL_OF_HOST})|x|` } },
  'a file': { block: { type: 'file', url: `${URL_OF_HOST}.pdf`, name: 'www.bank.example/a.pdf', size: 12_345 } },
  'a video that is not loaded yet': { block: { type: 'video', url: `${URL_OF_HOST}.mp4`, name: 'film' } },
  'an image that is not loaded yet': { block: { type: 'image', url: `${URL_OF_HOST}.png`, name: 'picture' } },
  'a search result': {
    block: { type: 'search', content: 'bank', extra: { pages: [{ title: LONG_TITLE, url: 'https://evil.test/a' }] } },
    host: 'evil.test',
  },
  'a source': {
    block: {
      type: 'content',
      content: 'See it.',
      citations: [{ id: '1', title: LONG_TITLE, url: 'https://evil.test/a' }],
    },
    host: 'evil.test',
  },
  'a row of a surface': {
    block: surface(
      { id: 'root', component: 'Row', children: ['words', 'open'] },
      { id: 'words', component: 'Text', text: 'Your statement is ready' },
      { id: 'open', component: 'Button', child: 'label', action: openUrl },
      { id: 'label', component: 'Text', text: 'www.bank.example' },
    ),
  },
};

describe('rule 67: in a narrow widget, the real host is shown to its end', () => {
  for (const [name, { block, host = HOST }] of Object.entries(places)) {
    it(`in ${name}`, async () => {
      const chat = await showBlocks([block]);
      chat.style.cssText = 'display: block; inline-size: 360px; block-size: 600px';
      const transcript = find(chat, '[part="transcript"]');
      // The results of a search are folded.
      const isShown = (): boolean => {
        for (const details of transcript.querySelectorAll('details')) details.open = true;
        return textWith(transcript, host) !== undefined;
      };
      await waitUntil(isShown, `${host} comes`, { timeout: 10_000 });
      const text = textWith(transcript, host)!;
      expect(cutBy(text, host)).to.equal(undefined);
    });
  }
});

describe('rule 67: the real host has a readable size', () => {
  const link = '<a href="https://evil.test/">www.bank.example</a>';
  const texts: Readonly<Record<string, string>> = {
    'small text in HTML': `<div>${'<small>'.repeat(12)}<a href="https://evil.test/"><h1>www.bank.example</h1></a></div>`,
    'small text': `${'<small>'.repeat(12)}[www.bank.example](https://evil.test/)`,
    'a subscript': `${'<sub>'.repeat(6)}${link}`,
    'a superscript in HTML': `<p>${'<sup>'.repeat(6)}${link}</p>`,
    'ruby text': `<p><ruby>x<rt>${'<small>'.repeat(6)}${link}</rt></ruby></p>`,
  };
  for (const [name, content] of Object.entries(texts)) {
    it(`in ${name}`, async () => {
      const chat = await showBlocks([{ type: 'content', content }]);
      const transcript = find(chat, '[part="transcript"]');
      await waitUntil(() => transcript.querySelector('.real-host'), 'the host comes', { timeout: 10_000 });
      const size = parseFloat(getComputedStyle(transcript.querySelector('.real-host')!).fontSize);
      expect(size).to.be.within(12, 20);
    });
  }
});

describe('rule 67: the real host has another colour than the text beside it', () => {
  const link = '[bank.example](https://evil.test/)';
  const texts = {
    'a paragraph': { type: 'content', content: link },
    'a quote': { type: 'content', content: `> ${link}` },
    'the header of a table': { type: 'content', content: `| ${link} | x |\n| --- | --- |` },
    'a footnote': { type: 'content', content: `x[^1]\n\n[^1]: ${link}` },
    reasoning: { type: 'reasoning_content', content: link },
  } as const;
  for (const [name, block] of Object.entries(texts))
    it(`in ${name}`, async () => {
      const chat = await showBlocks([block]);
      const transcript = find(chat, '[part="transcript"]');
      await waitUntil(() => transcript.querySelector('.real-host'), 'the host comes', { timeout: 10_000 });
      const host = transcript.querySelector('.real-host')!;
      const text = host.closest('p, th, blockquote, li')!;
      expect(getComputedStyle(host).color).not.to.equal(getComputedStyle(text).color);
    });
});

/** The text node that contains some words. */
function textWith(root: Element, words: string): Text | undefined {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.includes(words) && text.parentElement?.checkVisibility()) return text;
  }
  return undefined;
}

/** The element that cuts off the end of some words; undefined if they are visible. */
function cutBy(text: Text, words: string): string | undefined {
  const range = document.createRange();
  const end = text.data.indexOf(words) + words.length;
  range.setStart(text, end - 1);
  range.setEnd(text, end);
  const { right, bottom, width } = range.getBoundingClientRect();
  if (width === 0) return 'nothing is laid out';
  for (let element = text.parentElement; element; element = element.parentElement) {
    const box = element.getBoundingClientRect();
    if (getComputedStyle(element).overflowX !== 'visible' && (right > box.right + 1 || bottom > box.bottom + 1))
      return element.outerHTML.slice(0, 80);
  }
  return undefined;
}
