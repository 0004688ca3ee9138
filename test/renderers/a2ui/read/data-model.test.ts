import { expect } from '@open-wc/testing';
import { putAt, stepsOf, valueAt } from '../../../../src/renderers/a2ui/read/data-model.ts';

describe('stepsOf() and valueAt()', () => {
  const rows: readonly {
    name: string;
    path: string;
    scope?: readonly string[];
    steps: readonly string[] | undefined;
  }[] = [
    { name: 'the root', path: '/', steps: [] },
    { name: 'a property', path: '/user/0/name', steps: ['user', '0', 'name'] },
    { name: 'escaped letters', path: '/a~1b/c~0d', steps: ['a/b', 'c~d'] },
    { name: 'relative to an item', path: 'name', scope: ['users', '2'], steps: ['users', '2', 'name'] },
    { name: 'absolute inside an item', path: '/name', scope: ['users', '2'], steps: ['name'] },
    { name: 'the item itself', path: '.', scope: ['users', '2'], steps: ['users', '2'] },
    { name: 'a prototype', path: '/a/__proto__/b', steps: undefined },
    { name: 'a constructor', path: '/constructor', steps: undefined },
    { name: 'a prototype with escaped letters', path: '/a/prototype', steps: undefined },
    { name: 'too many steps', path: '/a'.repeat(33), steps: undefined },
    { name: 'a step that is too long', path: `/${'a'.repeat(2000)}`, steps: undefined },
  ];
  for (const { name, path, scope, steps } of rows) {
    it(`${name}: ${path.slice(0, 30)}`, () => {
      expect(stepsOf(path, scope)).to.deep.equal(steps);
    });
  }

  it('valueAt() finds own properties only', () => {
    expect(valueAt({ a: [{ b: 1 }] }, ['a', '0', 'b'])).to.equal(1);
    expect(valueAt({}, ['toString'])).to.equal(undefined);
    expect(valueAt(undefined, ['a'])).to.equal(undefined);
  });

  const puts: readonly { name: string; data: unknown; path: string; value: unknown; after: unknown }[] = [
    { name: 'replaces', data: { a: 1, b: 2 }, path: '/a', value: 3, after: { a: 3, b: 2 } },
    { name: 'creates missing objects', data: {}, path: '/a/b', value: 1, after: { a: { b: 1 } } },
    { name: 'sets a list item', data: { a: [1, 2] }, path: '/a/1', value: 3, after: { a: [1, 3] } },
    { name: 'removes a value', data: { a: 1, b: 2 }, path: '/a', value: undefined, after: { b: 2 } },
    { name: 'replaces everything', data: { a: 1 }, path: '/', value: { c: 1 }, after: { c: 1 } },
    { name: 'rejects a name in a list', data: { a: [1] }, path: '/a/x', value: 1, after: { a: [1] } },
    { name: 'rejects an index far beyond the end', data: { a: [1] }, path: '/a/1024', value: 1, after: { a: [1] } },
    {
      name: 'ignores inherited names',
      data: {},
      path: '/toString/x',
      value: 1,
      after: { toString: { x: 1 } },
    },
  ];
  for (const { name, data, path, value, after } of puts) {
    it(`putAt() ${name}`, () => {
      expect(putAt(data, stepsOf(path) ?? [], value)).to.deep.equal(after);
    });
  }
});
