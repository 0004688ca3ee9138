import { expect } from '@open-wc/testing';
import { frameLimits } from '../../src/transport/frame.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { chunksOf, cutsOf } from '../support/cuts.ts';

async function read(chunks: readonly Uint8Array[], maxStreamBytes = 1000): Promise<string> {
  let words = '';
  for await (const piece of decodeUtf8(chunksOf(chunks), { maxStreamBytes })) words += piece;
  return words;
}

/** What came before the error, and the error. */
async function readToError(chunks: readonly Uint8Array[]): Promise<{ words: string; error?: unknown }> {
  let words = '';
  try {
    for await (const piece of decodeUtf8(chunksOf(chunks), { maxStreamBytes: 1000 })) words += piece;
  } catch (error) {
    return { words, error };
  }
  return { words };
}

const rows: readonly { readonly name: string; readonly bytes: readonly number[]; readonly text: string }[] = [
  { name: 'ASCII', bytes: [0x61, 0x62], text: 'ab' },
  { name: 'two, three and four bytes', bytes: [0xc3, 0xa4, 0xe4, 0xb8, 0xad, 0xf0, 0x9f, 0x98, 0x80], text: 'ä中😀' },
  { name: 'a byte order mark in front', bytes: [0xef, 0xbb, 0xbf, 0x61], text: 'a' },
  { name: 'a second byte order mark is text', bytes: [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x61], text: '\ufeffa' },
  { name: 'a byte that is no UTF-8', bytes: [0x61, 0xff, 0x62], text: 'a\ufffdb' },
  { name: 'Latin-1', bytes: [0x66, 0xfc, 0x72], text: 'f\ufffdr' },
  { name: 'half a character at the end', bytes: [0x61, 0xe4, 0xb8], text: 'a\ufffd' },
  { name: 'half a character in the middle', bytes: [0xe4, 0xb8, 0x61], text: '\ufffda' },
  { name: 'an overlong form', bytes: [0xc0, 0xaf], text: '\ufffd\ufffd' },
  { name: 'half a surrogate', bytes: [0xed, 0xa0, 0x80], text: '\ufffd\ufffd\ufffd' },
  { name: 'NUL', bytes: [0x61, 0x00, 0x62], text: 'a\0b' },
  { name: 'nothing', bytes: [], text: '' },
];

describe('readText, cut in every way', () => {
  for (const { name, bytes, text } of rows) {
    it(name, async () => {
      for (const cut of cutsOf(Uint8Array.from(bytes))) expect(await read(cut.chunks), cut.name).to.equal(text);
    });
  }

  it('stops at the limit of the body, and hands on what came before', async () => {
    for (const cut of cutsOf('x'.repeat(1001))) {
      const { words, error } = await readToError(cut.chunks);
      expect(error, cut.name).to.include({
        kind: 'limit',
        reason: 'stream-too-long',
        message: 'The stream is longer than 1000 bytes, see "limits".',
      });
      expect(words, cut.name).to.equal('x'.repeat(1000));
    }
  });

  it('gives no empty text', async () => {
    const lengths: number[] = [];
    const reads = [new Uint8Array(5).fill(0x61), Uint8Array.of(0xe4), Uint8Array.of(0xb8, 0xad)];
    for await (const piece of decodeUtf8(chunksOf(reads), { maxStreamBytes: 1e6 })) lengths.push(piece.length);
    expect(lengths).to.deep.equal([5, 1]);
  });

  it('has limits of 16 MiB for an event and 64 MiB for a body', () => {
    expect(frameLimits).to.deep.equal({ maxEventLength: 16_777_216, maxStreamBytes: 67_108_864 });
  });

  it('takes a body of just the limit', async () => {
    expect(await read([new Uint8Array(1000).fill(0x61)])).to.have.length(1000);
  });
});
