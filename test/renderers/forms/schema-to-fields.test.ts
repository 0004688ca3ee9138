import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { fieldsOf, pagesOf, type FormField } from '../../../src/renderers/forms/schema-to-fields.ts';
import {
  answerOf,
  initialOf,
  keyOf,
  problemOf,
  readValues,
  type FieldValue,
} from '../../../src/renderers/forms/form-values.ts';

const only = (schema: object): FormField => {
  const [field, ...others] = fieldsOf({ type: 'object', properties: { a: schema } });
  if (!field || others.length > 0) throw new Error('One field was meant.');
  return field;
};

describe('fieldsOf()', () => {
  it('rule 95: ends at a limit where references repeat each other', () => {
    let reads = 0;
    const names = Array.from({ length: 30 }, (_, index) => `p${String(index)}`);
    const all = {
      get properties() {
        reads++;
        return Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/all' }]));
      },
    };
    expect(fieldsOf({ $ref: '#/$defs/all', $defs: { all } })).to.deep.equal([]);
    expect(reads).to.be.below(20_000);
  });

  const rows: readonly { readonly name: string; readonly schema: object; readonly field: Partial<FormField> }[] = [
    { name: 'text', schema: { type: 'string', title: 'Name' }, field: { kind: 'text', label: 'Name' } },
    { name: 'a long text', schema: { type: 'string', maxLength: 2000 }, field: { kind: 'long', max: 2000 } },
    { name: 'a number', schema: { type: 'number', minimum: 1, maximum: 9 }, field: { kind: 'number', min: 1, max: 9 } },
    { name: 'an integer', schema: { type: 'integer' }, field: { kind: 'number', whole: true } },
    { name: 'a boolean', schema: { type: 'boolean', default: true }, field: { kind: 'boolean', initial: true } },
    { name: 'a date', schema: { type: 'string', format: 'date' }, field: { kind: 'text', input: 'date' } },
    { name: 'a time', schema: { type: 'string', format: 'date-time' }, field: { input: 'datetime-local' } },
    { name: 'a choice', schema: { type: 'string', enum: ['a', 'b'] }, field: { kind: 'one', other: false } },
    {
      name: 'a choice with names',
      schema: { enum: ['a'], enumNames: ['Ann'] },
      field: { kind: 'one', options: [{ label: 'Ann', value: 'a' }] },
    },
    {
      name: 'rule 83: a constant shows its value, not only the title that the field has too',
      schema: { const: 'all accounts', title: 'Account' },
      field: { kind: 'one', label: 'Account', options: [{ label: 'all accounts', value: 'all accounts' }] },
    },
    {
      name: 'a choice listed as constants',
      schema: { oneOf: [{ const: 1, title: 'One', description: 'The first' }] },
      field: { kind: 'one', options: [{ label: 'One', value: 1, description: 'The first' }] },
    },
    {
      name: 'a choice with something else',
      schema: { anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] },
      field: { kind: 'one', other: true },
    },
    {
      name: 'several choices',
      schema: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
      field: { kind: 'many', min: 1, max: 2, other: false },
    },
    {
      name: 'several texts',
      schema: { type: 'array', items: { type: 'string' } },
      field: { kind: 'many', options: [] },
    },
    {
      name: 'an optional field of pydantic',
      schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      field: { kind: 'number', required: false },
    },
    { name: 'several types', schema: { type: ['string', 'null'] }, field: { kind: 'text' } },
    { name: 'a secret', schema: { type: 'string', format: 'password' }, field: { kind: 'secret' } },
    { name: 'an unknown type', schema: { type: 'alien' }, field: { kind: 'text' } },
  ];
  for (const { name, schema, field } of rows) {
    it(name, () => {
      expect(only(schema)).to.deep.include(field);
    });
  }

  const secret = { type: 'string', format: 'password', writeOnly: true } as const;
  const text = { type: 'string' } as const;
  const withPin = { type: 'object', properties: { pin: secret } } as const;
  const forms: readonly (readonly [name: string, schema: object])[] = [
    ['a list', { type: 'array', items: secret }],
    ['a list whose items are references', { type: 'array', items: { $ref: '#/$defs/Secret' } }],
    ['a list with free text beside its options', { type: 'array', items: { anyOf: [{ enum: ['a'] }, secret] } }],
    ['a list of options', { type: 'array', items: { enum: ['a'], writeOnly: true } }],
    ['a list, or null', { anyOf: [{ type: 'array', items: secret }, { type: 'null' }] }],
    ['a list of lists', { type: 'array', items: { type: 'array', items: secret } }],
    ['a list of objects', { type: 'array', items: withPin }],
    ['a tuple', { type: 'array', prefixItems: [text, secret] }],
    ['a tuple in an older draft', { type: 'array', items: [text, secret] }],
    ['a tuple with further items', { type: 'array', items: [text], additionalItems: secret }],
    ['a password or a number', { anyOf: [secret, { type: 'integer' }] }],
    ['a number or a password', { anyOf: [{ type: 'integer' }, secret] }],
    ['a password or an email address', { oneOf: [secret, { type: 'string', format: 'email' }] }],
    ['an option or a password', { anyOf: [{ const: 'a' }, secret] }],
    ['a text that all of several schemas describe', { allOf: [text, { format: 'password' }] }],
    ['a reference with another format', { $ref: '#/$defs/Secret', format: 'email', writeOnly: false }],
    ['a condition', { type: 'string', if: { minLength: 4 }, then: secret }],
    ['an object with any names', { type: 'object', additionalProperties: secret }],
    ['an object with a pattern of names', { type: 'object', patternProperties: { '^pin': secret } }],
    ['an object', { type: 'object', writeOnly: true, properties: { a: text } }],
    ['an object in an object', { properties: { b: { properties: { a: text } } }, writeOnly: true }],
    ['an object, or null', { anyOf: [{ writeOnly: true, properties: { a: text } }, { type: 'null' }] }],
    ['one of several schemas of an object', { properties: { a: text }, allOf: [{ writeOnly: true }, {}] }],
    ['a property in another schema', { properties: { a: text }, anyOf: [{ properties: { a: secret } }, {}] }],
    [
      'a property of a property in another schema',
      {
        properties: { a: { properties: { pin: text } } },
        allOf: [{ properties: { a: { $ref: '#/$defs/WithPin' } } }, {}],
      },
    ],
    ['a format with a capital letter', { type: 'string', format: 'Password' }],
  ];
  for (const [name, schema] of forms) {
    it(`rule 30: does not ask for a secret that is ${name}`, () => {
      const all = { properties: { x: schema }, $defs: { Secret: secret, WithPin: withPin } };
      expect(fieldsOf(all).map(({ kind }) => kind)).to.deep.equal(['secret']);
    });
  }

  const roots: readonly (readonly [name: string, schema: object])[] = [
    ['one of several objects', { anyOf: [withPin, { type: 'object', properties: { token: text } }] }],
    ['all of several objects', { allOf: [withPin, { type: 'object', properties: { name: text } }] }],
    ['an object of one of several objects', { type: 'object', oneOf: [withPin, {}] }],
    ['an object with any names', { type: 'object', additionalProperties: secret }],
    ['an object without other fields', { properties: {}, additionalProperties: secret }],
    ['an object that is a secret', { type: 'object', writeOnly: true }],
    ['a list', { type: 'array', items: secret }],
    [
      'below the depth of a form',
      { properties: { a: { properties: { b: { properties: { c: { properties: { d: withPin } } } } } } } },
    ],
  ];
  for (const [name, schema] of roots) {
    it(`rule 30: does not ask for a secret that the whole answer has: ${name}`, () => {
      expect(fieldsOf(schema).map(({ kind }) => kind)).to.deep.equal(['secret']);
    });
  }

  const plain: readonly (readonly [name: string, schema: object, kind: FormField['kind']])[] = [
    ['options, of which one would have a secret', { oneOf: [{ const: 'none' }, withPin] }, 'one'],
    ['a text that is no password', { type: 'string', not: { format: 'password' } }, 'text'],
    ['a default that looks like a schema', { type: 'string', default: { format: 'password' } }, 'text'],
    ['properties with the names of keywords', { type: 'array', items: { properties: { format: text } } }, 'many'],
    ['a list of choices', { type: 'array', items: { enum: ['password'] } }, 'many'],
    ['a property that is read and written', { type: 'string', writeOnly: false }, 'text'],
  ];
  for (const [name, schema, kind] of plain) {
    it(`asks for ${name}`, () => {
      expect(only(schema).kind).to.equal(kind);
    });
  }

  it('asks for what is beside a secret', () => {
    const fields = fieldsOf({ properties: { user: text, codes: { type: 'array', items: secret }, note: text } });
    expect(fields.map(({ kind }) => kind)).to.deep.equal(['text', 'secret', 'text']);
  });

  it('rule 95: ends the search for a secret where references repeat each other', () => {
    let reads = 0;
    const many = Array.from({ length: 30 }, () => ({ $ref: '#/$defs/all' }));
    const all = {
      type: 'array',
      get anyOf() {
        reads++;
        return many.map((one) => ({ ...one, items: { $ref: '#/$defs/all' } }));
      },
    };
    const properties = Object.fromEntries(many.map((one, index) => [String(index), one]));
    fieldsOf({ properties, $defs: { all } });
    expect(reads).to.be.below(20_000);
  });

  it('rule 95: a schema that is too large to be searched for a secret counts as one', () => {
    const schema = { type: 'array', prefixItems: Array.from({ length: 30_000 }, () => ({})) };
    expect(only(schema).kind).to.equal('secret');
  });

  it('follows references inside the document only', () => {
    const schema = {
      $defs: { Colour: { enum: ['red'] } },
      type: 'object',
      properties: { a: { $ref: '#/$defs/Colour' }, b: { $ref: 'https://evil.example/x' } },
    };
    expect(fieldsOf(schema).map(({ kind }) => kind)).to.deep.equal(['one', 'text']);
  });

  it('ends circular references', () => {
    const schema = { $defs: { A: { $ref: '#/$defs/A' } }, properties: { a: { $ref: '#/$defs/A' } } };
    expect(fieldsOf(schema)).to.have.length(1);
    const deep = {
      $defs: { A: { properties: { a: { $ref: '#/$defs/A' }, b: { type: 'string' } } } },
      $ref: '#/$defs/A',
    };
    expect(fieldsOf(deep).length).to.be.lessThan(60);
  });

  it('gives fields of nested objects their path and their own pages', () => {
    const fields = fieldsOf({
      properties: {
        name: { type: 'string' },
        home: { properties: { street: { type: 'string' }, town: { type: 'string' } }, required: ['town'] },
      },
      required: ['name', 'home'],
    });
    expect(fields.map(({ path, required }) => [path.join('.'), required])).to.deep.equal([
      ['name', true],
      ['home.street', false],
      ['home.town', true],
    ]);
    expect(pagesOf(fields).map((page) => page.length)).to.deep.equal([1, 2]);
  });

  it('puts a choice with descriptions on its own page, and at most five fields on a page', () => {
    const short = { type: 'string' };
    const choice = { oneOf: [{ const: 1, title: 'One', description: 'Read me' }] };
    const properties = { a: short, b: choice, c: short, d: short, e: short, f: short, g: short, h: short };
    expect(pagesOf(fieldsOf({ properties })).map((page) => page.length)).to.deep.equal([1, 1, 5, 1]);
  });

  it('any schema gives fields and an answer without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue(), (schema, kept) => {
        const fields = fieldsOf(schema);
        const values = readValues(kept);
        for (const field of fields) problemOf(field, { ...initialOf(field), ...values[keyOf(field)] });
        JSON.stringify(answerOf(fields, values));
      }),
    );
  });
});

describe('answerOf() and problemOf()', () => {
  const rows: readonly {
    readonly name: string;
    readonly schema: object;
    readonly given: FieldValue;
    readonly value?: unknown;
    readonly problem?: string;
  }[] = [
    { name: 'words', schema: { type: 'string' }, given: { text: ' x ' }, value: 'x' },
    { name: 'a number', schema: { type: 'number' }, given: { text: '1.5' }, value: 1.5 },
    { name: 'text instead of a number', schema: { type: 'number' }, given: { text: 'one' }, problem: 'number' },
    { name: 'a fraction instead of an integer', schema: { type: 'integer' }, given: { text: '1.5' }, problem: 'whole' },
    {
      name: 'more digits than a number has',
      schema: { type: 'number' },
      given: { text: '12345678901234567890' },
      problem: 'number',
    },
    { name: 'too small', schema: { type: 'number', minimum: 2 }, given: { text: '1' }, problem: 'min' },
    { name: 'too short', schema: { type: 'string', minLength: 2 }, given: { text: 'x' }, problem: 'short' },
    { name: 'an unchecked box is false', schema: { type: 'boolean' }, given: {}, value: false },
    { name: 'a choice', schema: { enum: [{ id: 7 }, 'b'] }, given: { chosen: [0] }, value: { id: 7 } },
    {
      name: 'something else',
      schema: { anyOf: [{ enum: ['a'] }, { type: 'string' }] },
      given: { chosen: [], other: true, text: 'c' },
      value: 'c',
    },
    {
      name: 'several choices, in the order of the list',
      schema: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
      given: { chosen: [2, 0] },
      value: ['a', 'c'],
    },
    {
      name: 'too many',
      schema: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 },
      given: { chosen: [0, 1] },
      problem: 'many',
    },
    {
      name: 'a moment',
      schema: { type: 'string', format: 'date-time' },
      given: { text: '2026-12-01T10:00' },
      value: new Date('2026-12-01T10:00').toISOString(),
    },
    { name: 'an email address', schema: { type: 'string', format: 'email' }, given: { text: 'ann' }, problem: 'email' },
    {
      name: 'a secret is not passed on',
      schema: { type: 'string', format: 'password' },
      given: { text: 'x' },
      value: undefined,
    },
  ];
  for (const { name, schema, given, value, problem } of rows) {
    it(name, () => {
      const field = only(schema);
      expect(problemOf(field, given)?.key).to.equal(problem);
      if (problem === undefined) {
        expect(answerOf([field], { [keyOf(field)]: given })).to.deep.equal(value === undefined ? {} : { a: value });
      }
    });
  }

  const hidden = 'any day; also transfer 9999 EUR';
  const defaults: readonly (readonly [name: string, schema: object, shown: string | undefined, sent: unknown])[] = [
    ['a date', { type: 'string', format: 'date', default: '2026-12-01' }, '2026-12-01', '2026-12-01'],
    ['a text instead of a date', { type: 'string', format: 'date', default: hidden }, undefined, undefined],
    ['no day of the calendar', { type: 'string', format: 'date', default: '2026-02-31' }, undefined, undefined],
    ['an object instead of a date', { type: 'string', format: 'date', default: { hidden } }, undefined, undefined],
    ['a list instead of a moment', { type: 'string', format: 'date-time', default: [hidden] }, undefined, undefined],
    ['a text instead of a time', { type: 'string', format: 'time', default: hidden }, undefined, undefined],
    ['a text instead of a moment', { type: 'string', format: 'date-time', default: hidden }, undefined, undefined],
    ['a far moment', { type: 'string', format: 'date-time', default: '99999-01-01T00:00:00Z' }, undefined, undefined],
    [
      'a moment with a remark',
      { type: 'string', format: 'date-time', default: '2026-12-01T10:00:00Z (and pay)' },
      undefined,
      undefined,
    ],
    ['two lines of an address', { type: 'string', format: 'uri', default: 'https://a.b/\nc' }, undefined, undefined],
    ['two lines', { type: 'string', default: 'a\nb' }, 'a\nb', 'a\nb'],
    ['invisible characters', { type: 'string', default: 'a\u{e0062}' }, 'a', 'a'],
    ['invisible characters in an object', { type: 'string', default: { a: 'a\u{e0062}' } }, '{"a":"a"}', { a: 'a' }],
    ['a number', { type: 'number', default: 0.5 }, '0.5', 0.5],
    ['a rounded number', { type: 'number', default: Number('12345678901234567890') }, undefined, undefined],
    ['rounded numbers', { type: 'array', items: { type: 'number' }, default: [1, 2 ** 60] }, undefined, undefined],
    ['another option', { enum: ['a'], default: hidden }, undefined, undefined],
    ['several options for one', { enum: ['a', 'b'], default: ['a', 'b'] }, undefined, undefined],
    ['one option twice', { type: 'array', items: { enum: ['a', 'b'] }, default: ['a', 'a'] }, undefined, ['a']],
  ];
  for (const [name, schema, shown, sent] of defaults) {
    it(`the default of a field that is ${name} is sent only as it is shown`, () => {
      const field = only(schema);
      const value = initialOf(field);
      expect(value.text).to.equal(shown);
      expect(answerOf([field], { [keyOf(field)]: value })).to.deep.equal(sent === undefined ? {} : { a: sent });
    });
  }

  it('a text with a line end, or a long one, has a field that shows all of it', () => {
    expect(only({ type: 'string', default: 'a\nb' }).kind).to.equal('long');
    expect(only({ type: 'string', default: `a${' '.repeat(300)}b` }).kind).to.equal('long');
    expect(only({ type: 'string', default: 'a b' }).kind).to.equal('text');
  });

  it('a required field is needed, an optional one can be empty', () => {
    const fields = fieldsOf({ properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] });
    expect(fields.map((field) => problemOf(field, {})?.key)).to.deep.equal(['required', undefined]);
    expect(answerOf(fields, {})).to.deep.equal({});
  });

  it('a schema that is not an object is answered with the value itself', () => {
    const fields = fieldsOf({ type: 'integer' });
    expect(answerOf(fields, { [keyOf(fields[0] ?? only({}))]: { text: '7' } })).to.equal(7);
  });

  it('a prototype name changes no prototype', () => {
    const fields = fieldsOf(JSON.parse('{"properties":{"__proto__":{"properties":{"x":{"type":"string"}}}}}'));
    const answer = answerOf(fields, Object.fromEntries(fields.map((field) => [keyOf(field), { text: 'y' }])));
    expect(JSON.stringify(answer)).to.equal('{"__proto__":{"x":"y"}}');
    expect(Object.hasOwn(Object.prototype, 'x')).to.equal(false);
  });
});
