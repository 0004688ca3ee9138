import { expect } from '@open-wc/testing';
import { isTerminalOutput, parseAnsi } from '../../../src/renderers/tools/parse-ansi.ts';

const ESC = '\u001b';
const read = (text: string) =>
  parseAnsi(text).map(({ text: words, styleNames: looks }) => (looks ? `${looks}<${words}>` : words));

describe('parseAnsi()', () => {
  const rows: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
    ['words', 'plain', ['plain']],
    ['a colour and its end', `a ${ESC}[31mred${ESC}[0m b`, ['a ', 'red<red>', ' b']],
    ['a sequence without a number is a reset', `${ESC}[32mok${ESC}[m!`, ['green<ok>', '!']],
    ['bright colours use the normal ones', `${ESC}[92mok${ESC}[39m.`, ['green<ok>', '.']],
    [
      'several attributes in one sequence, reset one by one',
      `${ESC}[1;4;33mx${ESC}[22my${ESC}[24mz`,
      ['yellow bold underline<x>', 'yellow underline<y>', 'yellow<z>'],
    ],
    ['a colour of the 256-colour table', `${ESC}[38;5;9mx${ESC}[38;5;200my`, ['red<xy>']],
    ['a true colour is left out', `${ESC}[38;2;255;0;0;1mx`, ['bold<x>']],
    ['a background colour is left out', `${ESC}[48;5;1mx${ESC}[41my`, ['xy']],
    [
      'cursor movement, clearing and titles are ignored',
      `${ESC}[2J${ESC}[1;1Ha${ESC}[K${ESC}]0;title\u0007b${ESC}(Bc`,
      ['abc'],
    ],
    ['private sequences are ignored', `${ESC}[?25la${ESC}[>4;2mb${ESC}[?25h`, ['ab']],
    ['the form of an underline', `${ESC}[4:3mx${ESC}[31;4:0my`, ['underline<x>', 'red<y>']],
    ['colours whose parts are separated by colons', `${ESC}[38:5:9mx${ESC}[38:2::1:2:3;1my`, ['red<x>', 'red bold<y>']],
    ['a link is shown as its text', `${ESC}]8;;https://evil.example${ESC}\\words${ESC}]8;;${ESC}\\.`, ['words.']],
    ['an overwritten line shows its last text', '10 %\r50 %\r100 %\ndone\r\n', ['100 %\ndone\n']],
    ['an incomplete sequence', `a${ESC}[3`, ['a']],
    ['markup is shown as text', `${ESC}[31m<img src=x>`, ['red<<img src=x>>']],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () => {
      expect(read(text)).to.deep.equal(expected);
    });
  }

  it('isTerminalOutput() detects terminal output', () => {
    expect([isTerminalOutput('a\r\nb'), isTerminalOutput('a\rb'), isTerminalOutput(`${ESC}[0m`)]).to.deep.equal([
      false,
      true,
      true,
    ]);
  });

  it('keeps all text with any number of style changes', () => {
    const text = `${ESC}[31mx${ESC}[32my`.repeat(10_000);
    const stretches = parseAnsi(text);
    expect(stretches.map((stretch) => stretch.text).join('')).to.equal('xy'.repeat(10_000));
    expect(stretches.length).to.be.lessThan(5100);
  });
});
