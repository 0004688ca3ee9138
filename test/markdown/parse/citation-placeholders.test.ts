import { expect } from '@open-wc/testing';
import {
  CitationText,
  splitCitationPlaceholders,
  stripCitationPlaceholders,
} from '../../../src/markdown/parse/citation-placeholders.ts';

const piecesOf = (text: string, positions: readonly { end: number; number: number }[]): readonly (string | number)[] =>
  splitCitationPlaceholders(new CitationText().update(text, positions));

describe('citation placeholders', () => {
  it('stand after the text that they belong to, in the order of their offsets', () => {
    const text = 'One. Two. Three.';
    const positions = [
      { end: 9, number: 2 },
      { end: 4, number: 1 },
      { end: 16, number: 3 },
    ];
    expect(piecesOf(text, positions)).to.deep.equal(['One.', 1, ' Two.', 2, ' Three.', 3]);
    expect(stripCitationPlaceholders(new CitationText().update(text, positions))).to.equal(text);
  });

  it('at one offset, before the text and after its end are kept', () => {
    const positions = [
      { end: 3, number: 1 },
      { end: 3, number: 2 },
      { end: -5, number: 3 },
      { end: 99, number: 4 },
    ];
    expect(piecesOf('abc', positions).filter((piece) => piece !== '')).to.deep.equal([3, 'abc', 1, 2, 4]);
  });

  it('of a growing text are the same as those of the whole text', () => {
    const text = 'One. Two. Three.';
    const positions = [
      { end: 4, number: 1 },
      { end: 9, number: 2 },
    ];
    const growing = new CitationText();
    for (let end = 0; end <= text.length; end++) {
      const current = positions.filter((position) => position.end <= end);
      const part = text.slice(0, end);
      expect(growing.update(part, current), part).to.equal(new CitationText().update(part, current));
    }
  });

  it('can not be written by the text itself', () => {
    const text = 'a\ufdd09\ufdd1b';
    for (const positions of [[], [{ end: 1, number: 1 }]]) {
      const numbers = piecesOf(text, positions).filter((piece) => typeof piece === 'number');
      expect(numbers).to.deep.equal(positions.map(({ number }) => number));
    }
  });
});
