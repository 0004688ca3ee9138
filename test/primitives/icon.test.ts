import { expect } from '@open-wc/testing';
import { render } from 'lit';
import type { IconName } from '../../src/primitives/icon.ts';
import { lazyIcon } from '../../src/primitives/lazy-icons.ts';

const draw = (name: IconName, style?: 'large' | 'small'): SVGElement => {
  const container = document.createElement('div');
  render(lazyIcon(name, style), container);
  const svg = container.querySelector('svg');
  if (!svg) throw new Error('There is no picture.');
  return svg;
};

describe('icon()', () => {
  it('is decorative: it has no name, no role and takes no focus', () => {
    const svg = draw('copy');
    expect(svg.getAttribute('aria-hidden')).to.equal('true');
    expect(svg.querySelector('title, desc')).to.equal(null);
    expect(svg.tabIndex).to.equal(-1);
    expect(svg.childElementCount).to.be.greaterThan(0);
  });

  it('mirrors directional icons in right-to-left text, and no others', () => {
    expect(draw('chevron-right').classList.contains('mirrored')).to.equal(true);
    expect(draw('check').classList.contains('mirrored')).to.equal(false);
  });

  it('spins only the running icon', () => {
    expect(draw('running', 'small').classList.contains('spinning')).to.equal(true);
    expect(draw('done').classList.contains('spinning')).to.equal(false);
  });
});
