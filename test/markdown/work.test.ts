import { expect } from '@open-wc/testing';
import { Lexer, type Token } from 'marked';
import { effort } from '../support/effort.ts';
import { createParser } from './support/parser.ts';

/** How many characters marked is given while something is done, in all its calls. */
function workOf(act: () => void): number {
  const { blockTokens, inlineTokens } = Lexer.prototype;
  let given = 0;
  Object.assign(Lexer.prototype, {
    blockTokens(this: Lexer, src: string, ...rest: unknown[]) {
      given += src.length;
      return Reflect.apply(blockTokens, this, [src, ...rest]) as Token[];
    },
    inlineTokens(this: Lexer, src: string, ...rest: unknown[]) {
      given += src.length;
      return Reflect.apply(inlineTokens, this, [src, ...rest]) as Token[];
    },
  });
  try {
    act();
  } finally {
    Object.assign(Lexer.prototype, { blockTokens, inlineTokens });
  }
  return given;
}

/** A text that comes in pieces, to its end. */
const stream = (text: string, piece: number) => (): void => {
  const parser = createParser();
  for (let length = piece; length < text.length; length += piece) parser.update(text.slice(0, length), false);
  parser.update(text, true);
};

const LENGTH = effort(100_000, 6);
const filled = (unit: (index: number) => string, head = '', length = LENGTH): string => {
  let text = head;
  for (let index = 0; text.length < length; index++) text += unit(index);
  return text;
};

const SENTENCE = 'The rate went from **2.1 %** to *3.4 %*, see `orders` and [the log](https://a.example/log). ';

/** Long texts of one block, and how many times their length may be read. Read whole with every piece it were 1000 times. */
const blocks: readonly { name: string; text: string; times: number }[] = [
  { name: 'a paragraph', text: filled(() => SENTENCE), times: 150 },
  { name: 'a paragraph of lines', text: filled((index) => `${SENTENCE}${String(index)}\n`), times: 150 },
  { name: 'a paragraph without blanks', text: filled(() => '文字很多，没有空格。'), times: 150 },
  { name: 'a tight list', text: filled((index) => `- ${String(index)} ${SENTENCE}\n`), times: 150 },
  { name: 'a loose list', text: filled((index) => `${String(index + 1)}. ${SENTENCE}\n\n`), times: 150 },
  { name: 'a list of lists', text: filled(() => '- a **b**\n  - c `d`\n    - e\n'), times: 150 },
  {
    name: 'a table',
    text: filled((index) => `| ${String(index)} | **a** | \`b\` |\n`, '| a | b | c |\n|---|:-:|--:|\n'),
    times: 150,
  },
  { name: 'code', text: filled((index) => `const a${String(index)} = "**b** [c](d)";\n`, '```js\n'), times: 50 },
  { name: 'code in tildes', text: filled(() => 'plain\n\n', '~~~\n'), times: 50 },
  { name: 'paragraphs', text: filled(() => `${SENTENCE}${SENTENCE}\n\n`), times: 50 },
  { name: 'a quote', text: filled(() => `> ${SENTENCE}\n`), times: 250 },
  { name: 'an HTML block', text: filled(() => '<p>a <b>b</b></p>\n', '<div>\n'), times: 150 },
];

describe('the work of parsing', () => {
  for (const { name, text, times } of blocks) {
    it(`is in proportion to the length, however small the pieces: ${name}`, () => {
      const work = workOf(stream(text, 50));
      expect(work / text.length).to.be.below(times);
    });

    it(`does not grow faster than the text: ${name}`, () => {
      const half = text.slice(0, text.length / 2);
      expect(workOf(stream(text, 50)) / workOf(stream(half, 50))).to.be.below(2.7);
    });
  }

  it('of references that come late is bounded', () => {
    const text = `${filled((index) => `See [a] and [b${String(index)}].\n\n`, '', 50_000)}${filled((index) => `[b${String(index)}]: /x\n`, '', 20_000)}[a]: /y\n`;
    expect(workOf(stream(text, 50)) / text.length).to.be.below(60);
  });
});

/** Texts that are made to be slow, or to exhaust the stack. */
const hostile: readonly { name: string; make: (count: number) => string }[] = [
  { name: 'brackets', make: (count) => '['.repeat(count) },
  { name: 'pictures', make: (count) => '!['.repeat(count) },
  { name: 'brackets and their ends', make: (count) => '['.repeat(count) + ']'.repeat(count) },
  { name: 'links in links', make: (count) => '['.repeat(count) + '](a)'.repeat(count) },
  { name: 'half links', make: (count) => '[a]('.repeat(count) },
  { name: 'backticks', make: (count) => '`'.repeat(count) },
  {
    name: 'backticks in runs',
    make: (count) => Array.from({ length: Math.sqrt(count) }, (_, index) => '`'.repeat(index + 1)).join(' '),
  },
  { name: 'stars', make: (count) => `a\na\na\n${'*'.repeat(count)}` },
  { name: 'stars with words', make: (count) => '*a '.repeat(count) },
  { name: 'stars that open and close', make: (count) => '**a *b '.repeat(count) },
  { name: 'underlines', make: (count) => '_a__b'.repeat(count / 20) },
  { name: 'tildes', make: (count) => '~~a~'.repeat(count / 4) },
  { name: 'quotes in quotes', make: (count) => '> '.repeat(count) },
  { name: 'quotes in quotes, line by line', make: (count) => `${'> '.repeat(40)}a\n`.repeat(count / 100) },
  { name: 'a few quotes in quotes', make: (count) => `${'> '.repeat(31)}a\n\n`.repeat(Math.sqrt(count) / 5) },
  { name: 'a few lists in lists', make: (count) => `${'-   '.repeat(31)}a\n\n`.repeat(Math.sqrt(count) / 5) },
  { name: 'lists in lists', make: (count) => '- '.repeat(count) },
  {
    name: 'lists in lists, line by line',
    make: (count) => Array.from({ length: Math.sqrt(count) }, (_, index) => `${'  '.repeat(index)}- a`).join('\n'),
  },
  { name: 'tags', make: (count) => `a ${'<b>'.repeat(count)}` },
  { name: 'half tags', make: (count) => `a ${'<b '.repeat(count)}` },
  { name: 'half comments', make: (count) => `a ${'<!-- '.repeat(count)}` },
  { name: 'half attributes', make: (count) => `a ${'<b c="'.repeat(count)}` },
  { name: 'autolinks', make: (count) => '<https://'.repeat(count) },
  { name: 'addresses', make: (count) => 'a@'.repeat(count) },
  { name: 'entities', make: (count) => '&#x41;&nope'.repeat(count) },
  { name: 'backslashes', make: (count) => '\\'.repeat(count) },
  { name: 'heads of tables', make: (count) => '|a|\n|-|-|\n'.repeat(count / 10) },
  { name: 'columns', make: (count) => `${'|a'.repeat(count)}\n${'|-'.repeat(count)}\n${'|b'.repeat(count)}` },
  { name: 'definitions', make: (count) => '[a]: b\n'.repeat(count) },
  { name: 'half definitions', make: (count) => '[a]: b "\n'.repeat(count) },
  { name: 'fences', make: (count) => '```\n'.repeat(count) },
  { name: 'underlines of headings', make: (count) => 'a\n'.repeat(count) + '='.repeat(count) },
  { name: 'blanks', make: (count) => `a${' '.repeat(count)}b` },
  { name: 'line ends', make: (count) => `a${'\n'.repeat(count)}b` },
  { name: 'one word', make: (count) => 'a'.repeat(count * 10) },
  { name: 'marks of every kind in one line', make: (count) => '*_~`[<!'.repeat(count / 4) },
];

const COUNT = effort(10_000);

describe('hostile text', () => {
  for (const { name, make } of hostile) {
    it(`costs what it is long: ${name}`, () => {
      const [small, large] = [make(COUNT / 4), make(COUNT)];
      const work = workOf(stream(large, Math.ceil(large.length / 40)));
      expect(work / large.length, 'times its length').to.be.below(800);
      expect(work / workOf(stream(small, Math.ceil(small.length / 40))), 'four times the text').to.be.below(11);
    });
  }
});
