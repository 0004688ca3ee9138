import { expect } from '@open-wc/testing';
import { inputDate, isoDate } from '../../../../src/renderers/a2ui/read/format-date.ts';
import { resolve, valueToText, type ResolveScope } from '../../../../src/renderers/a2ui/read/resolve-values.ts';

const DATA = { user: { name: 'Mara', age: 30 }, items: [{ price: 2 }, { price: 3.5 }], bomb: '${/bomb}${/bomb}' };
const scopeOf = (more: Partial<ResolveScope> = {}): ResolveScope => ({
  data: DATA,
  at: [],
  locale: 'en',
  work: { left: 10_000 },
  ...more,
});
const call = (name: string, args: object = {}) => ({ call: name, args });

describe('resolve()', () => {
  const rows: readonly { name: string; value: unknown; expected: unknown; scope?: Partial<ResolveScope> }[] = [
    { name: 'a literal', value: 'x', expected: 'x' },
    { name: 'a path', value: { path: '/user/name' }, expected: 'Mara' },
    { name: 'a path in the syntax of the newest version', value: { '@path': '/user/name' }, expected: 'Mara' },
    { name: 'relative to an item', value: { path: 'price' }, expected: 3.5, scope: { at: ['items', '1'] } },
    { name: 'a literal of 0.8', value: { literalString: 'x' }, expected: 'x' },
    {
      name: 'a path of 0.8 with an initial literal',
      value: { path: '/no', literalString: 'x' },
      expected: 'x',
    },
    { name: 'inside an object', value: { a: { path: '/user/age' } }, expected: { a: 30 } },
    { name: 'a path to a prototype', value: { path: '/__proto__/x' }, expected: undefined },
    { name: 'inherited', value: { path: '/toString' }, expected: undefined },
    { name: 'a number, formatted', value: call('formatNumber', { value: 1234.5, decimals: 2 }), expected: '1,234.50' },
    {
      name: 'money',
      value: call('formatCurrency', { value: { path: '/user/age' }, currency: 'EUR' }),
      expected: '€30.00',
    },
    {
      name: 'an invalid amount of money',
      value: call('formatCurrency', { value: 1, currency: 'x' }),
      expected: undefined,
    },
    {
      name: 'a date',
      value: call('formatDate', { value: '2026-01-16', format: "EEEE, d MMMM yyyy 'at' HH:mm" }),
      expected: 'Friday, 16 January 2026 at 00:00',
    },
    { name: 'an invalid date', value: call('formatDate', { value: 'soon', format: 'yyyy' }), expected: 'soon' },
    { name: 'a plural', value: call('pluralize', { value: 1, one: 'guest', other: 'guests' }), expected: 'guest' },
    { name: 'a sum', value: call('add', { a: 1, b: { path: '/user/age' } }), expected: 31 },
    { name: 'a check', value: call('and', { values: [true, call('not', { value: false })] }), expected: true },
    { name: 'a required value', value: call('required', { value: '' }), expected: false },
    { name: 'an email address', value: call('email', { value: 'a@b.example' }), expected: true },
    {
      name: 'an email address that is too long',
      value: call('email', { value: `a@b.example${'.x'.repeat(200)}` }),
      expected: false,
    },
    { name: 'a matching pattern', value: call('regex', { value: '12345', pattern: '^[0-9]{5}$' }), expected: true },
    { name: 'a failing pattern', value: call('regex', { value: '1234', pattern: '^[0-9]{5}$' }), expected: false },
    {
      name: 'a pattern that would take too long',
      value: call('regex', { value: `${'a'.repeat(60)}!`, pattern: '^(a+)+$' }),
      expected: undefined,
    },
    { name: 'a rounded number', value: call('round', { value: 2.345, decimals: 2 }), expected: 2.35 },
    { name: 'a number rounded to an integer', value: call('round', { value: 2.5 }), expected: 3 },
    { name: 'a number above its range', value: call('clamp', { value: 12, min: 0, max: 10 }), expected: 10 },
    { name: 'a number below its range', value: call('clamp', { value: -1, min: 0, max: 10 }), expected: 0 },
    { name: 'capitals', value: call('capitalize', { value: 'mara' }), expected: 'Mara' },
    {
      name: 'money without an amount',
      value: call('formatCurrency', { value: { path: '/no' }, currency: 'USD' }),
      expected: '',
    },
    { name: 'a missing number', value: call('formatNumber', { value: { path: '/no' } }), expected: '' },
    { name: 'a sum with a missing number', value: call('add', { a: 1, b: { path: '/no' } }), expected: undefined },
    { name: 'a division by zero', value: call('divide', { a: 1, b: 0 }), expected: undefined },
    { name: 'a missing number, rounded', value: call('round', { value: { path: '/no' } }), expected: undefined },
    {
      name: 'a missing number in a range',
      value: call('clamp', { value: { path: '/no' }, max: 3 }),
      expected: undefined,
    },
    { name: 'texts that contain another', value: call('contains', { string: 'abc', substring: 'b' }), expected: true },
    {
      name: 'a text that ends with a part',
      value: call('contains', { string: 'aab', substring: 'ab' }),
      expected: true,
    },
    {
      name: 'a text that contains another after parts of it',
      value: call('contains', { string: 'aaabaaabaaaac', substring: 'aaabaaaac' }),
      expected: true,
    },
    {
      name: 'a text that contains only parts of another',
      value: call('contains', { string: 'aabaabaa', substring: 'aabb' }),
      expected: false,
    },
    { name: 'the empty text in another', value: call('contains', { string: 'a', substring: '' }), expected: true },
    {
      name: 'an unknown function in visible text',
      value: call('formatString', { value: 'Due ${soonest(a: 1)}' }),
      expected: 'Due soonest()',
      scope: { namesUnknown: true },
    },
    { name: 'an unknown function', value: call('constructor'), expected: undefined },
    { name: 'the index in a list', value: call('@index', { offset: 1 }), expected: 3, scope: { index: 2 } },
    { name: 'the index outside a list', value: call('@index'), expected: undefined },
    {
      name: 'a text with paths and calls',
      value: call('formatString', {
        value: 'Hi ${/user/name}, \\${x} ${formatNumber(value: ${/user/age}, decimals: 1)}!',
      }),
      expected: 'Hi Mara, ${x} 30.0!',
    },
    {
      name: 'a text with invalid expressions',
      value: call('formatString', { value: 'a ${ b ${/user/name' }),
      expected: 'a ${ b ${/user/name',
    },
    {
      name: 'a text that refers to itself',
      value: call('formatString', { value: '${formatString(value: ${/bomb})}|' }),
      expected: '|',
    },
  ];
  for (const { name, value, expected, scope } of rows) {
    it(name, () => {
      expect(resolve(value, scopeOf(scope))).to.deep.equal(expected);
    });
  }

  it('a value that is nested too deep is cut off', () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 10_000; depth++) deep = call('not', { value: deep });
    expect(resolve(deep, scopeOf())).to.be.a('boolean');
  });

  const [long, path] = ['a'.repeat(20_000), `/${'a/'.repeat(500)}`];
  const many = { path: '/many' };
  for (const [name, value] of [
    ['a text that is searched in another', call('contains', { string: long, substring: long.slice(1) })],
    ['texts that are compared', call('equals', { a: long, b: { path: '/long' } })],
    ['texts that are distinguished', call('not_equals', { a: long, b: { path: '/long' } })],
    [
      'a list of which all must be true',
      call('and', { values: Array.from({ length: 20 }, () => call('and', { values: many })) }),
    ],
    [
      'a list of which one must be true',
      call('not', { value: Array.from({ length: 20 }, () => call('or', { values: many })) }),
    ],
    ['long paths', Array.from({ length: 20 }, () => ({ path }))],
    ['long paths in a text', call('formatString', { value: `\${${path}}`.repeat(19) })],
    ['a text that is written as JSON', call('formatString', { value: '${/object}' })],
  ] as const)
    it(`rule 95: takes of the budget what its length costs: ${name}`, () => {
      const work = { left: 10_000 };
      const list = Array.from({ length: 500 }, () => 1);
      resolve(
        value,
        scopeOf({ work, data: { long: `${long.slice(1)}b`, many: list, object: { text: long.slice(20) } } }),
      );
      expect(work.left).to.be.below(9850);
    });

  it('resolves nothing when the work limit is reached', () => {
    expect(resolve({ path: '/user/name' }, scopeOf({ work: { left: 0 } }))).to.equal(undefined);
  });

  for (const [value, words] of [
    [null, ''],
    [false, 'false'],
    [{ a: [1] }, '{"a":[1]}'],
    [Array.from({ length: 100_000 }, () => 'x'), '…'],
  ] as const) {
    it(`is converted to the text “${words}”`, () => {
      expect(valueToText(value, scopeOf())).to.equal(words);
    });
  }

  for (const [value, kind, expected] of [
    ['2026-08-01', 'datetime-local', '2026-08-01T00:00'],
    ['2026-08-01T19:30', 'date', '2026-08-01'],
    ['19:30:00', 'time', '19:30'],
    ['soon', 'date', ''],
  ] as const) {
    it(`${value} in an input of kind ${kind} is “${expected}”`, () => {
      expect(inputDate(value, kind)).to.equal(expected);
    });
  }

  const local = (date: Date): string => {
    const offset = date.getTimezoneOffset() * 60_000;
    return new Date(date.getTime() - offset).toISOString().slice(0, 16);
  };

  for (const zone of ['Z', '+05:30', '-11:00']) {
    it(`a time in the zone ${zone} is entered in the zone of the user, and sent as the same time`, () => {
      const value = `2026-08-01T19:30:00${zone}`;
      const input = inputDate(value, 'datetime-local');
      expect(input).to.equal(local(new Date(value)));
      expect(inputDate(value, 'date')).to.equal(input.slice(0, 10));
      expect(new Date(isoDate(input, 'datetime-local', value)).toISOString()).to.equal(new Date(value).toISOString());
      expect(isoDate(input, 'datetime-local', value)).to.match(/:00[+-]\d\d:\d\d$/);
    });
  }

  it('a new date with a time has a zone, except where the agent sent none', () => {
    expect(isoDate('2026-08-01T19:30', 'datetime-local', '')).to.match(/^2026-08-01T19:30:00[+-]\d\d:\d\d$/);
    expect(isoDate('2026-08-01T19:30', 'datetime-local', '2026-07-01T10:00')).to.equal('2026-08-01T19:30');
    expect(isoDate('2026-08-01', 'date', '')).to.equal('2026-08-01');
    expect(isoDate('', 'datetime-local', '')).to.equal('');
  });
});
