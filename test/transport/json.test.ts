import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { Frame } from '../../src/transport/frame.ts';
import { readJson } from '../../src/transport/json.ts';
import { bytesOf, cutAt } from '../support/cuts.ts';
import { failureEveryWay, readAll, readEveryWay } from '../support/read-every-way.ts';

const read = (chunks: AsyncIterable<string>): AsyncIterable<readonly Frame[]> =>
  readJson(chunks, { maxEventLength: 1000 });

const rows: readonly { readonly name: string; readonly body: string; readonly values: readonly string[] }[] = [
  { name: 'a document', body: '{"a":1}', values: ['{"a":1}'] },
  {
    name: 'a pretty-printed document',
    body: '{\n  "a": {\n    "b": []\n  }\n}\n',
    values: ['{\n  "a": {\n    "b": []\n  }\n}'],
  },
  {
    name: 'documents behind one another',
    body: '{"a":1}{"b":2}\n\n{"c":3}',
    values: ['{"a":1}', '{"b":2}', '{"c":3}'],
  },
  { name: 'the elements of an array', body: '[{"a":1},{"b":2}]', values: ['{"a":1}', '{"b":2}'] },
  { name: 'an array over several lines', body: '[\n{"a":[1]}\n,\r\n{"b":2}\n]\n', values: ['{"a":[1]}', '{"b":2}'] },
  { name: 'arrays in an array', body: '[[1,[2]],{"a":[]}]', values: ['[1,[2]]', '{"a":[]}'] },
  { name: 'an empty array', body: '[]', values: [] },
  { name: 'an array and then a document', body: '[{"a":1}]{"b":2}', values: ['{"a":1}', '{"b":2}'] },
  { name: 'two arrays', body: '[{"a":1}]\n[{"b":2}]', values: ['{"a":1}', '{"b":2}'] },
  { name: 'brackets in strings', body: '{"a":"}]{[","b":2}{"c":3}', values: ['{"a":"}]{[","b":2}', '{"c":3}'] },
  { name: 'escaped quotes in strings', body: '{"a":"\\"}\\\\"}{"b":2}', values: ['{"a":"\\"}\\\\"}', '{"b":2}'] },
  { name: 'characters of several bytes', body: '{"a":"ä中😀"}', values: ['{"a":"ä中😀"}'] },
  { name: 'a document that was cut', body: '{"a":1}{"b":', values: ['{"a":1}', '{"b":'] },
  { name: 'an array that was cut', body: '[{"a":1},{"b":"x', values: ['{"a":1}', '{"b":"x'] },
  { name: 'closing brackets too many', body: '{"a":1}}]}{"b":2}', values: ['{"a":1}', '{"b":2}'] },
  { name: 'strings in an array', body: '["a","b \\" ]"]', values: ['"a"', '"b \\" ]"'] },
  { name: 'strings beside documents in an array', body: '["a",{"b":"c"},"d"]', values: ['"a"', '{"b":"c"}', '"d"'] },
  { name: 'a string outside of an array is none', body: '"a"{"b":1}', values: ['{"b":1}'] },
  { name: 'nothing', body: ' \n', values: [] },
];

async function* textsOf(...texts: readonly string[]): AsyncGenerator<string> {
  yield* await Promise.resolve(texts);
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('readJson, cut in every way', () => {
  for (const { name, body, values } of rows) {
    it(name, async () => {
      expect(await readEveryWay(body, read)).to.deep.equal(
        values.map((data) => ({ data, ...(isWhole(data) ? {} : { unfinished: true }) })),
      );
    });
  }

  const limits: readonly { readonly name: string; readonly body: string; readonly kind: string }[] = [
    { name: 'a value of the limit', body: `{"a":"${'x'.repeat(992)}"}`, kind: 'none' },
    { name: 'a value past the limit', body: `{"a":"${'x'.repeat(993)}"}`, kind: 'limit' },
    { name: 'a value past the limit that is never closed', body: `{"a":"${'x'.repeat(2000)}`, kind: 'limit' },
    { name: 'many values below it', body: `[${'{"a":1},'.repeat(300)}{}]`, kind: 'none' },
  ];
  for (const { name, body, kind } of limits) {
    it(`limit: ${name}`, async () => {
      expect(await failureEveryWay(body, read)).to.equal(kind);
    });
  }

  it('gives no empty batch', async () => {
    const batches: number[] = [];
    for await (const batch of read(textsOf(' ', '{"a"', ':1}', '\n'))) batches.push(batch.length);
    expect(batches).to.deep.equal([1]);
  });

  it('gives the elements of any array, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))),
        fc.constantFrom(0, 2),
        fc.array(fc.nat(300)),
        async (values, indent, places) => {
          const bytes = bytesOf(JSON.stringify(values, undefined, indent));
          const cuts = [...new Set(places)].filter((place) => place > 0 && place < bytes.length).sort((a, b) => a - b);
          const frames = await readAll((chunks) => readJson(chunks, { maxEventLength: 1e6 }), {
            chunks: cutAt(bytes, cuts),
          });
          expect(frames.map(({ data }) => JSON.parse(data) as unknown)).to.deep.equal(
            JSON.parse(JSON.stringify(values)),
          );
        },
      ),
    );
  });
});
