import { expect } from '@open-wc/testing';
import { loadPersistently } from '../../../src/renderers/core/load-persistently.ts';

/** A part that fails to load a number of times. */
function failing(times: number) {
  let calls = 0;
  const load = (): Promise<number> => {
    calls++;
    return calls <= times ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(calls);
  };
  return { load, calls: () => calls };
}

/** The browser reports that the network is back, until something has loaded or failed for good. */
async function withNetwork<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  const state = { over: false };
  const end = (): void => {
    state.over = true;
  };
  loading.then(end, end);
  for (let turn = 0; turn < 50 && !state.over; turn++) {
    dispatchEvent(new Event('online'));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return loading;
}

describe('a part that loads persistently', () => {
  it('loads when the network is back', async () => {
    const { load } = failing(2);
    expect(await withNetwork(loadPersistently(load))).to.equal(3);
  });

  it('is requested once for all that wait for it', async () => {
    const { load, calls } = failing(1);
    await withNetwork(Promise.all([loadPersistently(load), loadPersistently(load)]));
    expect(calls()).to.equal(2);
  });

  it('is not requested forever, but again on the next call', async () => {
    const { load, calls } = failing(4);
    const outcome = await withNetwork(loadPersistently(load)).catch((error: unknown) => String(error));
    expect(outcome).to.contain('Failed to fetch');
    expect(calls()).to.equal(4);
    expect(await loadPersistently(load)).to.equal(5);
  });
});
