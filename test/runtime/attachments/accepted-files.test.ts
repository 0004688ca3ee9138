import { expect } from '@open-wc/testing';
import { accepts, mediaKindOf, maxBytes, mimeTypeOf } from '../../../src/runtime/attachments/accepted-files.ts';

const file = (name: string, type = ''): { name: string; type: string } => ({ name, type });

describe('the accept attribute', () => {
  for (const [accept, name, type, taken] of [
    ['image/*', 'a.png', 'image/png', true],
    ['image/*', 'a.heic', '', true],
    ['image/*', 'a.pdf', 'application/pdf', false],
    ['image/*,.pdf', 'A.PDF', '', true],
    [' image/png , .csv', 'b.csv', 'text/csv', true],
    ['image/png', 'a.jpg', 'image/jpeg', false],
    ['image/jpeg', 'a.jpg', 'image/jpg', true],
    ['image/jpg', 'a.jpg', 'image/jpeg', true],
    ['.pdf', 'pdf', 'application/pdf', false],
    ['*', 'anything', '', true],
    ['*/*', 'anything', '', true],
    ['', 'a.png', 'image/png', false],
  ] as const) {
    it(`"${accept}" ${taken ? 'accepts' : 'rejects'} ${name} (${type || 'no type'})`, () => {
      expect(accepts(accept, file(name, type))).to.equal(taken);
    });
  }

  it('the size limit of a type wins over that of its family, and that over the general one', () => {
    const limit = { 'image/png': 1, 'image/*': 2, '*': 3 };
    expect([maxBytes(limit, 'image/png'), maxBytes(limit, 'image/gif'), maxBytes(limit, '')]).to.deep.equal([1, 2, 3]);
    expect(maxBytes(5, 'image/png')).to.equal(5);
    expect(maxBytes({ 'image/*': 2 }, 'text/plain')).to.equal(Number.POSITIVE_INFINITY);
    expect(maxBytes({}, 'constructor')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('a file without a type from the browser is recognized by its extension', () => {
    expect(mimeTypeOf(file('photo.HEIC'))).to.equal('image/heic');
    expect(mediaKindOf(mimeTypeOf(file('photo.HEIC')))).to.equal('image');
    expect(mediaKindOf('')).to.equal('file');
    expect(mimeTypeOf(file('photo.jpg', 'image/jpg'))).to.equal('image/jpeg');
  });
});
