import { expect } from '@open-wc/testing';
import { html, nothing } from 'lit';
import { LightElement } from '../../src/primitives/light-dom-element.ts';

let calls = 0;

/** An element with one of its kind inside, and so on. */
class Chain extends LightElement {
  static override properties = { left: { attribute: false } };
  declare left: number;

  override renderNow(): void {
    calls++;
    super.renderNow();
  }

  protected override render(): unknown {
    return this.left > 0 ? html`<test-chain .left=${this.left - 1}></test-chain>` : nothing;
  }
}
customElements.define('test-chain', Chain);

describe('renderNow()', () => {
  it('rule 95: renders elements in elements, each once', () => {
    const chain = new Chain();
    chain.left = 12;
    document.body.append(chain);
    chain.renderNow();
    // Now all of them are in the document.
    chain.renderNow();
    expect(chain.querySelectorAll('test-chain')).to.have.length(12);
    expect(calls).to.be.below(50);
    chain.remove();
  });
});
