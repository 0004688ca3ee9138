import { expect } from '@open-wc/testing';
import { Lexer, type Token, type Tokens } from 'marked';
import { IncrementalMarkdownParser } from '../../src/markdown/parse/incremental-parser.ts';
import { LinkReferenceTracker } from '../../src/markdown/parse/link-references.ts';
import { effort, isChromium } from '../support/effort.ts';
import { createParser } from './support/parser.ts';
import { show } from './support/show.ts';

/** The number of characters passed to marked during an action, in all calls. */
function parsedCharacters(act: () => void): number {
  const { blockTokens, inlineTokens } = Lexer.prototype;
  let passed = 0;
  Object.assign(Lexer.prototype, {
    blockTokens(this: Lexer, src: string, ...rest: unknown[]) {
      passed += src.length;
      return Reflect.apply(blockTokens, this, [src, ...rest]) as Token[];
    },
    inlineTokens(this: Lexer, src: string, ...rest: unknown[]) {
      passed += src.length;
      return Reflect.apply(inlineTokens, this, [src, ...rest]) as Token[];
    },
  });
  try {
    act();
  } finally {
    Object.assign(Lexer.prototype, { blockTokens, inlineTokens });
  }
  return passed;
}

/** Streams a text in chunks, to its end. */
const stream =
  (text: string, chunkLength: number, options = {}) =>
  (): void => {
    const parser = createParser(options);
    for (let length = chunkLength; length < text.length; length += chunkLength)
      parser.update(text.slice(0, length), false);
    parser.update(text, true);
  };

const LENGTH = effort(100_000, 20);
const filled = (unit: (index: number) => string, head = '', length = LENGTH): string => {
  let text = head;
  for (let index = 0; text.length < length; index++) text += unit(index);
  return text;
};

const SENTENCE = 'The rate went from **2.1 %** to *3.4 %*, see `orders` and [the log](https://a.example/log). ';

/**
 * Long texts of one block. `times`: the maximum of parsed characters, as a multiple of the text's length. Parsing the complete
 * text for every chunk would be 1000 times.
 */
const blocks: readonly { name: string; text: string; times: number }[] = [
  { name: 'a paragraph', text: filled(() => SENTENCE), times: 150 },
  { name: 'a paragraph of lines', text: filled((index) => `${SENTENCE}${String(index)}\n`), times: 150 },
  { name: 'a paragraph without spaces', text: filled(() => '文字很多，没有空格。'), times: 150 },
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
  { name: 'blank lines', text: filled(() => '\n', 'a\n'), times: 20 },
  { name: 'blank lines after a list', text: filled(() => '\n', '- a\n'), times: 20 },
  { name: 'an HTML block', text: filled(() => '<p>a <b>b</b></p>\n', '<div>\n'), times: 150 },
];

const parse = (text: string): readonly Token[] =>
  createParser()
    .update(text, true)
    .finished.map(({ token }) => token);
const urlsIn = (tokens: readonly Token[]): readonly string[] =>
  tokens.flatMap((token) => [
    ...(token.type === 'link' ? [token.raw] : []),
    ...('tokens' in token ? urlsIn(token.tokens ?? []) : []),
  ]);

describe('the cost of parsing', () => {
  for (const { name, text, times } of blocks) {
    it(`is at most a fixed multiple of the text's length: ${name}`, () => {
      const cost = parsedCharacters(stream(text, 50));
      expect(cost / text.length).to.be.below(times);
    });

    if (isChromium) {
      it(`does not grow faster than the text: ${name}`, () => {
        const half = text.slice(0, text.length / 2);
        expect(parsedCharacters(stream(text, 50)) / parsedCharacters(stream(half, 50))).to.be.below(2.7);
      });
    }
  }

  for (const { name, text } of [
    { name: 'a list', text: filled(() => '- \\[a\n') },
    { name: 'a table', text: filled(() => '| \\[a |\n', '| a |\n|---|\n') },
    { name: 'a paragraph', text: filled(() => '\\[a ') },
    { name: 'lines', text: filled(() => '\\[a\n') },
  ])
    it(`of one step is limited to what a formula can include, where formulas are never closed: ${name}`, () => {
      const parser = createParser({ math: true });
      let longest = 0;
      for (let length = 500; length < text.length; length += 500)
        longest = Math.max(
          longest,
          parsedCharacters(() => parser.update(text.slice(0, length), false)),
        );
      expect(longest).to.be.below(100_000);
    });

  it('reads a URL a few times to find the end of the punctuation after it', () => {
    const rule = (Lexer.rules.inline.gfm as unknown as { readonly _backpedal: RegExp })._backpedal;
    let read = 0;
    const exec = (text: string): RegExpExecArray | null => {
      read += text.length;
      return RegExp.prototype.exec.call(rule, text);
    };
    let seed = 7;
    /** A linear congruential generator. */
    const random = (limit: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const endings = ['.', ',', ')', '(', ';', '&amp;', '&lt;', '&', 'a', '?!', ')).', '*_', '"'];
    const ending = (count: number): string =>
      Array.from({ length: count }, () => endings[random(endings.length)]).join('');
    Object.assign(rule, { exec });
    try {
      for (const end of ['.,', ').', '&amp;', '&amp;).'].map((text) => text.repeat(1000))) {
        read = 0;
        parse(`https://a.example/b(${end}`);
        expect(read, end.slice(0, 10)).to.be.below(100_000);
      }
    } finally {
      Reflect.deleteProperty(rule, 'exec');
    }
    for (let round = 0; round < 500; round++) {
      const text = `see https://a.example/b${ending(8)}${'.,'.repeat(round % 2 ? 9 : 0)}${ending(12)} end`;
      expect(urlsIn(parse(text)), text).to.deep.equal(urlsIn(new Lexer({ gfm: true }).lex(text)));
    }
  });

  it('does not look for link references in a block that is too long to be parsed again', () => {
    const { add } = LinkReferenceTracker.prototype;
    let longest = 0;
    LinkReferenceTracker.prototype.add = function (this: LinkReferenceTracker, block, texts) {
      longest = Math.max(longest, ...texts.map(({ length }) => length));
      return add.call(this, block, texts);
    };
    try {
      stream(`[a]\n\n${filled(() => `${SENTENCE.repeat(8)}[a] `, '', 70_000)}\n\n[a]: /b\n`, 8192)();
    } finally {
      LinkReferenceTracker.prototype.add = add;
    }
    expect(longest).to.be.greaterThan(0);
    expect(longest).to.be.at.most(65_536);
  });

  it('is bounded for references that are defined late', () => {
    const text = `${filled((index) => `See [a] and [b${String(index)}].\n\n`, '', 50_000)}${filled((index) => `[b${String(index)}]: /x\n`, '', 20_000)}[a]: /y\n`;
    expect(parsedCharacters(stream(text, 50)) / text.length).to.be.below(60);
  });
});

/** Texts that are made to be slow, or to exhaust the stack. */
const hostile: readonly { name: string; make: (count: number) => string }[] = [
  { name: 'brackets', make: (count) => '['.repeat(count) },
  { name: 'images', make: (count) => '!['.repeat(count) },
  { name: 'pairs of brackets', make: (count) => '['.repeat(count) + ']'.repeat(count) },
  { name: 'links in links', make: (count) => '['.repeat(count) + '](a)'.repeat(count) },
  { name: 'incomplete links', make: (count) => '[a]('.repeat(count) },
  { name: 'backticks', make: (count) => '`'.repeat(count) },
  {
    name: 'runs of backticks',
    make: (count) => Array.from({ length: Math.sqrt(count) }, (_, index) => '`'.repeat(index + 1)).join(' '),
  },
  { name: 'asterisks', make: (count) => `a\na\na\n${'*'.repeat(count)}` },
  { name: 'asterisks with words', make: (count) => '*a '.repeat(count) },
  { name: 'asterisks that open and close', make: (count) => '**a *b '.repeat(count) },
  { name: 'underscores', make: (count) => '_a__b'.repeat(count / 20) },
  { name: 'tildes', make: (count) => '~~a~'.repeat(count / 4) },
  { name: 'quotes in quotes', make: (count) => '> '.repeat(count) },
  { name: 'quotes in quotes, line by line', make: (count) => `${'> '.repeat(40)}a\n`.repeat(count / 100) },
  // These are so costly that the text grows only with the square root of the count.
  { name: 'a few quotes in quotes', make: (count) => `${'> '.repeat(31)}a\n\n`.repeat(Math.sqrt(count) / 5) },
  { name: 'a few lists in lists', make: (count) => `${'-   '.repeat(31)}a\n\n`.repeat(Math.sqrt(count) / 5) },
  { name: 'lists in lists', make: (count) => '- '.repeat(count) },
  {
    name: 'lists in lists, line by line',
    make: (count) => Array.from({ length: Math.sqrt(count) }, (_, index) => `${'  '.repeat(index)}- a`).join('\n'),
  },
  { name: 'tags', make: (count) => `a ${'<b>'.repeat(count)}` },
  { name: 'incomplete tags', make: (count) => `a ${'<b '.repeat(count)}` },
  { name: 'incomplete comments', make: (count) => `a ${'<!-- '.repeat(count)}` },
  { name: 'incomplete attributes', make: (count) => `a ${'<b c="'.repeat(count)}` },
  { name: 'autolinks', make: (count) => '<https://'.repeat(count) },
  { name: 'addresses', make: (count) => 'a@'.repeat(count) },
  { name: 'entities', make: (count) => '&#x41;&nope'.repeat(count) },
  { name: 'backslashes', make: (count) => '\\'.repeat(count) },
  { name: 'table header lines', make: (count) => '|a|\n|-|-|\n'.repeat(count / 10) },
  { name: 'columns', make: (count) => `${'|a'.repeat(count)}\n${'|-'.repeat(count)}\n${'|b'.repeat(count)}` },
  { name: 'definitions', make: (count) => '[a]: b\n'.repeat(count) },
  { name: 'incomplete definitions', make: (count) => '[a]: b "\n'.repeat(count) },
  { name: 'fences', make: (count) => '```\n'.repeat(count) },
  { name: 'heading underlines', make: (count) => 'a\n'.repeat(count) + '='.repeat(count) },
  { name: 'spaces', make: (count) => `a${' '.repeat(count)}b` },
  { name: 'line ends', make: (count) => `a${'\n'.repeat(count)}b` },
  { name: 'one word', make: (count) => 'a'.repeat(count * 10) },
  { name: 'marks of every kind in one line', make: (count) => '*_~`[<!'.repeat(count / 4) },
  { name: 'unclosed emphasis, brackets and code', make: (count) => '*[`( '.repeat(count) },
  { name: 'unclosed code', make: (count) => '`a '.repeat(count) },
  { name: 'emphasis in strong', make: (count) => '_a**b'.repeat(count) },
  { name: 'asterisks and underscores', make: (count) => `${'*_'.repeat(count)}x${'_*'.repeat(10)}` },
  { name: 'code', make: (count) => '`a` '.repeat(count) },
  { name: 'an item of one paragraph', make: (count) => `- a\n${'  a *b* c\n'.repeat(count)}` },
  { name: 'an item of many blocks', make: (count) => `- a\n${'\n  a\n'.repeat(count)}` },
  { name: 'a quote of one paragraph', make: (count) => '> a *b* c\n'.repeat(count) },
  {
    name: 'rows of a wide table',
    make: (count) => `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|a|\n'.repeat(count)}`,
  },
];

const COUNT = effort(10_000, 50);

describe('hostile text', () => {
  for (const { name, make } of hostile) {
    it(`parses characters in proportion to its length: ${name}`, () => {
      const [small, large] = [make(COUNT / 4), make(COUNT)];
      const cost = parsedCharacters(stream(large, Math.ceil(large.length / 40)));
      expect(cost / large.length, 'times its length').to.be.below(800);
      // The texts of the other engines are too short to measure growth.
      if (!isChromium) return;
      expect(cost / parsedCharacters(stream(small, Math.ceil(small.length / 40))), 'four times the text').to.be.below(
        11,
      );
    });
  }
});

describe('thousands of lines that look like table headers, in one paragraph', () => {
  it('are searched for a heading underline once', () => {
    const text = '|a|\n|-|-|\n'.repeat(1000);
    const { [Symbol.search]: search } = RegExp.prototype;
    let searched = 0;
    RegExp.prototype[Symbol.search] = function (this: RegExp, text: string) {
      searched += text.length;
      return search.call(this, text);
    };
    try {
      createParser().update(text, true);
    } finally {
      RegExp.prototype[Symbol.search] = search;
    }
    expect(searched).to.be.above(0);
    expect(searched / text.length).to.be.below(10);
  });

  it('do not hide the heading underline of a paragraph', () => {
    const heads = '|a|\n|-|-|\n'.repeat(50);
    const kinds = createParser()
      .update(`${heads}\nb\n===\n${heads}\nc\nd\n---\ne`, true)
      .finished.map(({ token }) => token.type);
    expect(kinds).to.deep.equal(['paragraph', 'heading', 'paragraph', 'heading', 'paragraph']);
  });
});

describe('nested lists above the length limit of an item', () => {
  it('are parsed again once, not once for each level', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `${'  '.repeat(index)}- a\n`).join('');
    const [short, long] = [lines.slice(0, 16_000), lines.slice(0, 20_000)];
    const cost = (text: string): number => parsedCharacters(() => createParser().update(text, true));
    expect(cost(long) / cost(short)).to.be.below(4);
  });
});

describe('a block above the length limit', () => {
  const parse = (text: string): readonly Token[] => {
    const { finished } = createParser().update(text, true);
    return finished.map(({ token }) => token);
  };

  it('splits a quote into several quotes', () => {
    const quotes = parse('> a b c\n'.repeat(10_000)).filter(({ type }) => type === 'blockquote');
    expect(quotes.length).to.be.above(3);
    expect(Math.max(...quotes.map(({ raw }) => raw.length))).to.be.at.most(16_384);
  });

  it('continues an item that is too long after its list, without losing text', () => {
    const text = `- a\n${'  b c d\n'.repeat(effort(10_000, 4))}`;
    const tokens = parse(text);
    expect(tokens[0]?.raw.length).to.be.at.most(16_384);
    expect(tokens.map(({ raw }) => raw).join('')).to.equal(text);
  });

  for (const marker of ['- ', '> '])
    it(`continues a line that is too long after its ${marker === '- ' ? 'list' : 'quote'}, without losing text`, () => {
      const text = `${marker}${'a@b.example '.repeat(effort(20_000, 4))}`;
      const tokens = parse(text);
      expect(tokens[0]?.raw.length).to.be.within(8192, 16_384);
      expect(tokens.map(({ raw }) => raw).join('')).to.equal(text);
      expect(parsedCharacters(stream(text, 4096)) / text.length).to.be.below(20);
    });

  it('does not split an image in its URL', () => {
    const [list, ...rest] = parse(`- a ![b c](data:image/png;base64,${'A'.repeat(40_000)}) d\n- e\n`);
    expect([(list as Tokens.List).items.length, rest.length]).to.deep.equal([2, 0]);
  });

  it('does not split a list of short items', () => {
    expect(parse('- a b c\n'.repeat(10_000)).length).to.equal(1);
  });

  it('shows 32 columns of a wide table, and all its rows', () => {
    const row = (cell: string): string => `${`|${cell}`.repeat(3000)}|\n`;
    const [table] = parse(row('a') + row('-') + row('b').repeat(3) + '|c|\n'.repeat(5000));
    expect((table as Tokens.Table).header.length).to.equal(32);
    expect((table as Tokens.Table).rows.length).to.equal(5003);
    expect(table?.raw.length).to.equal(6002 * 5 + 20_000);
  });

  it('shows 32 columns of a wide table whose first head is empty', () => {
    const row = (first: string, cell: string): string => `|${first}${`|${cell}`.repeat(99)}|\n`;
    const [table] = parse(row('', 'a') + row('-', '-') + row('', 'b'));
    expect((table as Tokens.Table).header.map(({ text }) => text)).to.deep.equal(['', ...Array<string>(31).fill('a')]);
    expect((table as Tokens.Table).rows[0]?.map(({ text }) => text)).to.deep.equal([
      '',
      ...Array<string>(31).fill('b'),
    ]);
  });

  for (const [length, type] of [
    [16_384, 'table'],
    [16_385, 'paragraph'],
  ] as const)
    it(`reads a line of ${String(length)} characters above a delimiter row as a ${type}`, () => {
      expect(parse(`|${'a'.repeat(length - 2)}|\n|-|\n|b|\n`)[0]?.type).to.equal(type);
    });

  for (const [marker, selector] of [
    ['- ', 'li'],
    ['1. ', 'li'],
    ['> ', 'blockquote'],
  ] as const)
    it(`nests ${marker}32 times, and shows a line with more of them as text`, () => {
      const { place } = show(`${marker.repeat(32)}a`);
      expect(place.querySelectorAll(selector).length).to.equal(32);
      expect(place.textContent.trim()).to.equal('a');
      const deeper = show(`${marker.repeat(33)}a`).place;
      expect(deeper.querySelectorAll(selector).length).to.be.below(33);
      expect(deeper.textContent.trim().endsWith(`${marker}a`)).to.equal(true);
    });

  it('ends a wide table without rows at the block after it', () => {
    const row = (cell: string): string => `${`|${cell}`.repeat(100)}|\n`;
    const [table, after] = parse(`${row('a')}${row('-')}> b\n`);
    expect((table as Tokens.Table).rows.length).to.equal(0);
    expect(after?.type).to.equal('blockquote');
  });

  it('gives a wide table the same cells as a narrow one', () => {
    const cells = Array.from({ length: 100 }, (_, index) =>
      index % 7 === 0 ? `a\\|${String(index)}` : `*${String(index)}*`,
    );
    const rule = cells.map(() => ':-:').join('|');
    const wide = parse(`${cells.join('|')}\n${rule}\n|${cells.join(' | ')}|\n`)[0] as Tokens.Table;
    const narrow = parse(
      `|${cells.slice(0, 32).join('|')}|\n|${rule.split('|').slice(0, 32).join('|')}|\n|${cells.slice(0, 32).join(' | ')}|\n`,
    )[0] as Tokens.Table;
    expect(wide.header.map(({ text }) => text)).to.deep.equal(narrow.header.map(({ text }) => text));
    expect(wide.rows[0]?.map(({ text }) => text)).to.deep.equal(narrow.rows[0]?.map(({ text }) => text));
    expect(wide.align).to.deep.equal(narrow.align);
  });
});

describe('references with definitions at the end of the text', () => {
  const text = `${filled((index) => `See [b${String(index)}].\n\n`, '', 50_000)}${filled((index) => `[b${String(index)}]: /x\n`, '', 40_000)}`;

  it('can be parsed in limited steps, with the same result', () => {
    const once = new IncrementalMarkdownParser().append(text.slice(0, 50_000), false);
    expect(once.finished.length).to.be.above(100);
    const [atOnce, inSteps] = [new IncrementalMarkdownParser(), new IncrementalMarkdownParser()];
    for (const parser of [atOnce, inSteps])
      for (const [chunk] of text.matchAll(/[^]{1,500}/g)) parser.append(chunk, false);
    const { finished } = atOnce.append('', true);
    let largestStep = parsedCharacters(() => inSteps.append('', true, 1000));
    let calls = 1;
    for (; inSteps.hasPendingReparse; calls++)
      largestStep = Math.max(
        largestStep,
        parsedCharacters(() => inSteps.append('', true, 1000)),
      );
    expect(JSON.stringify(inSteps.append('', true).finished)).to.equal(JSON.stringify(finished));
    expect(largestStep).to.be.below(20_000);
  });
});
