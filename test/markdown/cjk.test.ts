import { expect } from '@open-wc/testing';
import { outline, show, wordsOf } from './support/show.ts';

/** Source text, and the rendered text with bold (`[…]`), emphasised (`(…)`) and removed (`{…}`) parts. */
const rows: readonly (readonly [text: string, expected: string])[] = [
  ['**テスト。**です', '[テスト。]です'],
  ['**“重点”**。接着', '[“重点”]。接着'],
  ['**Note:**다음', '[Note:]다음'],
  ['**`a()`**调用', '[`a()`]调用'],
  ['*（括号）*字', '(（括号）)字'],
  ['你好**“重点”**很', '你好[“重点”]很'],
  ['これは**「重要」**です。', 'これは[「重要」]です。'],
  ['**강조(emphasis)**는', '[강조(emphasis)]는'],
  ['**中文：**English', '[中文：]English'],
  ['***重要！***です', '([重要！])です'],
  ['*あ**い。**う*', '(あ[い。]う)'],
  ['𠮷**(a)**𠮷', '𠮷[(a)]𠮷'],
  ['~~「旧」~~新', '{「旧」}新'],
  ['~~“旧”~~新', '{“旧”}新'],
  ['**注意：**[連結](https://a.example)', '[注意：]連結'],
  // Unchanged from CommonMark: other scripts, and marks inside a word.
  ['a**“b”**c', 'a**“b”**c'],
  ['**a:**b', '**a:**b'],
  ['_(a)_字', '_(a)_字'],
  ['snake_字_case', 'snake_字_case'],
];

const marks: Readonly<Record<string, readonly [string, string]>> = {
  strong: ['[', ']'],
  em: ['(', ')'],
  del: ['{', '}'],
  code: ['`', '`'],
};

function marked(node: Node): string {
  if (node instanceof Text) return node.data;
  const [open, close] = marks[node instanceof Element ? node.localName : ''] ?? ['', ''];
  return open + Array.from(node.childNodes, marked).join('') + close;
}

describe('emphasis beside Chinese, Japanese and Korean text', () => {
  for (const [text, expected] of rows)
    it(`${text} is ${expected}, in one step and a character at a time`, () => {
      const { place, update } = show('', true);
      const seen: string[] = [];
      for (let length = 1; length <= text.length; length++) {
        update(text.slice(0, length), true);
        const isRaw = /[*~]/.test(wordsOf(place));
        if (isRaw && !/[*~]/.test(expected)) seen.push(text.slice(0, length));
      }
      expect(seen, 'raw marks on the way').to.deep.equal([]);
      update(text);
      expect(marked(place).trim()).to.equal(expected);
      expect(outline(show(text).place)).to.equal(outline(place));
    });
});
