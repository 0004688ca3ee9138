import { expect } from '@open-wc/testing';
import { occurrencesOf } from '../../../src/model/text/find-quote.ts';

describe('occurrencesOf()', () => {
  for (const { name, quote, text, starts } of [
    { name: 'the last one first', quote: 'ab', text: 'ab ab', starts: [3, 0] },
    { name: 'overlapping ones', quote: 'aa', text: 'aaaa', starts: [2, 1, 0] },
    { name: 'none', quote: 'x', text: 'aaaa', starts: [] },
    { name: 'none of an empty quote', quote: '', text: 'aaaa', starts: [] },
    {
      name: 'only those that are equal to the end',
      quote: `${'a'.repeat(40)}b`,
      text: `${'a'.repeat(60)}b${'a'.repeat(50)}`,
      starts: [20],
    },
  ]) {
    it(`yields ${name}`, () => {
      expect([...occurrencesOf(quote, text)]).to.deep.equal(starts);
    });
  }

  it('rule 95: searches the end of a long text, a limited number of times', () => {
    const text = `b${'a'.repeat(200_000)}`;
    expect([...occurrencesOf('b', text)]).to.deep.equal([]);
    expect([...occurrencesOf('a', text)].length).to.be.within(1000, 2000);
    expect([...occurrencesOf('a'.repeat(5000), text)]).to.deep.equal([]);
  });
});
