import { expect } from '@open-wc/testing';
import { argumentFields, editedArguments } from '../../../src/renderers/tools/edit-arguments.ts';

describe('argumentFields() and editedArguments()', () => {
  const rows: readonly {
    readonly name: string;
    readonly params: string;
    /** Entered text by field index; other fields stay unchanged. */
    readonly words: Readonly<Record<number, string>>;
    readonly value: unknown;
  }[] = [
    { name: 'text stays text', params: '{"a":"1"}', words: { 0: '2' }, value: { a: '2' } },
    { name: 'a number stays a number', params: '{"a":1}', words: { 0: '2.5' }, value: { a: 2.5 } },
    { name: 'true becomes false', params: '{"a":true}', words: { 0: 'false' }, value: { a: false } },
    {
      name: 'a text with characters that nobody sees is JSON with escapes',
      params: '{"a":"x\u202ey\u{e0041}","b":1}',
      words: { 0: '"x\\u202ez\\udb40\\udc41"' },
      value: { a: 'x\u202ez\u{e0041}', b: 1 },
    },
    { name: 'a list is JSON', params: '{"a":[1]}', words: { 0: '[1, 2]' }, value: { a: [1, 2] } },
    { name: 'null may become any value', params: '{"a":null}', words: { 0: '"x"' }, value: { a: 'x' } },
    { name: 'a list is one field', params: '[1]', words: { 0: '[2]' }, value: [2] },
    { name: 'arguments that are not JSON are one text', params: 'ls -l', words: { 0: 'ls' }, value: 'ls' },
    {
      name: 'an unchanged key is sent as it was, although its value is masked',
      params: '{"key":"sk-abcdefghijklmnop","n":1}',
      words: { 1: '2' },
      value: { key: 'sk-abcdefghijklmnop', n: 2 },
    },
  ];
  for (const { name, params, words, value } of rows) {
    it(name, () => {
      const fields = argumentFields(params);
      const written = fields.map(({ shown }, index) => words[index] ?? shown);
      expect(editedArguments(fields, written)).to.deep.equal({ value });
    });
  }

  it('shows characters that nobody sees, also in lists', () => {
    const fields = argumentFields('{"a":"x\u202ey\u{e0041}","b":["\u200b"]}');
    expect(fields.map(({ shown }) => shown)).to.deep.equal(['"x\\u202ey\\udb40\\udc41"', '[\n  "\\u200b"\n]']);
  });

  it('a prototype name is an ordinary key', () => {
    const fields = argumentFields('{"__proto__":{"x":1},"a":1}');
    const edited = editedArguments(
      fields,
      fields.map(({ shown }) => shown),
    );
    expect(JSON.stringify(edited)).to.equal('{"value":{"__proto__":{"x":1},"a":1}}');
    expect(Object.hasOwn(Object.prototype, 'x')).to.equal(false);
  });

  it('rejects anything but an object in place of one with many arguments', () => {
    const params = JSON.stringify(
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${String(index)}`, 1])),
    );
    const fields = argumentFields(params);
    expect(fields).to.have.length(1);
    for (const words of ['[1]', '"x"', 'null', '1'])
      expect(editedArguments(fields, [words])).to.deep.equal({ invalid: new Set(fields) });
    expect(editedArguments(fields, ['{"a0":2}'])).to.deep.equal({ value: { a0: 2 } });
  });

  for (const { params, words } of [
    { params: '{"a":1}', words: 'one' },
    { params: '{"a":1}', words: '' },
    { params: '{"a":[1]}', words: '[1' },
    { params: '{"a":1}', words: '9007199254740993' },
    { params: '{"a":[1]}', words: '[1, {"b": 9007199254740993}]' },
    { params: '{"a":null}', words: '1e400' },
  ]) {
    it(`rejects “${words}” for ${params}`, () => {
      const fields = argumentFields(params);
      const edited = editedArguments(fields, [words]);
      expect('invalid' in edited && [...edited.invalid]).to.deep.equal(fields);
    });
  }
});
