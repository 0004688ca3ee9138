import { expect } from '@open-wc/testing';
import { show, wordsOf } from './support/show.ts';

/** What is shown of a text that is still being written. */
const rows: readonly (readonly [source: string, shown: string])[] = [
  // A half word that begins a text of its own waits…
  ['See [the log](https://a.example/) wor', 'See the log'],
  ['See **the log** wor', 'See the log'],
  ['It is **bo', 'It is '],
  ['It is ***bo', 'It is '],
  ['It is `co', 'It is '],
  ['**It** is `co', 'It is '],
  ['- an item with **bo', 'an item with '],
  ['## A title with **bo', 'A title with '],
  // …until it is whole, or more than a word.
  ['See [the log](https://a.example/) words ', 'See the log words '],
  ['It is **bold ', 'It is bold '],
  ['It is **bold** ', 'It is bold '],
  ['It is **bold and mo', 'It is bold and mo'],
  ['It is `code and mo', 'It is code and mo'],
  // One that stands at the beginning of its line goes nowhere, nor one whose text begins before it.
  ['**Bo', 'Bo'],
  ['- **Bo', 'Bo'],
  ['`co', 'co'],
  ['Some wor', 'Some wor'],
  ['[The log](https://a.example/).', 'The log.'],
  ['**Not**e', 'Note'],
  // Scripts without blanks may break a line anywhere.
  ['这是**粗', '这是粗'],
  ['参见[日志](https://a.example/) 更', '参见日志 更'],
];

describe('a half word that begins a text of its own', () => {
  for (const [source, shown] of rows)
    it(`${JSON.stringify(source)} shows ${JSON.stringify(shown)}`, () => {
      expect(wordsOf(show(source, true).place).trimEnd()).to.equal(shown.trimEnd());
    });

  it('is shown when nothing more comes', () => {
    const { place, update } = show('It is **bo', true);
    update('It is **bo');
    expect(wordsOf(place)).to.equal('It is **bo');
  });
});
