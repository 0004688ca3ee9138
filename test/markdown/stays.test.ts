/** What the user has selected or opened stays, in the same nodes, while each form streams on. */
import { expect } from '@open-wc/testing';
import { splitCitationMarks } from '../../src/renderers/text/find-citation-marks.ts';
import { show, view } from './support/show.ts';

const settings = { ...view, references: (text: string) => splitCitationMarks(text, [1, 2], () => undefined) };

/** `␣` is where the user selects the word before it; the text after it streams a character at a time. */
const forms: Readonly<Record<string, (word: string) => string>> = {
  'bold text': (word) => `**${word}␣：**${word} *${word}*, \`a\`\n\n${word}`,
  'an open details element': (word) =>
    `<details open>\n<summary>${word}</summary>\n\n- **a** ${word}␣ ${word}\n- b\n\n${word}\n\n</details>\n\n${word}`,
  'a nested details element': (word) =>
    `<details open>\n<summary>a</summary>\n\n<details open>\n<summary>b</summary>\n\n${word}␣\n\n</details>\n\n${word}\n\n</details>\n\nc`,
  'a centred block': (word) => `<div align="center">\n\n## ${word}␣ ${word}\n\n${word}\n\n</div>\n\n${word}`,
  'an alert': (word) => `> [!NOTE]\n> ${word}␣ ${word}\n>\n> - ${word}\n\n${word}`,
  'text with a footnote': (word) => `${word}[^1] ${word}␣[^2]\n\n[^1]: ${word}\n[^2]: ${word}\n\n${word}`,
  'a footnote': (word) => `a[^1]\n\n[^1]: ${word}␣ ${word}\n[^2]: ${word}\n\n${word}[^2]`,
  'a list with code': (word) => `1. ${word}␣ ${word}\n   - ${word}\n\n     \`\`\`js\n     a\n     \`\`\`\n2. ${word}`,
  'a cell': (word) => `| a | b |\n|---|---|\n| ${word}␣ | ${word} |\n| c | d |\n\n${word}`,
  'text with numbered references': (word) => `${word}␣ [1], ${word}【2†source】 ${word}`,
};
const words = {
  English: 'weather',
  German: 'Straßenwetter',
  Russian: 'погода',
  Arabic: 'الطقس',
  Chinese: '天气𠮷',
  Korean: '날씨',
};

/** Selects the last occurrence of a word, and returns its text node. */
function select(place: HTMLElement, word: string): Text {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  let found: Text | undefined;
  while (walker.nextNode())
    if (walker.currentNode instanceof Text && walker.currentNode.data.includes(word)) found = walker.currentNode;
  if (!found) throw new Error(`${word} is not shown: ${place.textContent}`);
  const start = found.data.lastIndexOf(word);
  getSelection()?.setBaseAndExtent(found, start, found, start + word.length);
  return found;
}

for (const [form, markdown] of Object.entries(forms))
  describe(`while ${form} streams`, () => {
    for (const [language, word] of Object.entries(words))
      it(`a selection in it stays: ${language}`, () => {
        const [start = '', rest = ''] = markdown(word).split('␣');
        const { place, update } = show(start, true, settings);
        const node = select(place, word);
        for (let length = 1; length <= rest.length; length++) {
          update(start + rest.slice(0, length), true);
          expect(node.isConnected, rest.slice(0, length)).to.equal(true);
          expect(getSelection()?.toString(), rest.slice(0, length)).to.equal(word);
        }
        update(start + rest);
        expect(getSelection()?.toString()).to.equal(word);
        expect(getSelection()?.anchorNode === node).to.equal(true);
      });
  });

describe('details elements while they stream', () => {
  const text =
    '<details>\n<summary>a</summary>\n\nb\n\n<details open>\n<summary>c</summary>\n\nd\n\n</details>\n\ne\n\n</details>\n\nf';
  const closed = text.indexOf('\n\nd');

  it('stay as the user has opened and closed them, to the end', () => {
    const { place, update } = show(text.slice(0, closed), true);
    const [outer, inner] = place.querySelectorAll('details');
    if (!outer || !inner) throw new Error('They are not shown.');
    expect([outer.open, inner.open]).to.deep.equal([false, true]);
    outer.open = true;
    inner.open = false;
    for (let length = closed; length <= text.length; length++) update(text.slice(0, length), true);
    update(text);
    expect([...place.querySelectorAll('details')]).to.deep.equal([outer, inner]);
    expect([outer.open, inner.open]).to.deep.equal([true, false]);
  });

  it('one that the user closes while it streams stays closed', () => {
    const opened = text.replace('<details>', '<details open>');
    const { place, update } = show(opened.slice(0, closed), true);
    const outer = place.querySelector('details');
    if (!outer) throw new Error('It is not shown.');
    outer.open = false;
    for (let length = closed; length <= opened.length; length++) update(opened.slice(0, length), true);
    update(opened);
    expect(outer.isConnected && !outer.open).to.equal(true);
  });
});
