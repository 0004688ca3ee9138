/** Which calls the page's `needsApproval` may judge: those whose arguments have the types that the tool declares. */
import { expect } from '@open-wc/testing';
import * as z from 'zod';
import type { ClientTool } from '../../../src/agents/tools.ts';
import { argumentsMatchSchema } from '../../../src/runtime/tools/arguments-match-schema.ts';

const number = { type: 'number' };
const amount = { properties: { amount: number } };
const wrong = { amount: '5000 EUR' };
const right = { amount: 5000 };
const money = z.number().meta({ id: 'Money' });
const pay = z.object({ kind: z.literal('pay'), amount: z.number() });
const ask = z.object({ kind: z.literal('ask'), to: z.string() });

const fits = (parameters: object, args: object): boolean => {
  const tool = { name: 'pay', description: 'Pays.', parameters, execute: () => 'paid' } as ClientTool;
  return argumentsMatchSchema(tool, args as Record<string, unknown>);
};

interface Row {
  readonly name: string;
  readonly parameters: object;
  readonly wrong?: object;
  readonly right?: object;
}

const rows: readonly Row[] = [
  { name: 'an object', parameters: amount },
  {
    name: 'an object in another',
    parameters: { properties: { order: amount } },
    wrong: { order: wrong },
    right: { order: right },
  },
  {
    name: 'a list',
    parameters: { properties: { all: { items: amount } } },
    wrong: { all: [right, wrong] },
    right: { all: [right] },
  },
  {
    name: 'a list of fixed length',
    parameters: { properties: { all: { prefixItems: [{ type: 'string' }, number], items: false } } },
    wrong: { all: ['EUR', '5000'] },
    right: { all: ['EUR', 5000] },
  },
  {
    name: 'a list of fixed length, as in older drafts',
    parameters: { properties: { all: { items: [number], additionalItems: { type: 'string' } } } },
    wrong: { all: [5, 'EUR', 6] },
    right: { all: [5, 'EUR'] },
  },
  { name: 'a record', parameters: { additionalProperties: number } },
  { name: 'several parts', parameters: { allOf: [amount, { required: ['amount'] }] } },
  {
    name: 'a reference',
    parameters: { properties: { amount: { $ref: '#/$defs/a~1b%20c' } }, $defs: { 'a/b c': number } },
  },
  { name: 'a reference as the whole', parameters: { $ref: '#/definitions/Pay', definitions: { Pay: amount } } },
  {
    name: 'a reference to the whole',
    parameters: { properties: { amount: number, next: { $ref: '#' } } },
    wrong: { next: { next: wrong } },
    right: { next: { next: right } },
  },
  { name: 'types in capital letters', parameters: { type: 'OBJECT', properties: { amount: { type: 'NUMBER' } } } },
  { name: 'zod', parameters: z.object({ amount: z.number() }) },
  { name: 'zod with a named type', parameters: z.object({ amount: money }) },
  {
    name: 'zod with a type that is named and used twice',
    parameters: z.object({ amount: money, fee: money.optional() }),
  },
  { name: 'zod with a lazy type', parameters: z.object({ amount: z.lazy(() => z.number()) }) },
  { name: 'a union of zod', parameters: z.union([z.object({ amount: z.number() }), z.object({ to: z.string() })]) },
  {
    name: 'a union of zod whose other type fits too',
    parameters: z.union([z.object({ amount: z.number() }), z.object({ to: z.string() })]),
    wrong: { ...wrong, to: 'Ann' },
    right: { to: 'Ann' },
  },
  {
    name: 'a union whose other type has only optional properties',
    parameters: { anyOf: [amount, { properties: { to: { type: 'string' } } }] },
    wrong,
    right,
  },
  {
    name: 'a discriminated union of zod',
    parameters: z.discriminatedUnion('kind', [pay, ask]),
    wrong: { kind: 'pay', ...wrong },
    right: { kind: 'pay', ...right },
  },
  {
    name: 'a discriminated union of zod with the properties of another type',
    parameters: z.discriminatedUnion('kind', [pay, ask]),
    wrong: { kind: 'ask', to: 'Ann', ...wrong },
    right: { kind: 'ask', to: 'Ann' },
  },
  {
    name: 'an intersection of zod',
    parameters: z.intersection(z.object({ amount: z.number() }), z.object({ to: z.string() })),
    wrong: { ...wrong, to: 'Ann' },
    right: { ...right, to: 'Ann' },
  },
];

const notRead: readonly (readonly [string, object, object?])[] = [
  ['a reference to nothing', { properties: { amount: { $ref: '#/$defs/gone' } } }],
  ['a reference to another document', { properties: { amount: { $ref: 'https://a.example/money.json' } } }],
  ['a reference to itself', { $ref: '#' }],
  [
    'references that lead to each other',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  ],
  ['an unknown type', { properties: { amount: { type: 'money' } } }],
  ['a type that is no name', { properties: { amount: { type: null } } }],
  ['a condition', { if: amount, then: amount }],
  ['patterns of names', { patternProperties: { '^a': number } }],
  ['an exclusion', { not: { required: ['to'] } }],
  ['properties that are no object', { properties: null }],
  ['required names that are no list', { ...amount, required: 'amount' }],
  ['a union that is no list', { anyOf: amount }],
  [
    'the schema of a library without a JSON form',
    { type: 'object', entries: amount, parse: (value: unknown) => value },
  ],
  ['a schema that excludes everything', { properties: { amount: false } }],
  ['unions in unions, far too many to compare', manyUnions(24)],
];

/** Each level doubles the number of comparisons. */
function manyUnions(levels: number): object {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { anyOf: [schema, schema] };
  return schema;
}

describe('rule 131: the arguments of a call', () => {
  for (const { name, parameters, ...args } of rows)
    it(`fit by their types: ${name}`, () => {
      expect(fits(parameters, args.wrong ?? wrong), 'wrong').to.equal(false);
      expect(fits(parameters, args.right ?? right), 'right').to.equal(true);
    });

  for (const [name, parameters, args = right] of notRead)
    it(`do not fit what is not understood: ${name}`, () => {
      expect(fits(parameters, args)).to.equal(false);
    });

  it('fit without a value that has a default, which libraries list as required', () => {
    const currency = z.string().default('EUR');
    expect(fits(z.object({ amount: z.number(), currency }), right)).to.equal(true);
    expect(fits(z.object({ amount: z.number(), currency: currency.meta({ id: 'Currency' }) }), right)).to.equal(true);
    expect(fits(z.object({ amount: z.number(), currency: z.string() }), right)).to.equal(false);
  });

  it('fit with `null` for an optional value, not for a required one', () => {
    const schema = z.object({ amount: z.number(), note: z.string().optional() });
    expect(fits(schema, { ...right, note: null })).to.equal(true);
    expect(fits(schema, { amount: null })).to.equal(false);
  });

  it('fit whatever limits of size, formats and descriptions the schema states', () => {
    const schema = z.object({ amount: z.int().min(1).describe('In EUR'), at: z.email().optional() });
    expect(fits(schema, { ...right, at: 'noon', other: 1 })).to.equal(true);
    expect(fits({ ...amount, additionalProperties: false, 'x-order': 1, minProperties: 1 }, right)).to.equal(true);
    expect(fits({ properties: { amount: { ...number, required: true } } }, right)).to.equal(true);
  });
});
