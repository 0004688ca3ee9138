import { expect } from '@open-wc/testing';
import { isId, isSameId } from '../../src/model/same-id.ts';

describe('rule 40: ids from a server', () => {
  const rows: readonly (readonly [one: unknown, other: unknown, same: boolean])[] = [
    ['a', 'a', true],
    [7, 7, true],
    [0, 0, true],
    ['a', 'b', false],
    ['7', 7, false],
    ['a', undefined, false],
    // What is absent identifies nothing.
    [undefined, undefined, false],
    [null, null, false],
    ['', '', false],
    [true, true, false],
  ];
  for (const [one, other, same] of rows)
    it(`${typeof one} ${String(one)} is ${same ? '' : 'not '}${typeof other} ${String(other)}`, () => {
      expect(isSameId(one, other)).to.equal(same);
      expect(isSameId(other, one)).to.equal(same);
    });

  it('an object that is the same twice is no id', () => {
    const object = {};
    expect([isId(object), isSameId(object, object)]).to.deep.equal([false, false]);
  });
});
