/** How many nodes one more character replaces in the open block: none, unless the block changes its kind. */
import { expect } from '@open-wc/testing';
import { show } from './support/show.ts';

interface Row {
  readonly text: string;
  /** The number of elements and text nodes removed over the whole text. */
  readonly gone: number;
}

/** One node may be removed for each construct that is completed, for example a link or the header line of a table. */
const rows: readonly Row[] = [
  { text: 'Plain words and more of them, to the end.', gone: 0 },
  { text: 'Words **bold words** and *em* and ***both*** and ~~gone~~ end.', gone: 0 },
  { text: 'Words **bold *em in it* and more** end.', gone: 0 },
  { text: 'Words `code` and ``co` de`` end.', gone: 0 },
  { text: 'See [the log](https://a.example/x "title") and [more](https://b.example/) end.', gone: 4 },
  { text: '# Title\n\nWords\n\n## Another **bold**\n\nWords', gone: 0 },
  { text: '- one\n- two **bold**\n  - in it\n  - again\n- three', gone: 0 },
  { text: '1. one\n2. two\n10. three', gone: 0 },
  { text: '- [ ] open\n- [x] done', gone: 0 },
  { text: '> A quote with **bold**\n> and a line\n> - a list', gone: 0 },
  { text: '| a | b |\n|---|:-:|\n| one | **two** |\n| three | four |', gone: 0 },
  { text: 'Words\n\n```ts\nlet a = 1;\nlet b;\n```\n\nWords', gone: 0 },
  { text: 'Words <b>bold</b> and <kbd>Ctrl</kbd> end.', gone: 0 },
  { text: '中文**粗体**，还有`代码`。', gone: 0 },
];

const isShown = (node: Node): boolean => node instanceof Element || (node instanceof Text && node.data.trim() !== '');

describe('a character appended to an open block replaces no node', () => {
  for (const { text, gone } of rows) {
    it(JSON.stringify(text), () => {
      const { place, update } = show('', true);
      const watch = new MutationObserver(() => undefined);
      watch.observe(place, { subtree: true, childList: true });
      const lost: string[] = [];
      for (let length = 1; length <= text.length; length++) {
        update(text.slice(0, length), true);
        for (const { removedNodes } of watch.takeRecords()) {
          for (const node of removedNodes) {
            // A node that was only moved is not lost.
            if (isShown(node) && !node.isConnected)
              lost.push(`${JSON.stringify(text.slice(0, length))}: ${node.textContent ?? ''}`);
          }
        }
      }
      update(text);
      for (const { removedNodes } of watch.takeRecords()) {
        for (const node of removedNodes)
          if (isShown(node) && !node.isConnected) lost.push(`the end: ${node.textContent ?? ''}`);
      }
      watch.disconnect();
      expect(lost.length, lost.join('\n')).to.be.at.most(gone);
    });
  }
});

describe('a paragraph that has become long enough to be split', () => {
  for (const unit of ['*a*b', '`a ', '**a** b ', 'a*b*[c](https://a.example/)'])
    it(`keeps the nodes of its first part: ${unit}`, () => {
      const { place, update } = show('', true);
      update(unit.repeat(8000 / unit.length), true);
      const shown = [...place.querySelectorAll('p > *')].slice(0, 100);
      expect(shown.length).to.equal(100);
      update(unit.repeat(18_000 / unit.length), true);
      expect(place.querySelector('.part')).not.to.equal(null);
      expect(shown.filter((node) => !node.isConnected).length).to.equal(0);
    });
});

describe('the number of nodes', () => {
  const textNodesIn = (place: Node): number => {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    let count = 0;
    while (walker.nextNode()) count++;
    return count;
  };

  it('does not grow with escaped characters', () => {
    const { place } = show('\\*\\_'.repeat(100));
    expect(place.textContent).to.equal('*_'.repeat(100));
    expect(textNodesIn(place)).to.equal(1);
  });

  it('does not grow with citation marks that come and go', () => {
    const { place, update } = show('Text.', true);
    const countNodes = (): number => {
      const walker = document.createTreeWalker(place);
      let count = 0;
      while (walker.nextNode()) count++;
      return count;
    };
    const before = countNodes();
    update('Text\ufdd00\ufdd1.', true);
    expect(place.querySelectorAll('s-cite').length).to.equal(1);
    update('Text.', true);
    expect(place.querySelectorAll('s-cite').length).to.equal(0);
    expect(countNodes()).to.equal(before);
  });

  it('is limited for a long paragraph of little else than marks, which is then shown as it was written', () => {
    const text = '*a* '.repeat(20_000);
    const { place, update } = show('', true);
    for (let length = 0; length < text.length; length += 10_000) update(text.slice(0, length), true);
    update(text);
    expect(place.querySelectorAll('em').length).to.be.within(500, 5000);
    expect(place.textContent.replace(/\W/g, '')).to.equal('a'.repeat(20_000));
    const whole = show(text).place;
    expect(whole.textContent).to.equal(place.textContent);
  });

  it('is that of the text for an ordinary paragraph of the same length', () => {
    const text = `${'Words that are followed by more words. '.repeat(10)}*Emphasis.* `.repeat(200);
    expect(show(text).place.querySelectorAll('em').length).to.equal(200);
  });
});
