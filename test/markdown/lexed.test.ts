import { expect } from '@open-wc/testing';
import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import { corpora } from '../../bench/corpora/corpora.ts';
import { effort } from '../support/effort.ts';
import { createParser } from './support/parser.ts';

/**
 * The number of characters that go into marked's lexer, separately for blocks and inline text. Text that the lexer
 * passes to itself, such as a list item or the inside of bold text, is not counted again.
 */
function lexed(act: () => void): { readonly blocks: number; readonly words: number } {
  const { blockTokens, inlineTokens } = Lexer.prototype;
  const count = { blocks: 0, words: 0 };
  let depth = 0;
  const counted = (original: (...all: never[]) => Token[], kind: 'blocks' | 'words') =>
    function (this: Lexer, src: string, ...rest: unknown[]): Token[] {
      if (depth === 0) count[kind] += src.length;
      depth++;
      try {
        return Reflect.apply(original, this, [src, ...rest]) as Token[];
      } finally {
        depth--;
      }
    };
  Object.assign(Lexer.prototype, {
    blockTokens: counted(blockTokens, 'blocks'),
    inlineTokens: counted(inlineTokens, 'words'),
  });
  try {
    act();
  } finally {
    Object.assign(Lexer.prototype, { blockTokens, inlineTokens });
  }
  return count;
}

/** The text of one frame at full streaming speed: 200 tokens of four characters. */
const FRAME = 800;
const LENGTH = effort(200_000);
const filled = (part: (index: number) => string, head = ''): string => {
  const parts = [head];
  for (let length = head.length, index = 0; length < LENGTH; index++) {
    const next = part(index);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
};

const SENTENCE = 'The rate went from **2.1 %** to *3.4 %*, see `orders` and [the log](https://a.example/log). ';

/** Shapes of one long block that the benchmark does not have. */
const long: Readonly<Record<string, () => string>> = {
  'a paragraph of lines': () => filled(() => `${SENTENCE.trim()}\n`),
  'a tight list': () => filled((index) => `- ${String(index)} ${SENTENCE}\n`),
  'a loose list': () => filled((index) => `${String(index + 1)}. ${SENTENCE}\n\n`),
  'code by its indent': () => filled((index) => `    const a${String(index)} = "**b** [c](d)";\n`),
  HTML: () => filled((index) => `<p>${String(index)} <b>bold</b></p>\n`, '<div>\n'),
  'Chinese on one line': () => filled(() => '文字很多，没有空格。**重点**在这里，'),
  'emoji on one line': () => filled(() => '😀 words 👩‍👩‍👧 and *more* 🇩🇪 '),
};

/** A text of fewer frames is read twice by any parser. */
const LEAST = 10 * FRAME;

describe('characters that go into the lexer, for blocks and inline text together', () => {
  for (const [name, make] of Object.entries({ ...corpora, ...long })) {
    const text = make();
    if (text.length < LEAST) continue;
    it(`are at most three times the received ones: ${name}`, () => {
      const parser = createParser();
      const { blocks, words } = lexed(() => {
        for (let length = FRAME; length < text.length; length += FRAME) parser.update(text.slice(0, length), false);
        parser.update(text, true);
      });
      expect((blocks + words) / text.length, `${String(blocks)} + ${String(words)}`).to.be.at.most(3);
    });
  }
});

/**
 * Unpaired marks, or marks that seem never to end. Nothing can be cut off safely, so the parser reads up to 8 KB before
 * it cuts at the limit.
 */
const storms: readonly { readonly name: string; readonly part: string }[] = [
  { name: 'stars', part: '*a **b ' },
  { name: 'asterisks and underscores', part: '**_a ' },
  { name: 'underscores in words', part: 'a_b_c' },
  { name: 'tildes', part: '~~a~' },
  { name: 'backticks', part: '`` a ``` b ` ' },
  { name: 'brackets', part: '[' },
  { name: 'pictures', part: '![](' },
  { name: 'links', part: '[a](b "' },
  { name: 'tags', part: 'a <b c="' },
  { name: 'angles', part: 'b <' },
  { name: 'character references', part: 'a&' },
  { name: 'one word', part: 'a' },
];

describe('characters of hostile text that go into the lexer', () => {
  for (const { name, part } of storms) {
    it(`are in proportion to the text: ${name}`, () => {
      const text = filled(() => part.repeat(100)).slice(0, effort(100_000, 20));
      const parser = createParser();
      const { blocks, words } = lexed(() => {
        for (let length = FRAME; length < text.length; length += FRAME) parser.update(text.slice(0, length), false);
        parser.update(text, true);
      });
      expect(blocks / text.length, 'as blocks').to.be.below(7);
      expect(words / text.length, 'as words').to.be.below(13);
    });
  }
});

describe('the search for closing marks', () => {
  /** The number of characters searched for closing marks: the number of searches times the remaining length. */
  function searched(text: string): number {
    const { emStrong } = Tokenizer.prototype;
    let count = 0;
    Object.assign(Tokenizer.prototype, {
      emStrong(this: Tokenizer, src: string, ...rest: unknown[]) {
        const match = Reflect.apply(emStrong, this, [src, ...rest]) as Tokens.Em | undefined;
        if (/^[*_]+\S/.test(src)) count += match?.raw.length ?? src.length;
        return match;
      },
    });
    try {
      createParser().update(text, true);
    } finally {
      Object.assign(Tokenizer.prototype, { emStrong });
    }
    return count / text.length;
  }

  for (const part of ['**_a ', 'a*b**', '*a_ ', '***a **b *c '])
    it(`stops at its limit: ${part}`, () => {
      expect(searched(part.repeat(effort(50_000, 20) / part.length))).to.be.below(100);
    });

  it('is complete for an ordinary text', () => {
    const text = `${SENTENCE.repeat(80)}snake_case_words and *the last one*`;
    const { finished } = createParser().update(text, true);
    expect(JSON.stringify(finished[0]?.token)).to.include('"type":"em","raw":"*the last one*"');
  });
});
