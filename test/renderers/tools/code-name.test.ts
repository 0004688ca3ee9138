import { expect } from '@open-wc/testing';
import { find } from '../../components/support/mount.ts';
import { showBlock } from '../support/show.ts';

describe('the name of a file of code', () => {
  for (const filename of [
    `invoice.pdf${'\u00a0'.repeat(200)}.exe`,
    `invoice.pdf ${'W'.repeat(200)} .exe`,
    `src/${'deep/'.repeat(40)}main.ts`,
  ]) {
    it(`rule 7: is shown to its end: ${filename.slice(0, 12)}…${filename.slice(-4)}`, async () => {
      const { chat } = await showBlock({ type: 'code', code: { language: 'ts', content: 'x', filename } });
      chat.style.inlineSize = '320px';
      const caption = find(chat, 'figcaption');
      const ending = filename.slice(-4);
      const walker = document.createTreeWalker(caption, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      const text = texts.find(({ data }) => data.endsWith(ending))!;
      const range = document.createRange();
      range.setStart(text, text.length - ending.length);
      range.setEnd(text, text.length);
      const { width, right } = range.getBoundingClientRect();
      const box = text.parentElement!.getBoundingClientRect();
      expect(width).to.be.greaterThan(10);
      expect(right).to.be.at.most(box.right + 1);
      expect(box.right).to.be.at.most(caption.getBoundingClientRect().right);
    });
  }
});
