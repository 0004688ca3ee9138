import { expect } from '@open-wc/testing';
import { HUES, makeHueOf } from '../../../src/components/message/author-hue.ts';

const NAMES = ['Planner', 'Critic', 'Scout', 'Writer', 'Judge', 'Clerk'];

describe('makeHueOf()', () => {
  it('gives the first agents of a page different hues, whatever their names', () => {
    for (const names of [NAMES, NAMES.toReversed(), ['A', 'E', 'I', 'M']]) {
      const hueOf = makeHueOf();
      expect(new Set(names.slice(0, HUES).map(hueOf)).size).to.equal(HUES);
    }
  });

  it('gives a name the same hue each time', () => {
    const hueOf = makeHueOf();
    const hues = NAMES.map(hueOf);
    expect(NAMES.map(hueOf)).to.deep.equal(hues);
    for (const hue of hues) expect(hue).to.be.within(1, HUES);
  });
});
