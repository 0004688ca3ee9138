import { expect } from '@open-wc/testing';
import { sourceName } from '../../../src/renderers/text/citations.ts';

describe('the name of a source', () => {
  for (const gap of ['\u00a0', '\u3000', '\u2800', '\n'])
    it(`rule 67: has no gap that would cut it off behind a host: ${JSON.stringify(encodeURI(gap))}`, () => {
      expect(sourceName({ id: '1', title: `bank.app${gap.repeat(90)}notes` })).to.equal('bank.app notes');
    });
});
