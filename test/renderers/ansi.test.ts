import { expect } from '@open-wc/testing';
import { isTerminal, readAnsi } from '../../src/renderers/ansi.ts';

const ESC = '\u001b';
const read = (text: string) => readAnsi(text).map(({ text: words, looks }) => (looks ? `${looks}<${words}>` : words));

describe('what a program writes to a terminal', () => {
  const rows: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
    ['words', 'plain', ['plain']],
    ['a colour and its end', `a ${ESC}[31mred${ESC}[0m b`, ['a ', 'red<red>', ' b']],
    ['no number is 0', `${ESC}[32mok${ESC}[m!`, ['green<ok>', '!']],
    ['bright colours are the same colours', `${ESC}[92mok${ESC}[39m.`, ['green<ok>', '.']],
    [
      'several at once, and back one by one',
      `${ESC}[1;4;33mx${ESC}[22my${ESC}[24mz`,
      ['yellow bold underline<x>', 'yellow underline<y>', 'yellow<z>'],
    ],
    ['a colour of the table', `${ESC}[38;5;9mx${ESC}[38;5;200my`, ['red<xy>']],
    ['a colour of three parts is left out', `${ESC}[38;2;255;0;0;1mx`, ['bold<x>']],
    ['a ground is left out', `${ESC}[48;5;1mx${ESC}[41my`, ['xy']],
    ['cursors, clearing and titles do nothing', `${ESC}[2J${ESC}[1;1Ha${ESC}[K${ESC}]0;title\u0007b${ESC}(Bc`, ['abc']],
    ['a link is its words', `${ESC}]8;;https://evil.example${ESC}\\words${ESC}]8;;${ESC}\\.`, ['words.']],
    ['a line written over is its last', '10 %\r50 %\r100 %\ndone\r\n', ['100 %\ndone\n']],
    ['a sequence that is cut', `a${ESC}[3`, ['a']],
    ['markup is words', `${ESC}[31m<img src=x>`, ['red<<img src=x>>']],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () => {
      expect(read(text)).to.deep.equal(expected);
    });
  }

  it('is told from other text', () => {
    expect([isTerminal('a\r\nb'), isTerminal('a\rb'), isTerminal(`${ESC}[0m`)]).to.deep.equal([false, true, true]);
  });

  it('keeps every word, however often it changes its looks', () => {
    const text = `${ESC}[31mx${ESC}[32my`.repeat(10_000);
    const stretches = readAnsi(text);
    expect(stretches.map((stretch) => stretch.text).join('')).to.equal('xy'.repeat(10_000));
    expect(stretches.length).to.be.lessThan(5100);
  });
});
