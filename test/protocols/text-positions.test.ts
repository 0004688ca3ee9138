import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { positionsIn } from '../../src/protocols/shared/text-positions.ts';

/** Texts of ASCII, other letters and emoji, also longer than the distance of two marks. */
const texts = fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', '\n'), maxLength: 900 });

describe('positionsIn()', () => {
  it('counts code points and bytes as the browser does', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(1000), (first, more, position) => {
        positionsIn(first);
        const text = first + more;
        const positions = positionsIn(text);
        const characters = Array.from(text);
        expect([positions.points, positions.bytes]).to.deep.equal([
          characters.length,
          new TextEncoder().encode(text).length,
        ]);
        const start = characters.slice(0, position).join('');
        expect(positions.fromPoints(position)).to.equal(start.length);
        expect(positions.fromBytes(new TextEncoder().encode(start).length)).to.equal(start.length);
      }),
    );
  });

  it('a position after the end is the end', () => {
    expect([positionsIn('a😀').fromPoints(9), positionsIn('a😀').fromBytes(9)]).to.deep.equal([3, 3]);
    expect([positionsIn('').points, positionsIn('').fromPoints(1)]).to.deep.equal([0, 0]);
  });
});
