import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { Frame } from '../../src/transport/frame.ts';
import { readSse } from '../../src/transport/sse.ts';
import { bytesOf, cutAt } from '../support/cuts.ts';
import { failureEveryWay, readAll, readEveryWay } from '../support/read-every-way.ts';

const read = (chunks: AsyncIterable<string>): AsyncIterable<readonly Frame[]> =>
  readSse(chunks, { maxEventLength: 1000 });
const frames = (body: string): Promise<readonly Frame[]> => readEveryWay(body, read);

async function firstData(batches: AsyncIterable<readonly Frame[]>): Promise<readonly string[]> {
  for await (const batch of batches) return batch.map(({ data }) => data);
  return [];
}

interface Row {
  readonly name: string;
  readonly body: string;
  readonly frames: readonly Frame[];
}

const cut = (data: string): Frame => ({ data, unfinished: true });

const rows: readonly Row[] = [
  { name: 'an event', body: 'data: a\n\n', frames: [{ data: 'a' }] },
  {
    name: 'an object and an end mark under one another',
    body: 'data: {"error":1}\ndata: [DONE]\n\n',
    frames: [{ data: '{"error":1}' }, { data: '[DONE]' }],
  },
  {
    name: 'a line in braces that is not JSON, above an object: one event',
    body: 'data: {a}\ndata: {"b":1}\n\n',
    frames: [{ data: '{a}\n{"b":1}' }],
  },
  { name: 'line ends LF', body: 'data: a\n\ndata: b\n\n', frames: [{ data: 'a' }, { data: 'b' }] },
  { name: 'line ends CRLF', body: 'data: a\r\n\r\ndata: b\r\n\r\n', frames: [{ data: 'a' }, { data: 'b' }] },
  { name: 'line ends CR', body: 'data: a\r\rdata: b\r\r', frames: [{ data: 'a' }, { data: 'b' }] },
  {
    name: 'line ends mixed',
    body: 'data: a\r\n\ndata: b\r\rdata: c\n\r\n',
    frames: 'abc'.split('').map((data) => ({ data })),
  },
  { name: 'a byte order mark', body: '\ufeffdata: a\n\n', frames: [{ data: 'a' }] },
  { name: 'a byte order mark further on is text', body: 'data: \ufeffa\n\n', frames: [{ data: '\ufeffa' }] },
  { name: 'comments', body: ': ping\n\n:\n:data: no\ndata: a\n: inside\n\n', frames: [{ data: 'a' }] },
  { name: 'data on several lines', body: 'data: a\ndata: b\ndata\n\n', frames: [{ data: 'a\nb\n' }] },
  { name: 'no space after the colon', body: 'data:a\n\n', frames: [{ data: 'a' }] },
  {
    name: 'a space after the colon is a word’s own once it was left out',
    body: 'data: a\n\ndata:b\n\ndata: c\ndata:  d\n\n',
    frames: [{ data: 'a' }, { data: 'b' }, { data: ' c\n  d' }],
  },
  { name: 'one space after the colon goes, more stay', body: 'data:  a \n\n', frames: [{ data: ' a ' }] },
  { name: 'a field without a colon is empty', body: 'data\n\n', frames: [{ data: '' }] },
  { name: 'an event name', body: 'event: delta\ndata: a\n\n', frames: [{ event: 'delta', data: 'a' }] },
  {
    name: 'an event name is good for one event',
    body: 'event: x\ndata: a\n\ndata: b\n\n',
    frames: [{ event: 'x', data: 'a' }, { data: 'b' }],
  },
  { name: 'an event without data is none', body: 'event: ping\n\ndata: a\n\n', frames: [{ data: 'a' }] },
  { name: 'an id', body: 'id: 7\ndata: a\n\n', frames: [{ id: '7', data: 'a' }] },
  { name: 'an id with NUL is none', body: 'id: 7\0\ndata: a\n\n', frames: [{ data: 'a' }] },
  { name: 'retry is no data', body: 'retry: 10\ndata: a\n\n', frames: [{ data: 'a' }] },
  { name: 'fields that nobody knows', body: 'foo: bar\nretry: soon\ndata: a\n\n', frames: [{ data: 'a' }] },
  { name: 'a field name with a space in front is another', body: ' data: no\ndata: a\n\n', frames: [{ data: 'a' }] },
  { name: 'a last event without its blank line', body: 'data: a\n\ndata: b\n', frames: [{ data: 'a' }, cut('b')] },
  { name: 'a last line without its end', body: 'data: a\n\ndata: b', frames: [{ data: 'a' }, cut('b')] },
  { name: 'a last line that ends with CR', body: 'data: a\r\n\r\ndata: b\r', frames: [{ data: 'a' }, cut('b')] },
  { name: 'a last line that is only a field name', body: 'data: a\n\ndata', frames: [{ data: 'a' }, cut('')] },
  { name: 'characters of two, three and four bytes', body: 'data: ä中😀\n\n', frames: [{ data: 'ä中😀' }] },
  { name: 'nothing', body: '', frames: [] },
  { name: 'blank lines alone', body: '\n\r\n\r', frames: [] },
  {
    name: 'an object line under another is an event of its own',
    body: 'data: {"a":1}\ndata: {"b":2}\ndata:{"c":3}\n',
    frames: [{ data: '{"a":1}' }, { data: '{"b":2}' }, cut('{"c":3}')],
  },
  {
    name: 'object lines with CRLF',
    body: 'data: {"a":1}\r\ndata: {"b":2}\r\n\r\n',
    frames: [{ data: '{"a":1}' }, { data: '{"b":2}' }],
  },
  {
    name: 'object lines with CR',
    body: 'data: {"a":1}\rdata: {"b":2}\r\r',
    frames: [{ data: '{"a":1}' }, { data: '{"b":2}' }],
  },
  {
    name: 'JSON over several data lines stays together',
    body: 'data: {\ndata: "a": {},\ndata: "b": [{}\ndata: ,{}]\ndata: }\n\n',
    frames: [{ data: '{\n"a": {},\n"b": [{}\n,{}]\n}' }],
  },
  {
    name: 'an object in a field "error" is an event, as Genkit sends it',
    body: 'data: a\n\nerror: {"error":{"status":"INTERNAL"}}\n\n',
    frames: [{ data: 'a' }, { event: 'error', data: '{"error":{"status":"INTERNAL"}}' }],
  },
  { name: 'words in a field "error" are none', body: 'error: oops\ndata: a\n\n', frames: [{ data: 'a' }] },
  { name: 'an object in another unknown field is none', body: 'info: {"a":1}\ndata: a\n\n', frames: [{ data: 'a' }] },
  {
    name: 'code over several data lines stays together',
    body: 'data: }\ndata: {\ndata: f()}\ndata: {\n\n',
    frames: [{ data: '}\n{\nf()}\n{' }],
  },
];

describe('readSse, cut in every way', () => {
  for (const { name, body, frames: expected } of rows) {
    it(name, async () => {
      expect(await frames(body)).to.deep.equal(expected);
    });
  }

  it('gives an event as soon as its blank line has come', async () => {
    const batches = readSse(
      (async function* () {
        yield 'data: {"a":1}\n\n';
        await new Promise(() => undefined);
      })(),
      { maxEventLength: 1000 },
    );
    expect(await firstData(batches)).to.deep.equal(['{"a":1}']);
  });

  it('gives an object line as soon as the next one has come', async () => {
    const batches = readSse(
      (async function* () {
        yield 'data: {"a":1}\n';
        yield 'data: {"b":2}\n';
        await new Promise(() => undefined);
      })(),
      { maxEventLength: 1000 },
    );
    expect(await firstData(batches)).to.deep.equal(['{"a":1}']);
  });

  const long = 'x'.repeat(1001);
  const limits: readonly { readonly name: string; readonly body: string; readonly kind: string }[] = [
    { name: 'an event of just the limit', body: `data: ${'x'.repeat(990)}\n\n`, kind: 'none' },
    { name: 'an event past the limit', body: `data: ${long}\n\n`, kind: 'limit' },
    {
      name: 'an event past the limit over several lines',
      body: `data: ${'x'.repeat(100)}\n`.repeat(11),
      kind: 'limit',
    },
    { name: 'an event of very many short lines', body: 'data: a\n'.repeat(100), kind: 'limit' },
    { name: 'an event of as many short lines as the limit allows', body: 'data: a\n'.repeat(62), kind: 'none' },
    { name: 'an event of one short line more', body: 'data: a\n'.repeat(63), kind: 'limit' },
    { name: 'very many events of short lines', body: 'data: a\ndata: b\n\n'.repeat(100), kind: 'none' },
    { name: 'a line without an end', body: `data: ${long}`, kind: 'limit' },
    {
      name: 'a last line without an end that goes past it',
      body: `data: ${'x'.repeat(600)}\ndata: ${'x'.repeat(600)}`,
      kind: 'limit',
    },
    {
      name: 'a second line without an end, of just the limit',
      body: `data: a\n\ndata: ${'x'.repeat(994)}`,
      kind: 'none',
    },
    { name: 'many events below the limit', body: `data: ${'x'.repeat(100)}\n\n`.repeat(20), kind: 'none' },
  ];
  for (const { name, body, kind } of limits) {
    it(`limit: ${name}`, async () => {
      expect(await failureEveryWay(body, read)).to.equal(kind);
    });
  }

  for (const [name, first, piece] of [
    ['a line that never ends', 'data: ', 'x'.repeat(400)],
    ['an event that never ends', '', `data: ${'x'.repeat(393)}\n`],
    ['events after one past the limit', `data: ${'x'.repeat(1200)}\n\n`, 'data: x\n\n'],
  ] as const) {
    it(`limit: ${name} is not read further`, async () => {
      let count = 0;
      const endless = async function* (): AsyncGenerator<string> {
        yield await Promise.resolve(first);
        for (; count < 100; count++) yield piece;
      };
      const kind = await (async () => {
        for await (const _frames of read(endless())) continue;
        return 'none';
      })().catch((error: unknown) => (error as { kind?: string }).kind);
      expect(kind).to.equal('limit');
      expect(count).to.be.below(5);
    });
  }

  for (const { name, texts, batches } of [
    { name: 'after complete events', texts: ['data: a', '\n\n', ': ping\n', '\n'], batches: [1] },
    { name: 'before a truncated event', texts: [': ping\n', 'data: a\n\n', 'data: b'], batches: [1, 1] },
  ]) {
    it(`gives no empty batch ${name}`, async () => {
      const lengths: number[] = [];
      const chunks = async function* (): AsyncGenerator<string> {
        yield* await Promise.resolve(texts);
      };
      for await (const batch of read(chunks())) lengths.push(batch.length);
      expect(lengths).to.deep.equal(batches);
    });
  }

  it('gives what came before the limit', async () => {
    const taken: string[] = [];
    try {
      for await (const batch of readSse(
        (async function* () {
          yield await Promise.resolve(`data: a\n\ndata: ${long}`);
        })(),
        { maxEventLength: 1000 },
      ))
        taken.push(...batch.map(({ data }) => data));
    } catch {
      taken.push('limit');
    }
    expect(taken).to.deep.equal(['a', 'limit']);
  });
});

describe('rule 14: readSse, any stream cut anywhere', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      'data',
      'data:',
      ':',
      'event: e',
      'id: 1',
      'data: {"a":1}',
      'data:{"b":[{}]}',
      'data: }',
      'data: {',
    ),
    fc.string({ unit: 'grapheme' }).map((words) => `data: ${words.replace(/[\r\n]/g, '')}`),
  );
  const body = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')))
    .map((lines) => lines.map(([words, end]) => words + end).join(''));

  it('gives the same frames', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.array(fc.nat(400)), async (source, places) => {
        const bytes = bytesOf(source);
        const cuts = [...new Set(places)].filter((place) => place > 0 && place < bytes.length).sort((a, b) => a - b);
        const whole = await readAll(read, { chunks: [bytes] });
        expect(await readAll(read, { chunks: cutAt(bytes, cuts) })).to.deep.equal(whole);
      }),
    );
  });
});
