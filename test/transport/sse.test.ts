import { expect } from '@open-wc/testing';
import type { Frame } from '../../src/transport/frame.ts';
import { readSse } from '../../src/transport/sse.ts';
import { readText } from '../../src/transport/text.ts';

const rows: readonly { readonly name: string; readonly body: string; readonly frames: readonly Partial<Frame>[] }[] = [
  { name: 'one event', body: 'data: a\n\n', frames: [{ data: 'a' }] },
];

async function read(body: string): Promise<Frame[]> {
  const bytes = new TextEncoder().encode(body);
  const chunks = (async function* () {
    for (const byte of bytes) yield await Promise.resolve(Uint8Array.of(byte));
  })();
  const frames: Frame[] = [];
  for await (const batch of readSse(readText(chunks, { maxStreamBytes: 1e6 }), { maxEventLength: 1e6 }))
    frames.push(...batch);
  return frames;
}

describe('readSse', () => {
  for (const { name, body, frames } of rows) {
    it(name, async () => {
      expect((await read(body)).map(({ data }) => ({ data }))).to.deep.equal(frames);
    });
  }
});
