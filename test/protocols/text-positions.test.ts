import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { TextPositions } from '../../src/protocols/shared/text-positions.ts';

/** Texts of ASCII, other letters and emoji, also longer than the distance of two marks. */
const texts = fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', '\n'), maxLength: 900 });

describe('TextPositions', () => {
  it('counts code points and bytes as the browser does', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(1000), (first, more, position) => {
        const text = first + more;
        const positions = new TextPositions().update(first).update(text);
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
    const positions = new TextPositions().update('a😀');
    expect([positions.fromPoints(9), positions.fromBytes(9)]).to.deep.equal([3, 3]);
    const empty = new TextPositions();
    expect([empty.points, empty.fromPoints(1)]).to.deep.equal([0, 0]);
  });

  it('counts another text from its start', () => {
    const positions = new TextPositions().update('😀😀').update('語a');
    expect([positions.points, positions.bytes, positions.fromBytes(3)]).to.deep.equal([2, 4, 1]);
  });
});
