import { expect } from '@open-wc/testing';
import { grown, outline, show } from './support/show.ts';

const characters = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, end) => text.slice(0, end));

/** Texts whose end changes the meaning of their beginning, and their final elements. */
const rows: readonly { name: string; text: string; has: string; count?: number; words?: string }[] = [
  { name: 'a heading by its underline', text: 'Title\nof two\n===\n\nx', has: 'h1', words: 'Title of two' },
  { name: 'a smaller heading by its underline', text: 'Title\n---\nx', has: 'h2', words: 'Title' },
  { name: 'a thematic break that could be an underline', text: 'Title\n\n---\nx', has: 'hr' },
  { name: 'a list that becomes loose with its last item', text: '- a\n- b\n\n- c', has: 'li > p', count: 3 },
  { name: 'a list that stays tight', text: '- a\n- b\n- c\n\nx', has: 'li > p', count: 0 },
  { name: 'a list in a list', text: '- a\n  - b\n    1. c\n- d', has: 'li li ol > li', words: 'c' },
  { name: 'a list that begins at a number', text: '7. a\n8. b', has: 'ol[start="7"] > li', count: 2 },
  { name: 'another marker begins another list', text: '- a\n* b', has: 'ul', count: 2 },
  { name: 'lazy continuation of an item', text: '- a\nb\n\nc', has: 'li', words: 'a b' },
  { name: 'lazy continuation of a quote', text: '> a\nb\n\nc', has: 'blockquote', words: 'a b' },
  { name: 'a quote in a quote', text: '> a\n> > b\n>\n> c', has: 'blockquote blockquote', words: 'b' },
  { name: 'a list in a quote', text: '> - a\n>   - b\n> - c', has: 'blockquote li', count: 3 },
  { name: 'code in an item', text: '- a\n\n  ```js\n  b\n  ```\n\n  c', has: 'li agent-chat-code' },
  { name: 'a table by its second line', text: 'a | b\n--|--\n1 | 2', has: 'td', count: 2 },
  { name: 'a line that looks like a table', text: 'a | b\n1 | 2', has: 'table', count: 0 },
  { name: 'a table with too few and too many cells', text: '|a|b|\n|-|-|\n|1|\n|1|2|3|', has: 'tbody td', count: 4 },
  { name: 'an escaped bar in a cell', text: '|a|\n|-|\n|x \\| y|', has: 'td', words: 'x | y' },
  { name: 'a fence inside a longer one', text: '````\n```\nx\n```\n````', has: 'agent-chat-code' },
  { name: 'a fence that is never closed', text: '```js\nx', has: 'agent-chat-code' },
  { name: 'indented code', text: 'x\n\n    a\n\n    b\n\nc', has: 'agent-chat-code' },
  { name: 'HTML up to a blank line', text: '<div>\n*a*\n\n*b*', has: 'p > em', words: 'b' },
  { name: 'a hash without a blank is text', text: 'a\n#b\nc', has: 'h1', count: 0 },
  { name: 'seven hashes', text: '####### a', has: 'p', words: '####### a' },
  { name: 'a line break by two blanks', text: 'a  \nb\\\nc', has: 'br', count: 2 },
  {
    name: 'a reference that is defined after it',
    text: '[a][x] and [x]\n\n[x]: https://a.example',
    has: 'a',
    count: 2,
  },
  { name: 'a reference in a list', text: '- [a]\n- b\n\n[a]: https://a.example', has: 'li a', words: 'a' },
  { name: 'a reference in a table', text: '|[a]|\n|-|\n|b|\n\nx\n\n[a]: https://a.example', has: 'th a', words: 'a' },
  {
    name: 'the first of two definitions',
    text: '[a]\n\n[a]: https://1.example\n[a]: https://2.example',
    has: 'a[href="https://1.example/"]',
  },
  { name: 'a definition over three lines', text: '[a]\n\n[a]:\nhttps://a.example\n"t"', has: 'a[title="t"]' },
  { name: 'an invalid definition', text: '[a]\n\n[a]: ', has: 'a', count: 0 },
];

describe('Markdown whose end changes the meaning of its beginning', () => {
  for (const { name, text, has, count = 1, words } of rows) {
    it(name, () => {
      const { place } = show(text);
      const found = place.querySelectorAll(has);
      expect(found.length).to.equal(count);
      if (words !== undefined) expect(found[0]?.textContent.replace(/\s+/g, ' ').trim()).to.equal(words);
      expect(outline(grown(characters(text), text))).to.equal(outline(place));
    });

    it(`${name}, with Windows line ends`, () => {
      const windows = text.replaceAll('\n', '\r\n');
      expect(outline(grown(characters(windows), windows))).to.equal(outline(show(text).place));
    });
  }

  it('joins the two halves of a surrogate pair', () => {
    const text = '# 😀 *a👩‍👩‍👧b* `🇩🇪`\n\n| 𝒜 | b |\n|-|-|\n| 🎈 | ~~𠮷~~ |\n';
    expect(outline(grown(characters(text), text))).to.equal(outline(show(text).place));
  });

  it('resolves references of old blocks when their definition arrives', () => {
    const words = Array.from({ length: 200 }, (_, index) => `Block ${String(index)} with [a].`).join('\n\n');
    const { place, update } = show(`${words}\n\n`, true);
    expect(place.querySelectorAll('a').length).to.equal(0);
    update(`${words}\n\n[a]: https://a.example\n\nx\n`);
    expect(place.querySelectorAll('a[href="https://a.example/"]').length).to.equal(200);
  });

  it('replaces a block that turned out to be of another kind', () => {
    const { place, update } = show('a | b\n--', true);
    update('a | b\n--\nc', true);
    expect(place.querySelector('h2')?.textContent).to.equal('a | b');
    update('a | b\n--|--\nc', true);
    expect(place.querySelector('h2')).to.equal(null);
    expect(place.querySelectorAll('th').length).to.equal(2);
  });
});
