import { expect } from '@open-wc/testing';
import { putAt, stepsOf, valueAt } from '../../src/renderers/a2ui-data.ts';

describe('a pointer into the data of a surface', () => {
  const rows: readonly {
    name: string;
    path: string;
    scope?: readonly string[];
    steps: readonly string[] | undefined;
  }[] = [
    { name: 'the root', path: '/', steps: [] },
    { name: 'a place', path: '/user/0/name', steps: ['user', '0', 'name'] },
    { name: 'escaped letters', path: '/a~1b/c~0d', steps: ['a/b', 'c~d'] },
    { name: 'relative to an item', path: 'name', scope: ['users', '2'], steps: ['users', '2', 'name'] },
    { name: 'absolute inside an item', path: '/name', scope: ['users', '2'], steps: ['name'] },
    { name: 'the item itself', path: '.', scope: ['users', '2'], steps: ['users', '2'] },
    { name: 'a prototype', path: '/a/__proto__/b', steps: undefined },
    { name: 'a constructor', path: '/constructor', steps: undefined },
    { name: 'a prototype behind an escape', path: '/a/prototype', steps: undefined },
    { name: 'too many steps', path: '/a'.repeat(33), steps: undefined },
    { name: 'too long a one', path: `/${'a'.repeat(2000)}`, steps: undefined },
  ];
  for (const { name, path, scope, steps } of rows) {
    it(`${name}: ${path.slice(0, 30)}`, () => {
      expect(stepsOf(path, scope)).to.deep.equal(steps);
    });
  }

  it('finds own properties only', () => {
    expect(valueAt({ a: [{ b: 1 }] }, ['a', '0', 'b'])).to.equal(1);
    expect(valueAt({}, ['toString'])).to.equal(undefined);
    expect(valueAt(undefined, ['a'])).to.equal(undefined);
  });

  const puts: readonly { name: string; data: unknown; path: string; value: unknown; after: unknown }[] = [
    { name: 'replaces', data: { a: 1, b: 2 }, path: '/a', value: 3, after: { a: 3, b: 2 } },
    { name: 'makes what is missing', data: {}, path: '/a/b', value: 1, after: { a: { b: 1 } } },
    { name: 'goes into a list', data: { a: [1, 2] }, path: '/a/1', value: 3, after: { a: [1, 3] } },
    { name: 'takes away', data: { a: 1, b: 2 }, path: '/a', value: undefined, after: { b: 2 } },
    { name: 'replaces all', data: { a: 1 }, path: '/', value: { c: 1 }, after: { c: 1 } },
    { name: 'refuses a name in a list', data: { a: [1] }, path: '/a/x', value: 1, after: { a: [1] } },
    { name: 'refuses a far index', data: { a: [1] }, path: '/a/1024', value: 1, after: { a: [1] } },
    {
      name: 'is not fooled by an inherited name',
      data: {},
      path: '/toString/x',
      value: 1,
      after: { toString: { x: 1 } },
    },
  ];
  for (const { name, data, path, value, after } of puts) {
    it(`a value at a place ${name}`, () => {
      expect(putAt(data, stepsOf(path) ?? [], value)).to.deep.equal(after);
    });
  }
});
