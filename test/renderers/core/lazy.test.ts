import { expect, fixture, waitUntil } from '@open-wc/testing';
import { html } from 'lit';
import { lazy } from '../../../src/renderers/core/lazy.ts';

describe('a lazy part of an answer', () => {
  it('appears when the network is back, without another rendering', async () => {
    let isBroken = true;
    const load = (): Promise<(props: string) => unknown> =>
      isBroken ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve((props) => html`<b>${props}</b>`);
    const box = await fixture(html`<p>${lazy(load, 'Allow?', 'Meanwhile')}</p>`);
    expect(box.textContent).to.contain('Meanwhile');
    isBroken = false;
    await waitUntil(() => {
      dispatchEvent(new Event('online'));
      return box.querySelector('b');
    });
    expect(box.textContent).to.equal('Allow?');
  });
});
