import { expect } from '@open-wc/testing';
import { inputDate } from '../../src/renderers/a2ui-dates.ts';
import { resolve, textOf, type Scope } from '../../src/renderers/a2ui-values.ts';

const DATA = { user: { name: 'Mara', age: 30 }, items: [{ price: 2 }, { price: 3.5 }], bomb: '${/bomb}${/bomb}' };
const scopeOf = (more: Partial<Scope> = {}): Scope => ({
  data: DATA,
  at: [],
  locale: 'en',
  work: { left: 10_000 },
  ...more,
});
const call = (name: string, args: object = {}) => ({ call: name, args });

describe('a value of a component', () => {
  const rows: readonly { name: string; value: unknown; expected: unknown; scope?: Partial<Scope> }[] = [
    { name: 'as it is', value: 'x', expected: 'x' },
    { name: 'at a place', value: { path: '/user/name' }, expected: 'Mara' },
    { name: 'at a place, as the newest version spells it', value: { '@path': '/user/name' }, expected: 'Mara' },
    { name: 'relative to an item', value: { path: 'price' }, expected: 3.5, scope: { at: ['items', '1'] } },
    { name: 'a literal of 0.8', value: { literalString: 'x' }, expected: 'x' },
    {
      name: 'a place of 0.8 with a literal for the time before',
      value: { path: '/no', literalString: 'x' },
      expected: 'x',
    },
    { name: 'inside an object', value: { a: { path: '/user/age' } }, expected: { a: 30 } },
    { name: 'at a prototype', value: { path: '/__proto__/x' }, expected: undefined },
    { name: 'inherited', value: { path: '/toString' }, expected: undefined },
    { name: 'a number, formatted', value: call('formatNumber', { value: 1234.5, decimals: 2 }), expected: '1,234.50' },
    {
      name: 'money',
      value: call('formatCurrency', { value: { path: '/user/age' }, currency: 'EUR' }),
      expected: '€30.00',
    },
    { name: 'money that is none', value: call('formatCurrency', { value: 1, currency: 'x' }), expected: undefined },
    {
      name: 'a date',
      value: call('formatDate', { value: '2026-01-16', format: "EEEE, d MMMM yyyy 'at' HH:mm" }),
      expected: 'Friday, 16 January 2026 at 00:00',
    },
    { name: 'no date', value: call('formatDate', { value: 'soon', format: 'yyyy' }), expected: 'soon' },
    { name: 'a plural', value: call('pluralize', { value: 1, one: 'guest', other: 'guests' }), expected: 'guest' },
    { name: 'a sum', value: call('add', { a: 1, b: { path: '/user/age' } }), expected: 31 },
    { name: 'a check', value: call('and', { values: [true, call('not', { value: false })] }), expected: true },
    { name: 'a required one', value: call('required', { value: '' }), expected: false },
    { name: 'an address', value: call('email', { value: 'a@b.example' }), expected: true },
    {
      name: 'a pattern, which is not tried',
      value: call('regex', { value: 'a', pattern: '(a+)+$' }),
      expected: undefined,
    },
    { name: 'a function that nobody knows', value: call('constructor'), expected: undefined },
    { name: 'the place in a list', value: call('@index', { offset: 1 }), expected: 3, scope: { index: 2 } },
    { name: 'the place in no list', value: call('@index'), expected: undefined },
    {
      name: 'a text with places and calls in it',
      value: call('formatString', {
        value: 'Hi ${/user/name}, \\${x} ${formatNumber(value: ${/user/age}, decimals: 1)}!',
      }),
      expected: 'Hi Mara, ${x} 30.0!',
    },
    {
      name: 'a text with broken ones',
      value: call('formatString', { value: 'a ${ b ${/user/name' }),
      expected: 'a ${ b ${/user/name',
    },
    {
      name: 'a text that holds itself',
      value: call('formatString', { value: '${formatString(value: ${/bomb})}|' }),
      expected: '|',
    },
  ];
  for (const { name, value, expected, scope } of rows) {
    it(name, () => {
      expect(resolve(value, scopeOf(scope))).to.deep.equal(expected);
    });
  }

  it('too deep a one is nothing', () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 10_000; depth++) deep = call('not', { value: deep });
    expect(resolve(deep, scopeOf())).to.be.a('boolean');
  });

  it('is not looked for when too much has been', () => {
    expect(resolve({ path: '/user/name' }, scopeOf({ work: { left: 0 } }))).to.equal(undefined);
  });

  for (const [value, words] of [
    [null, ''],
    [false, 'false'],
    [{ a: [1] }, '{"a":[1]}'],
    [Array.from({ length: 100_000 }, () => 'x'), '…'],
  ] as const) {
    it(`as words is “${words}”`, () => {
      expect(textOf(value, scopeOf())).to.equal(words);
    });
  }

  for (const [value, kind, expected] of [
    ['2026-08-01T19:30:00Z', 'datetime-local', '2026-08-01T19:30'],
    ['2026-08-01', 'datetime-local', '2026-08-01T00:00'],
    ['2026-08-01T19:30', 'date', '2026-08-01'],
    ['19:30:00', 'time', '19:30'],
    ['soon', 'date', ''],
  ] as const) {
    it(`${value} in an input for a ${kind} is “${expected}”`, () => {
      expect(inputDate(value, kind)).to.equal(expected);
    });
  }
});
