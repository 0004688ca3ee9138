import { expect } from '@open-wc/testing';
import type { Framing } from '../../src/transport/frame.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { chunksOf, cutsOf, type Cut } from '../support/cuts.ts';

const open = ({ chunks }: Cut, framing?: Framing) =>
  openFrames(decodeUtf8(chunksOf(chunks), { maxStreamBytes: 1e8 }), { framing });

async function framingEveryWay(body: string): Promise<string> {
  const framings = new Set<string>();
  for (const cut of cutsOf(body)) framings.add((await open(cut)).framing);
  return [...framings].join(' or ');
}

async function wordsEveryWay(body: string): Promise<string> {
  const words = new Set<string>();
  for (const cut of cutsOf(body)) {
    let all = '';
    for await (const batch of (await open(cut)).batches) all += batch.map(({ data }) => data).join('');
    words.add(all);
  }
  return [...words].join(' or ');
}

const rows: readonly { readonly name: string; readonly body: string; readonly framing: Framing }[] = [
  { name: 'data:', body: 'data: {"a":1}\n\n', framing: 'sse' },
  { name: 'data: without a space', body: 'data:{"a":1}\n\n', framing: 'sse' },
  { name: 'event:', body: 'event: a\ndata: 1\n\n', framing: 'sse' },
  { name: 'id:', body: 'id: 1\ndata: 1\n\n', framing: 'sse' },
  { name: 'retry:', body: 'retry: 10\n\n', framing: 'sse' },
  { name: 'a comment', body: ': OPENROUTER PROCESSING\n\n', framing: 'sse' },
  { name: 'an empty comment', body: ':\n\ndata: 1\n\n', framing: 'sse' },
  { name: 'comments and data:', body: ': a\r: b\r\n\r\ndata: 1\n\n', framing: 'sse' },
  { name: 'a comment and an object a line', body: ': ping\n\n{"a":1}\n{"b":2}\n', framing: 'lines' },
  { name: 'a field without a colon', body: 'data\n\n', framing: 'sse' },
  { name: 'a line message:', body: 'message:\ndata:{"event":"start"}\n\n', framing: 'sse' },
  { name: 'a byte order mark and data:', body: '\ufeffdata: 1\n\n', framing: 'sse' },
  { name: 'blank lines and data:', body: '\n\r\n data: 1\n\n', framing: 'sse' },
  { name: 'an object a line', body: '{"a":1}\n{"b":2}\n', framing: 'lines' },
  { name: 'an object a line with CRLF', body: '{"a":1}\r\n{"b":2}\r\n', framing: 'lines' },
  { name: 'objects with blank lines between', body: '{"a":1}\n\n{"b":2}\n\n', framing: 'lines' },
  { name: 'a broken line before objects', body: '{"a":1,"b\n{"c":2}\n{"d":3}\n', framing: 'lines' },
  { name: 'a field error: with an object', body: 'error: {"error":{"message":"x"}}\n\n', framing: 'sse' },
  { name: 'one object', body: '{"a":1}', framing: 'lines' },
  { name: 'an object that was cut', body: '{"a":', framing: 'lines' },
  { name: 'a pretty-printed object', body: '{\n  "a": 1\n}\n', framing: 'json' },
  { name: 'an object over lines, one of which is JSON', body: '{"a":\n1\n}\n', framing: 'json' },
  { name: 'an object over lines, with an object in it', body: '{"a":\n{\n"b": 1\n}\n}\n', framing: 'json' },
  { name: 'a broken line before an object without a line end', body: '{"a":1,"b\n{"c":2}', framing: 'lines' },
  { name: 'a line broken after a colon before objects', body: '{"a":\n{"b":2}\n{"c":3}\n', framing: 'lines' },
  { name: 'a line broken after a comma before an object', body: '{"a":1,\n{"b":2}', framing: 'lines' },
  { name: 'a line broken after a bracket before objects', body: '{"a":[\n{"b":2}\n', framing: 'lines' },
  { name: 'an object over lines that was cut in its first member', body: '{"a":\n{"b":', framing: 'json' },
  { name: 'an array', body: '[{"a":1},{"b":2}]', framing: 'json' },
  { name: 'an array over lines', body: '[\n {"a":1}\n]', framing: 'json' },
  { name: 'an array of strings', body: '["a"]', framing: 'json' },
  { name: 'an empty array', body: '[]', framing: 'json' },
  { name: 'an empty object', body: '{}', framing: 'lines' },
  { name: 'a data stream line', body: '0:"Hello"\n', framing: 'lines' },
  { name: 'a data stream object', body: 'd:{"finishReason":"stop"}\n', framing: 'lines' },
  { name: 'a data stream array', body: '8: [1]\n', framing: 'lines' },
  { name: 'an assistant-ui line', body: 'aui-state:[{"a":1}]\n', framing: 'lines' },
  { name: 'a page', body: '<!DOCTYPE html><html></html>', framing: 'html' },
  { name: 'a page in small letters', body: '<!doctype html>', framing: 'html' },
  { name: 'a page without a doctype', body: '<html lang="en"><body>', framing: 'html' },
  { name: 'a page behind blank lines', body: '\n  <HTML>', framing: 'html' },
  { name: 'a page with a head alone', body: '<head><title>x</title>', framing: 'html' },
  { name: 'a page behind a comment', body: '<!-- login --><html>', framing: 'html' },
  { name: 'a page that is a script', body: '<script>location = "/login"</script>', framing: 'html' },
  { name: 'an XML document', body: '<?xml version="1.0"?><html/>', framing: 'html' },
  { name: 'words', body: 'Hello there', framing: 'text' },
  { name: 'one letter', body: 'a', framing: 'text' },
  { name: 'a word that begins like a field', body: 'database\n', framing: 'text' },
  { name: 'another', body: 'identity: yes', framing: 'text' },
  { name: 'and another', body: 'eventually', framing: 'text' },
  { name: 'and a message', body: 'message received', framing: 'text' },
  { name: 'a letter and a colon', body: 'a: first', framing: 'text' },
  { name: 'a think tag', body: '<think>Hm</think>Yes', framing: 'text' },
  { name: 'a tag of the answer', body: '<b>Yes</b>', framing: 'text' },
  { name: 'a tag alone', body: '<', framing: 'text' },
  { name: 'a link in brackets', body: '[Docs](https://docs.example/) say', framing: 'text' },
  { name: 'a mark in brackets', body: '[1] says', framing: 'text' },
  { name: 'a task', body: '[ ] buy milk', framing: 'text' },
  { name: 'a page name in brackets', body: '[[Home]] says', framing: 'text' },
  { name: 'a template in braces', body: '{{name}} says', framing: 'text' },
  { name: 'a broken first line', body: '{\'a\': 1}\n{"b":2}\n', framing: 'lines' },
  { name: 'a formula in braces', body: '{\\displaystyle x}', framing: 'text' },
  { name: 'a number', body: '42', framing: 'text' },
  { name: 'a string', body: '"Hello"', framing: 'text' },
  { name: 'nothing', body: '', framing: 'text' },
  { name: 'white space', body: ' \n ', framing: 'text' },
];

describe('openFrames tells the framing by the first bytes', () => {
  for (const { name, body, framing } of rows) {
    it(`${name}: ${framing}`, async () => {
      expect(await framingEveryWay(body)).to.equal(framing);
    });
  }

  const words: readonly { readonly name: string; readonly body: string; readonly words: string }[] = [
    { name: 'text stays as it came', body: '  Hello\n\n world \n', words: '  Hello\n\n world \n' },
    { name: 'text with bad bytes', body: 'a', words: 'a' },
    { name: 'a body of white space has no words', body: ' \n\n', words: '' },
    { name: 'events keep what was read to tell the framing', body: '\n\ndata: a\n\ndata: b\n\n', words: 'ab' },
    { name: 'lines keep it too', body: '\n{"a":1}\n', words: '{"a":1}' },
  ];
  for (const { name, body, words: expected } of words) {
    it(name, async () => {
      expect(await wordsEveryWay(body)).to.equal(expected);
    });
  }

  for (const { length, framing } of [
    { length: 64 * 1024, framing: 'json' },
    { length: 64 * 1024 + 1, framing: 'lines' },
  ]) {
    it(`waits for the second line of an object after ${String(length)} characters: ${framing}`, async () => {
      const chunks = chunksOf(['{"a":1,'.padEnd(length), '\n"b":2\n}']);
      expect((await openFrames(chunks)).framing).to.equal(framing);
    });
  }

  it('decides on a first line that is very long', async () => {
    const [cut] = cutsOf(`{"a":"${'x'.repeat(100_000)}`);
    expect((await open(cut!)).framing).to.equal('lines');
  });

  it('believes the framing that an adapter names', async () => {
    const [cut] = cutsOf('{"a":1}\n{"b":2}');
    const { framing, batches } = await open(cut!, 'json');
    const frames: string[] = [];
    for await (const batch of batches) frames.push(...batch.map(({ data }) => data));
    expect([framing, ...frames]).to.deep.equal(['json', '{"a":1}', '{"b":2}']);
  });

  for (const { body, named } of [
    { body: '<b>Yes</b>\n', named: 'lines' },
    { body: ' \n', named: 'sse' },
  ] as const) {
    it(`believes it for ${JSON.stringify(body)} too`, async () => {
      for (const cut of cutsOf(body)) expect((await open(cut, named)).framing).to.equal(named);
    });
  }

  const beginnings: readonly { readonly beginning: string; readonly framing: Framing }[] = [
    { beginning: 'Hello', framing: 'text' },
    { beginning: '<div>more', framing: 'text' },
    { beginning: 'data:', framing: 'sse' },
    { beginning: ': ping\n'.repeat(700), framing: 'sse' },
    { beginning: '{"a":1}\n', framing: 'lines' },
    { beginning: '{\n "a": 1,', framing: 'json' },
    { beginning: '{"a":1,"b\n{"c":2}\n', framing: 'lines' },
    { beginning: '[{', framing: 'json' },
    { beginning: `{"a":"${'x'.repeat(64 * 1024)}`, framing: 'lines' },
  ];
  for (const { beginning, framing } of beginnings) {
    it(`needs no more than ${JSON.stringify(beginning.slice(0, 30))} of a body: ${framing}`, async () => {
      const waits = async function* (): AsyncGenerator<string> {
        yield beginning;
        await new Promise(() => undefined);
      };
      expect((await openFrames(waits())).framing).to.equal(framing);
    });
  }

  it('sees a page all the same', async () => {
    for (const cut of cutsOf('\n<!DOCTYPE html><html></html>')) {
      expect((await open(cut, 'lines')).framing).to.equal('html');
    }
  });

  it('ends the body when its reader ends', async () => {
    let ended = false;
    const { batches } = await openFrames(
      (async function* () {
        try {
          yield await Promise.resolve('data: a\n\n');
          yield 'data: b\n\n';
        } finally {
          ended = true;
        }
      })(),
    );
    for await (const batch of batches) {
      expect(batch[0]?.data).to.equal('a');
      break;
    }
    expect(ended).to.equal(true);
  });
});
