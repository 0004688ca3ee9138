import { expect } from '@open-wc/testing';
import { readStart } from '../../src/runtime/read-start.ts';
import { watchedBody } from './support/scripted-server.ts';

const LONG = 60_000;

describe('readStart()', () => {
  it('gives a short body whole', async () => {
    const body = watchedBody(['Not ', 'here.'], 'close');
    expect(await readStart(body.response(), 100, LONG)).to.deep.equal({ text: 'Not here.', whole: true });
  });

  it('gives the start of a long one, and lets go of it', async () => {
    const body = watchedBody(['Not ', 'here.', 'Nor there.']);
    expect(await readStart(body.response(), 6, LONG)).to.deep.equal({ text: 'Not he', whole: false });
    expect(body.cancelled).to.equal(true);
  });

  it('gives what came of one that never ends', async () => {
    const body = watchedBody(['Not ']);
    expect(await readStart(body.response(), 100, 1)).to.deep.equal({ text: 'Not ', whole: false });
    expect(body.cancelled).to.equal(true);
  });

  it('reads the whole where there is no stream', async () => {
    const without = { body: null, text: () => Promise.resolve('Not here.') } as Response;
    expect(await readStart(without, 3, LONG)).to.deep.equal({ text: 'Not', whole: true });
  });
});
