import { expect, waitUntil } from '@open-wc/testing';
import { showBlock } from '../support/show.ts';

const nested = (name: string, depth: number, text: string): string =>
  `<${name}>`.repeat(depth) + text + `</${name}>`.repeat(depth);

const SMALLER = ['small', 'sub', 'sup', 'code', 'kbd', 'samp', 'rt'] as const;

/** Font sizes are in pixels. */
const sizeOf = (element: Element): number => parseFloat(getComputedStyle(element).fontSize);

describe('rule 67: text that nobody sees', () => {
  for (const format of ['markdown', 'html'] as const) {
    for (const [name, content] of [
      ...SMALLER.map((name) => [`<${name}>`, `x ${nested(name, 14, '<i>tiny</i>')}`] as const),
      ['several of them', `x ${SMALLER.slice(0, 6).reduce((text, name) => nested(name, 4, text), '<i>tiny</i>')}`],
    ] as const)
      it(`rule 67: nested elements make no text smaller than one does: ${name} in ${format}`, async () => {
        const { element } = await showBlock({
          type: 'content',
          content,
          ...(format === 'html' && { format }),
        });
        await waitUntil(() => element.querySelector('i') !== null, 'the text comes', { timeout: 10_000 });
        const tiny = element.querySelector('i');
        if (!tiny) throw new Error('There is no text.');
        expect(sizeOf(tiny)).to.be.at.least(6.5);
      });
  }

  for (const [name, content] of [
    ['Markdown', '[bank.example.~~evil~~](https://bank.example.evil/)'],
    ['a tag', '[bank.example.<s>evil</s>](https://bank.example.evil/)'],
    ['a link of tags', 'x <a href="https://bank.example.evil/">bank.example.<del>evil</del></a>'],
  ] as const)
    it(`rule 67: a link with a struck part shows its real target: ${name}`, async () => {
      const { element } = await showBlock({ type: 'content', content });
      await waitUntil(() => element.querySelector('a[href]') !== null, 'the link comes', { timeout: 10_000 });
      expect(element.querySelector('.real-host')?.textContent).to.equal('(bank.example.evil)');
    });

  for (const [name, start, end] of [
    ['the header of a table', '<table><tr><th>', '</th></tr></table>'],
    ['a cell of a table', '<table><tr><td>', '</td><td>1</td></tr></table>'],
    ['preformatted text', '<pre>', '</pre>'],
  ] as const)
    it(`rule 67: the end of a long host is not cut off in HTML: ${name}`, async () => {
      const host = `bank.example.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.evil.com`;
      const content = `${start}<a href="https://${host}/"><i>https://${host}</i></a>${end}`;
      const { chat, element } = await showBlock({ type: 'content', content, format: 'html' });
      await waitUntil(() => element.querySelector('i') !== null, 'the link comes', { timeout: 10_000 });
      const right = Math.max(...[...(element.querySelector('i')?.getClientRects() ?? [])].map((box) => box.right));
      expect(right).to.be.at.most(chat.getBoundingClientRect().right);
    });

  it('rule 68: a link beside or in struck text stays as it is', async () => {
    const { element } = await showBlock({
      type: 'content',
      content: '~~old~~[new](https://a.example/) ~~[gone](https://b.example/)~~',
    });
    await waitUntil(() => element.querySelectorAll('a[href]').length === 2, 'the links come', { timeout: 10_000 });
    expect(element.querySelector('.real-host')).to.equal(null);
  });
});
