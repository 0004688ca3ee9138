import { expect } from '@open-wc/testing';
import { Lexer, type Token } from 'marked';
import { createParser } from './support/parser.ts';

/**
 * How many characters go into marked's lexer: those given to it as blocks and those given to it as words, each apart. What it
 * gives to itself, an item of a list or the inside of bold words, is a part of that and not counted again.
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

/** What comes in a frame of a stream at full speed: 200 tokens of four characters. */
const FRAME = 800;
const LENGTH = 200_000;
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
const mixed = [
  '## A title\n\n',
  `${SENTENCE.repeat(3)}\n\n`,
  `- ${SENTENCE}\n- ${SENTENCE}\n- ${SENTENCE}\n\n`,
  '```js\nconst a = "b"; // c\nlet d;\n```\n\n',
  '| a | b |\n|---|--:|\n| one | 2 |\n| three | 4 |\n\n',
  `> ${SENTENCE}\n\n`,
];

const corpora: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'mixed', text: filled((index) => mixed[index % mixed.length] ?? '') },
  { name: 'code', text: filled((index) => `const a${String(index)} = "**b** [c](d)";\n`, '```js\n') },
  { name: 'a paragraph', text: filled(() => SENTENCE) },
  {
    name: 'a table',
    text: filled((index) => `| ${String(index)} | **a** | \`b\` |\n`, '| a | b | c |\n|---|:-:|--:|\n'),
  },
  { name: 'a tight list', text: filled((index) => `- ${String(index)} ${SENTENCE}\n`) },
  { name: 'a loose list', text: filled((index) => `${String(index + 1)}. ${SENTENCE}\n\n`) },
  { name: 'Chinese', text: filled(() => '文字很多，没有空格。**重点**在这里，') },
  { name: 'emoji', text: filled(() => '😀 words 👩‍👩‍👧 and *more* 🇩🇪 ') },
];

describe('characters that go into the lexer', () => {
  for (const { name, text } of corpora) {
    it(`are at most three times those received: ${name}`, () => {
      const parser = createParser();
      const { blocks, words } = lexed(() => {
        for (let length = FRAME; length < text.length; length += FRAME) parser.update(text.slice(0, length), false);
        parser.update(text, true);
      });
      expect(blocks / text.length, 'as blocks').to.be.below(3);
      expect(words / text.length, 'as words').to.be.below(3);
    });
  }
});
