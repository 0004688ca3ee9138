import { expect } from '@open-wc/testing';
import { html, render } from 'lit';
import { growingText } from '../../src/primitives/growing-text.ts';

describe('growing text', () => {
  let place: HTMLElement;
  const write = (text: string): Text => {
    render(html`<p>${growingText(text)}</p>`, place);
    const node = [...(place.querySelector('p')?.childNodes ?? [])].find(
      (child) => child instanceof Text && child.data === text,
    );
    if (!(node instanceof Text)) throw new Error(`"${text}" is not there.`);
    return node;
  };
  beforeEach(() => {
    place = document.createElement('div');
    document.body.append(place);
  });
  afterEach(() => {
    place.remove();
  });

  it('grows in one node, and a selection in it stays', () => {
    const node = write('Hello');
    getSelection()?.setBaseAndExtent(node, 1, node, 4);
    expect(write('Hello there')).to.equal(node);
    const selection = getSelection();
    expect(String(selection)).to.equal('ell');
    expect([selection?.anchorNode, selection?.anchorOffset, selection?.focusOffset]).to.deep.equal([node, 1, 4]);
  });

  it('other words take the place in the same node', () => {
    const node = write('Hello');
    expect(write('Bye')).to.equal(node);
    expect(place.textContent.trim()).to.equal('Bye');
  });

  it('other words behind a selection leave it', () => {
    const node = write('Hello there');
    getSelection()?.setBaseAndExtent(node, 1, node, 4);
    expect(write('Hello, you')).to.equal(node);
    expect(String(getSelection())).to.equal('ell');
    write('Hell');
    expect(String(getSelection())).to.equal('ell');
  });

  it('the same words touch nothing', async () => {
    write('Hello');
    const changes: MutationRecord[] = [];
    const watch = new MutationObserver((records) => changes.push(...records));
    watch.observe(place, { subtree: true, childList: true, characterData: true });
    write('Hello');
    await Promise.resolve();
    watch.disconnect();
    expect(changes.length).to.equal(0);
  });

  it('what looks like markup is text', () => {
    write('<b>bold</b>');
    expect(place.querySelector('b')).to.equal(null);
  });
});
