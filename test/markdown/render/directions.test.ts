/** Where the direction of a paragraph comes from: the browser's search for its first letter, or its surroundings. */
import { expect } from '@open-wc/testing';
import { show } from '../support/show.ts';

const isAuto = (text: string): boolean => show(text).place.querySelector('p')?.getAttribute('dir') === 'auto';

/** Two tokens without a letter. */
const PAIR = '1 *2* ';
/** Twice as many tokens as are searched. */
const MANY = 64;

describe('the direction of a paragraph', () => {
  it('follows its own text', () => {
    expect(isAuto('1 *2* 3')).to.equal(true);
  });

  for (const [name, letter] of [
    ['in the text', 'a'],
    ['in emphasis', '*a*'],
    ['in emphasis with other parts', '**1 *a* 2**'],
  ] as const) {
    it(`follows its own text if one of its first parts has a letter ${name}`, () => {
      expect(isAuto(`${PAIR.repeat(10)}${letter} ${PAIR.repeat(MANY)}`)).to.equal(true);
    });

    it(`is that around it if the first of many parts have no letter, and a later one has, ${name}`, () => {
      expect(isAuto(`${PAIR.repeat(MANY)}${letter}`)).to.equal(false);
    });
  }

  for (const part of ['[a](https://a.example) ', '![a](https://a.example/a.png) ', '<b>1</b> '])
    it(`is that around it if the letters of many parts are in elements with their own direction: ${part}`, () => {
      expect(isAuto(part.repeat(MANY + 1))).to.equal(false);
    });
});
