import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { Frame } from '../../src/transport/frame.ts';
import { readLines } from '../../src/transport/ndjson.ts';
import { bytesOf, cutAt } from '../support/cuts.ts';
import { failureEveryWay, readAll, readEveryWay } from '../support/read-every-way.ts';

const read = (chunks: AsyncIterable<string>): AsyncIterable<readonly Frame[]> =>
  readLines(chunks, { maxEventLength: 1000 });

const rows: readonly { readonly name: string; readonly body: string; readonly lines: readonly Frame[] }[] = [
  { name: 'a line', body: '{"a":1}\n', lines: [{ data: '{"a":1}' }] },
  { name: 'lines with LF', body: '{"a":1}\n{"b":2}\n', lines: [{ data: '{"a":1}' }, { data: '{"b":2}' }] },
  { name: 'lines with CRLF', body: '{"a":1}\r\n{"b":2}\r\n', lines: [{ data: '{"a":1}' }, { data: '{"b":2}' }] },
  {
    name: 'a last line without its end',
    body: '{"a":1}\n{"b":2}',
    lines: [{ data: '{"a":1}' }, { data: '{"b":2}', unfinished: true }],
  },
  {
    name: 'blank lines between',
    body: '\n\n{"a":1}\n\r\n  \n{"b":2}\n\n',
    lines: [{ data: '{"a":1}' }, { data: '{"b":2}' }],
  },
  { name: 'white space around', body: '  {"a":1}\t\n', lines: [{ data: '{"a":1}' }] },
  { name: 'data: in front', body: 'data: {"a":1}\ndata:{"b":2}\n', lines: [{ data: '{"a":1}' }, { data: '{"b":2}' }] },
  {
    name: 'a prefix that is not ours stays',
    body: '0:"a b "\nd:{"x":1}\n',
    lines: [{ data: '0:"a b "' }, { data: 'd:{"x":1}' }],
  },
  { name: 'characters of several bytes', body: '{"a":"ä中😀"}\n', lines: [{ data: '{"a":"ä中😀"}' }] },
  { name: 'a byte order mark', body: '\ufeff{"a":1}\n', lines: [{ data: '{"a":1}' }] },
  { name: 'nothing', body: '', lines: [] },
  { name: 'a line that is no JSON', body: 'oops\n{"a":1}\n', lines: [{ data: 'oops' }, { data: '{"a":1}' }] },
];

describe('readLines, cut in every way', () => {
  for (const { name, body, lines } of rows) {
    it(name, async () => {
      expect(await readEveryWay(body, read)).to.deep.equal(lines);
    });
  }

  const limits: readonly { readonly name: string; readonly body: string; readonly kind: string }[] = [
    { name: 'a line of the limit', body: `${'x'.repeat(1000)}\n`, kind: 'none' },
    { name: 'a line past the limit', body: `${'x'.repeat(1001)}\n`, kind: 'limit' },
    { name: 'a last line past the limit', body: `{}\n${'x'.repeat(1001)}`, kind: 'limit' },
    { name: 'many lines below it', body: `${'x'.repeat(500)}\n`.repeat(10), kind: 'none' },
  ];
  for (const { name, body, kind } of limits) {
    it(`limit: ${name}`, async () => {
      expect(await failureEveryWay(body, read)).to.equal(kind);
    });
  }

  it('gives no empty batch', async () => {
    const batches: number[] = [];
    const texts = async function* (): AsyncGenerator<string> {
      yield* await Promise.resolve(['\n', '{"a"', ':1}\n', ' \n\n']);
    };
    for await (const batch of read(texts())) batches.push(batch.length);
    expect(batches).to.deep.equal([1]);
  });

  it('gives the same lines, any stream cut anywhere', async () => {
    const body = fc
      .array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', '')))
      .map((lines) => lines.flat().join(''));
    await fc.assert(
      fc.asyncProperty(body, fc.array(fc.nat(200)), async (source, places) => {
        const bytes = bytesOf(source);
        const cuts = [...new Set(places)].filter((place) => place > 0 && place < bytes.length).sort((a, b) => a - b);
        expect(await readAll(read, { chunks: cutAt(bytes, cuts) })).to.deep.equal(
          await readAll(read, { chunks: [bytes] }),
        );
      }),
    );
  });
});
