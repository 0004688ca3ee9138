import { expect } from '@open-wc/testing';
import { html, render } from 'lit';
import { createLocalize } from '../../src/locales/localize.ts';
import { showMore } from '../../src/primitives/show-more.ts';

describe('rule 66: showMore()', () => {
  const localize = createLocalize('en');
  const list = (count: number, fromEnd = false): HTMLElement => {
    const container = document.createElement('ol');
    const items = Array.from({ length: count }, (_, index) => index);
    const some = showMore({ items, step: 100, localize, fromEnd, draw: (item) => html`<li>${item}</li>` });
    render(some, container);
    return container;
  };
  const texts = (container: HTMLElement): readonly (string | null)[] =>
    [...container.querySelectorAll('li')].map(({ textContent }) => textContent);

  it('renders a short list completely', () => {
    const container = list(100);
    expect(container.querySelectorAll('li').length).to.equal(100);
    expect(container.querySelector('button')).to.equal(null);
  });

  it('renders the beginning of a long list, and the next part with a click', () => {
    const container = list(250);
    expect(texts(container).at(-1)).to.equal('99');
    expect(container.querySelector('button')?.textContent.trim()).to.equal('Show more (150)');
    container.querySelector('button')?.click();
    expect(texts(container).at(-1)).to.equal('199');
    container.querySelector('button')?.click();
    expect(texts(container).length).to.equal(250);
    expect(container.querySelector('button')).to.equal(null);
  });

  it('renders the end of a growing list with `fromEnd`', () => {
    const container = list(250, true);
    expect(texts(container)[0]).to.equal('150');
    expect(container.firstElementChild?.localName).to.equal('button');
    container.querySelector('button')?.click();
    expect(texts(container)[0]).to.equal('50');
  });

  it('keeps the number of shown items when the list changes', () => {
    const container = list(250);
    container.querySelector('button')?.click();
    const items = Array.from({ length: 300 }, (_, index) => index);
    render(showMore({ items, step: 100, localize, fromEnd: false, draw: (item) => html`<li>${item}</li>` }), container);
    expect(texts(container).length).to.equal(200);
  });

  it('keeps the focus in the list with the last click', () => {
    const container = list(250);
    document.body.append(container);
    const press = (): void => {
      container.querySelector('button')?.focus();
      container.querySelector('button')?.click();
    };
    press();
    expect(document.activeElement?.localName).to.equal('button');
    press();
    expect(document.activeElement?.textContent).to.equal('200');
    container.remove();
  });
});
