import { expect } from '@open-wc/testing';
import { accepts, kindOf, maxBytes, typeOf } from '../../../src/runtime/attachments/accept.ts';

const file = (name: string, type = ''): { name: string; type: string } => ({ name, type });

describe('which files may be attached', () => {
  for (const [accept, name, type, taken] of [
    ['image/*', 'a.png', 'image/png', true],
    ['image/*', 'a.heic', '', true],
    ['image/*', 'a.pdf', 'application/pdf', false],
    ['image/*,.pdf', 'A.PDF', '', true],
    [' image/png , .csv', 'b.csv', 'text/csv', true],
    ['image/png', 'a.jpg', 'image/jpeg', false],
    ['.pdf', 'pdf', 'application/pdf', false],
    ['*', 'anything', '', true],
    ['*/*', 'anything', '', true],
    ['', 'a.png', 'image/png', false],
  ] as const) {
    it(`"${accept}" ${taken ? 'takes' : 'does not take'} ${name} (${type || 'no type'})`, () => {
      expect(accepts(accept, file(name, type))).to.equal(taken);
    });
  }

  it('the bound of a type comes before that of its family, and that before the one for all', () => {
    const limit = { 'image/png': 1, 'image/*': 2, '*': 3 };
    expect([maxBytes(limit, 'image/png'), maxBytes(limit, 'image/gif'), maxBytes(limit, '')]).to.deep.equal([1, 2, 3]);
    expect(maxBytes(5, 'image/png')).to.equal(5);
    expect(maxBytes({ 'image/*': 2 }, 'text/plain')).to.equal(Number.POSITIVE_INFINITY);
    expect(maxBytes({}, 'constructor')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('a type that the browser does not tell is known by the ending', () => {
    expect(typeOf(file('photo.HEIC'))).to.equal('image/heic');
    expect(kindOf(typeOf(file('photo.HEIC')))).to.equal('image');
    expect(kindOf('')).to.equal('file');
  });
});
