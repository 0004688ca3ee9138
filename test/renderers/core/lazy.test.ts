import { aTimeout, expect, fixture, waitUntil } from '@open-wc/testing';
import { html, nothing, render } from 'lit';
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

  for (const [name, meanwhile] of Object.entries({
    nothing,
    'a text': 'Meanwhile',
    'a template': html`<i>Meanwhile</i>`,
  }))
    it(`that was removed while its code loaded throws nothing; meanwhile it showed ${name}`, async () => {
      const reasons: unknown[] = [];
      const note = (event: PromiseRejectionEvent): void => {
        event.preventDefault();
        reasons.push(event.reason);
      };
      addEventListener('unhandledrejection', note);
      const code = Promise.withResolvers<(props: string) => unknown>();
      const load = (): typeof code.promise => code.promise;
      const box = await fixture<HTMLElement>(html`<div></div>`);
      const view = (isShown: boolean): unknown =>
        html`<p>${isShown ? html`${lazy(load, 'Late', meanwhile)}` : nothing}</p>`;
      render(view(true), box);
      render(view(false), box);
      let isRendered = false;
      code.resolve((props) => {
        isRendered = true;
        return html`<b>${props}</b>`;
      });
      await aTimeout(0);
      await aTimeout(0);
      removeEventListener('unhandledrejection', note);
      expect(reasons).to.deep.equal([]);
      expect(isRendered).to.equal(false);
    });

  it('appears when it comes back, if its code was loaded while it was away', async () => {
    const code = Promise.withResolvers<(props: string) => unknown>();
    const load = (): typeof code.promise => code.promise;
    const box = await fixture<HTMLElement>(html`<div></div>`);
    const part = render(html`<p>${lazy(load, 'Late', 'Meanwhile')}</p>`, box);
    part.setConnected(false);
    code.resolve((props) => html`<b>${props}</b>`);
    await aTimeout(0);
    expect(box.textContent).to.equal('Meanwhile');
    part.setConnected(true);
    expect(box.textContent).to.equal('Late');
  });
});
