import { expect } from '@open-wc/testing';
import { applyPatch } from '../../src/protocols/ag-ui/json-patch.ts';

const before = { a: [1, 2], b: { c: 'x' } };

describe('json patch', () => {
  for (const { name, patch, expected } of [
    { name: 'adds to a list', patch: [{ op: 'add', path: '/a/-', value: 3 }], expected: { ...before, a: [1, 2, 3] } },
    {
      name: 'inserts into a list',
      patch: [{ op: 'add', path: '/a/0', value: 0 }],
      expected: { ...before, a: [0, 1, 2] },
    },
    { name: 'removes', patch: [{ op: 'remove', path: '/b/c' }], expected: { ...before, b: {} } },
    { name: 'moves', patch: [{ op: 'move', from: '/b/c', path: '/d' }], expected: { a: [1, 2], b: {}, d: 'x' } },
    {
      name: 'copies',
      patch: [{ op: 'copy', from: '/a', path: '/b/e' }],
      expected: { ...before, b: { c: 'x', e: [1, 2] } },
    },
    { name: 'replaces the complete document', patch: [{ op: 'replace', path: '', value: 7 }], expected: 7 },
    {
      name: 'knows escaped names',
      patch: [{ op: 'add', path: '/b/~1~0', value: 1 }],
      expected: { ...before, b: { c: 'x', '/~': 1 } },
    },
    { name: 'null is a value', patch: [{ op: 'add', path: '/n', value: null }], expected: { ...before, n: null } },
  ]) {
    it(name, () => {
      const copy = structuredClone(before);
      expect(applyPatch(copy, patch)).to.deep.equal(expected);
      expect(copy, 'what it was applied to').to.deep.equal(before);
    });
  }

  it('adds thousands of items one by one', () => {
    const patch = Array.from({ length: 5000 }, (_none, value) => ({ op: 'add', path: '/a/-', value }));
    expect((applyPatch(before, patch) as typeof before).a).to.have.length(5002);
  });

  it('rule 95: does not copy a large document again and again', () => {
    const names = Array.from({ length: 5000 }, (_none, index) => [`n${String(index)}`, index] as const);
    const patch = names.map(([name]) => ({ op: 'replace', path: `/${name}`, value: 0 }));
    expect(applyPatch(Object.fromEntries(names), patch)).to.equal(undefined);
  });

  for (const { name, patch } of [
    { name: 'a missing field', patch: [{ op: 'replace', path: '/x', value: 1 }] },
    { name: 'a removal of a missing field', patch: [{ op: 'remove', path: '/x' }] },
    { name: 'a missing parent', patch: [{ op: 'add', path: '/x/y', value: 1 }] },
    { name: 'an index beyond the end of a list', patch: [{ op: 'add', path: '/a/9', value: 1 }] },
    { name: 'an index that is no number', patch: [{ op: 'replace', path: '/a/x', value: 1 }] },
    {
      name: 'a failed test, which reverts earlier operations',
      patch: [
        { op: 'add', path: '/x', value: 1 },
        { op: 'test', path: '/x', value: 2 },
      ],
    },
    { name: 'a path to the prototype', patch: [{ op: 'add', path: '/__proto__/polluted', value: 1 }] },
    { name: 'an inherited member', patch: [{ op: 'copy', from: '/constructor', path: '/x' }] },
    { name: 'a path without its slash', patch: [{ op: 'replace', path: 'a', value: 1 }] },
    { name: 'an unknown operation', patch: [{ op: 'explode', path: '/a' }] },
    { name: 'null', patch: [null] },
    {
      name: 'copies that grow endlessly',
      patch: Array.from({ length: 40 }, (_none, n) => ({ op: 'copy', from: '', path: `/b/${String(n)}` })),
    },
  ]) {
    it(`changes nothing for ${name}`, () => {
      expect(applyPatch(before, patch)).to.equal(undefined);
      expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    });
  }
});
