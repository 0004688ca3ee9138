import { expect } from '@open-wc/testing';
import { readBodyPrefix } from '../../../src/runtime/request/read-body-prefix.ts';
import { watchedBody } from '../support/scripted-server.ts';

const LONG = 60_000;

describe('readBodyPrefix()', () => {
  it('reads a short body completely', async () => {
    const body = watchedBody(['Not ', 'here.'], 'close');
    expect(await readBodyPrefix(body.response(), 100, LONG)).to.deep.equal({ text: 'Not here.', whole: true });
  });

  it('reads the start of a long one, and releases it', async () => {
    const body = watchedBody(['Not ', 'here.', 'Nor there.']);
    expect(await readBodyPrefix(body.response(), 6, LONG)).to.deep.equal({ text: 'Not he', whole: false });
    expect(body.cancelled).to.equal(true);
  });

  it('reads a body of just the limit completely', async () => {
    const body = watchedBody(['Not ', 'here.'], 'close');
    expect(await readBodyPrefix(body.response(), 9, LONG)).to.deep.equal({ text: 'Not here.', whole: true });
  });

  it('cuts a body in one read, without a broken character', async () => {
    const body = watchedBody(['Nöt here.']);
    expect(await readBodyPrefix(body.response(), 2, LONG)).to.deep.equal({ text: 'N', whole: false });
    expect(body.cancelled).to.equal(true);
  });

  for (const milliseconds of [2 ** 31, Infinity])
    it(`reads a body that ends later completely, with a limit of ${String(milliseconds)} ms`, async () => {
      const late = new ReadableStream<Uint8Array>({
        async start(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          controller.enqueue(new TextEncoder().encode('Here.'));
          controller.close();
        },
      });
      expect(await readBodyPrefix(new Response(late), 100, milliseconds)).to.deep.equal({ text: 'Here.', whole: true });
    });

  it('returns the start of a body that never ends', async () => {
    const body = watchedBody(['Not ']);
    expect(await readBodyPrefix(body.response(), 100, 1)).to.deep.equal({ text: 'Not ', whole: false });
    expect(body.cancelled).to.equal(true);
  });

  for (const [bytes, text, whole] of [
    [9, 'Not here.', true],
    [3, 'Not', false],
  ] as const) {
    it(`reads a body without a stream, ${whole ? 'complete' : 'and reports that it is cut'}`, async () => {
      const without = { body: null, text: () => Promise.resolve('Not here.') } as Response;
      expect(await readBodyPrefix(without, bytes, LONG)).to.deep.equal({ text, whole });
    });
  }
});
