import { expect } from '@open-wc/testing';
import { show, wordsOf } from '../support/show.ts';

/** The text that is shown while the source is streaming. */
const rows: readonly (readonly [source: string, shown: string])[] = [
  // A partial word at the start of an inline run is held…
  ['See [the log](https://a.example/) wor', 'See the log'],
  ['See **the log** wor', 'See the log'],
  ['It is **bo', 'It is '],
  ['It is ***bo', 'It is '],
  ['It is `co', 'It is '],
  ['**It** is `co', 'It is '],
  ['- an item with **bo', 'an item with '],
  ['## A title with **bo', 'A title with '],
  // …until it is complete, or more than one word.
  ['See [the log](https://a.example/) words ', 'See the log words '],
  ['It is **bold ', 'It is bold '],
  ['It is **bold** ', 'It is bold '],
  ['It is **bold and mo', 'It is bold and mo'],
  ['It is `code and mo', 'It is code and mo'],
  // A word at the start of a line can’t wrap, nor one that begins before the inline run.
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

describe('a partial word at the start of an inline run', () => {
  for (const [source, shown] of rows)
    it(`${JSON.stringify(source)} shows ${JSON.stringify(shown)}`, () => {
      expect(wordsOf(show(source, true).place).trimEnd()).to.equal(shown.trimEnd());
    });

  it('is shown when the text ends', () => {
    const { place, update } = show('It is **bo', true);
    update('It is **bo');
    expect(wordsOf(place)).to.equal('It is **bo');
  });
});
