import { expect } from '@open-wc/testing';
import { html, render } from 'lit';
import { streamingText } from '../../src/primitives/patch-text.ts';

describe('streamingText()', () => {
  let container: HTMLElement;
  const write = (text: string): Text => {
    render(html`<p>${streamingText(text)}</p>`, container);
    const node = [...(container.querySelector('p')?.childNodes ?? [])].find(
      (child) => child instanceof Text && child.data === text,
    );
    if (!(node instanceof Text)) throw new Error(`"${text}" is not there.`);
    return node;
  };
  beforeEach(() => {
    container = document.createElement('div');
    document.body.append(container);
  });
  afterEach(() => {
    container.remove();
  });

  it('appends in the same node, and keeps a selection in it', () => {
    const node = write('Hello');
    getSelection()?.setBaseAndExtent(node, 1, node, 4);
    expect(write('Hello there')).to.equal(node);
    const selection = getSelection();
    expect(String(selection)).to.equal('ell');
    expect([selection?.anchorNode, selection?.anchorOffset, selection?.focusOffset]).to.deep.equal([node, 1, 4]);
  });

  it('replaces other text in the same node', () => {
    const node = write('Hello');
    expect(write('Bye')).to.equal(node);
    expect(container.textContent.trim()).to.equal('Bye');
  });

  it('keeps a selection before the changed text', () => {
    const node = write('Hello there');
    getSelection()?.setBaseAndExtent(node, 1, node, 4);
    expect(write('Hello, you')).to.equal(node);
    expect(String(getSelection())).to.equal('ell');
    write('Hell');
    expect(String(getSelection())).to.equal('ell');
  });

  it('does not touch the node when the text is the same', async () => {
    write('Hello');
    const changes: MutationRecord[] = [];
    const watch = new MutationObserver((records) => changes.push(...records));
    watch.observe(container, { subtree: true, childList: true, characterData: true });
    write('Hello');
    await Promise.resolve();
    watch.disconnect();
    expect(changes.length).to.equal(0);
  });

  it('renders markup as text', () => {
    write('<b>bold</b>');
    expect(container.querySelector('b')).to.equal(null);
  });
});
