import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { setAtPath, parseFieldPath } from '../../src/protocols/shared/field-path.ts';

const paths: readonly { readonly path: string; readonly steps: readonly (string | number)[] }[] = [
  { path: 'content', steps: ['content'] },
  { path: '_updatetime', steps: ['_updatetime'] },
  { path: 'tool_calls[0]', steps: ['tool_calls', 0] },
  { path: 'tool_calls[0].function.arguments', steps: ['tool_calls', 0, 'function', 'arguments'] },
  { path: 'a[1][2].b', steps: ['a', 1, 2, 'b'] },
  { path: 'a[1023]', steps: ['a', 1023] },
  { path: 'a b.c-d', steps: ['a b', 'c-d'] },
  { path: Array.from({ length: 32 }, () => 'a').join('.'), steps: Array.from({ length: 32 }, () => 'a') },
];

const refused = [
  '',
  '.',
  'a.',
  '.a',
  'a..b',
  'a[',
  'a]',
  'a[]',
  'a[-1]',
  'a[1.5]',
  'a[x]',
  'a[0]b',
  'a[1024]',
  'a[4294967295]',
  'a[99999999999999999999]',
  '__proto__',
  '__proto__.polluted',
  'a.__proto__.b',
  'a[0].__proto__',
  '__proto__[0]',
  'constructor.prototype.polluted',
  'a.constructor',
  'prototype',
  Array.from({ length: 33 }, () => 'a').join('.'),
  `a${'[0]'.repeat(32)}`,
];

describe('parsePath', () => {
  for (const { path, steps } of paths) {
    it(`reads "${path}"`, () => {
      expect(parseFieldPath(path)).to.deep.equal(steps);
    });
  }
  for (const path of refused) {
    it(`refuses "${path}" with a reason`, () => {
      expect(parseFieldPath(path)).to.be.a('string');
    });
  }
});

interface Change {
  readonly path: string;
  readonly value?: unknown;
  readonly delta?: string;
}

/** The target after changes; refused changes are reported. */
function changed(target: Record<string, unknown>, changes: readonly Change[]): { target: unknown; refused: number } {
  let count = 0;
  for (const { path, value, delta } of changes) {
    const steps = parseFieldPath(path);
    const reason =
      typeof steps === 'string'
        ? steps
        : setAtPath(target, steps, (before) =>
            delta === undefined ? value : (typeof before === 'string' ? before : '') + delta,
          );
    if (reason !== undefined) count++;
  }
  return { target: JSON.parse(JSON.stringify(target)) as unknown, refused: count };
}

const rows: readonly {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly expected: object;
  readonly refused?: number;
}[] = [
  { name: 'sets a field', changes: [{ path: 'content', value: 'a' }], expected: { content: 'a' } },
  {
    name: 'appends to a field',
    changes: [
      { path: 'content', delta: 'a' },
      { path: 'content', delta: 'b' },
    ],
    expected: { content: 'ab' },
  },
  {
    name: 'null is empty and appendable',
    changes: [
      { path: 'a', value: null },
      { path: 'a', delta: 'x' },
    ],
    expected: { a: 'x' },
  },
  {
    name: 'creates objects and lists on the way',
    changes: [{ path: 'a.b[1].c', value: 1 }],
    expected: { a: { b: [null, { c: 1 }] } },
  },
  {
    name: 'continues in existing values',
    changes: [
      { path: 'a', value: { b: 1 } },
      { path: 'a.c', value: 2 },
    ],
    expected: { a: { b: 1, c: 2 } },
  },
  {
    name: 'replaces a string by an object',
    changes: [
      { path: 'a', value: 'x' },
      { path: 'a.b', value: 1 },
    ],
    expected: { a: { b: 1 } },
  },
  {
    name: 'replaces null by a list',
    changes: [
      { path: 'a', value: null },
      { path: 'a[0]', value: 1 },
    ],
    expected: { a: [1] },
  },
  {
    name: 'refuses a name in a list, so that its length can’t be set',
    changes: [
      { path: 'a[0]', value: 1 },
      { path: 'a.length', value: 4_000_000_000 },
      { path: 'a.length', delta: 'x' },
    ],
    expected: { a: [1] },
    refused: 2,
  },
  {
    name: 'refuses an index in an object',
    changes: [
      { path: 'a.b', value: 1 },
      { path: 'a[0]', value: 2 },
    ],
    expected: { a: { b: 1 } },
    refused: 1,
  },
  {
    name: 'a name in Object.prototype is a name like any other',
    changes: [
      { path: 'a', value: {} },
      { path: 'a.toString.b', value: 1 },
      { path: 'hasOwnProperty', delta: 'x' },
    ],
    expected: { a: { toString: { b: 1 } }, hasOwnProperty: 'x' },
  },
];

describe('changeAt', () => {
  for (const { name, changes, expected, refused: count = 0 } of rows) {
    it(name, () => {
      expect(changed({}, changes)).to.deep.equal({ target: expected, refused: count });
    });
  }

  it('rule 10: changes nothing outside its target, whatever the paths are', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '__proto__',
      'constructor',
      'prototype',
      'length',
      'toString',
      '[0]',
      '[1023]',
      '[9999]',
      '.',
      '',
    );
    const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join('.').replaceAll('.[', '['));
    const own = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(fc.array(fc.tuple(path, fc.jsonValue(), fc.boolean())), (changes) => {
        changed(
          {},
          changes.map(([at, value, append]) =>
            append ? { path: at, delta: JSON.stringify(value) } : { path: at, value },
          ),
        );
        expect(Object.getOwnPropertyNames(Object.prototype).length).to.equal(own);
        expect(({} as Record<string, unknown>)['a']).to.equal(undefined);
      }),
    );
  });
});
