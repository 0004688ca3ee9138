import { expect } from '@open-wc/testing';
import { readAhead } from '../../../src/runtime/stream/read-ahead.ts';

const chunk = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
/** Resolves after everything that a read chunk leads to. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

describe('readAhead()', () => {
  it('returns what had arrived before the stream failed, and then the error', async () => {
    let source!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
    const reader = readAhead(new ReadableStream({ start: (controller) => void (source = controller) }));
    for (const text of ['one', 'two', 'three']) {
      source.enqueue(chunk(text));
      await settled();
    }
    source.error(new Error('broken'));
    await settled();
    const texts: string[] = [];
    try {
      for (;;) texts.push(new TextDecoder().decode((await reader.read()).value));
    } catch (error) {
      texts.push(String(error));
    }
    expect(texts).to.deep.equal(['one', 'two', 'three', 'Error: broken']);
  });

  it('lets the server wait while a megabyte is unread, and goes on when it is read', async () => {
    let pulled = 0;
    const reader = readAhead(
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(100_000));
        },
      }),
    );
    for (let turn = 0; turn < 50; turn++) await settled();
    expect(pulled).to.be.within(11, 13);
    for (let read = 0; read < 20; read++) await reader.read();
    for (let turn = 0; turn < 50; turn++) await settled();
    expect(pulled).to.be.within(31, 33);
  });

  it('ends with the body', async () => {
    const reader = readAhead(new Response('a').body ?? new ReadableStream());
    expect((await reader.read()).value).to.deep.equal(chunk('a'));
    expect((await reader.read()).done).to.equal(true);
    expect((await reader.read()).done).to.equal(true);
  });

  it('cancels the body with its reads', async () => {
    let cancelled = 0;
    const reader = readAhead(new ReadableStream({ cancel: () => void cancelled++ }));
    const read = reader.read();
    await reader.cancel();
    expect((await read).done).to.equal(true);
    expect(cancelled).to.equal(1);
  });
});
