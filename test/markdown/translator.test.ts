import { expect } from '@open-wc/testing';
import { html, render } from 'lit';
import type { AgentChatCode } from '../../src/primitives/code/code-block.ts';
import { appendLines } from '../../src/primitives/code/append-lines.ts';
import { streamingText } from '../../src/primitives/patch-text.ts';
import { show } from './support/show.ts';

/** What browser translators and extensions do to a text node, by a description that completes "a translator that …". */
const TRANSLATORS: Readonly<Record<string, (text: Text) => void>> = {
  'wraps text nodes': (text) => {
    const font = document.createElement('span');
    text.replaceWith(font);
    font.append(text);
  },
  'replaces text nodes': (text) => {
    const font = document.createElement('span');
    font.append(document.createElement('span'));
    font.firstElementChild?.append(text.data.toUpperCase());
    text.replaceWith(font);
  },
  'splits text nodes': (text) => {
    if (text.length > 2) text.splitText(2);
  },
  'changes the data of text nodes': (text) => {
    text.data = text.data.toUpperCase();
  },
};

/** Translates all text except code. */
function translate(root: Node, change: (text: Text) => void): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts)
    if (text.data.trim() !== '' && !text.parentElement?.closest('[translate="no"]')) change(text);
}

const ANSWER =
  'Open **your order** in `orders.ts` and press _Return_.\n\n- First **the box**\n- Then the [label](https://example.com)\n\n| City | Rain |\n|---|---|\n| Oslo | 9 mm |\n\nThat is all.';
const CHUNK_LENGTH = 7;

for (const [description, change] of Object.entries(TRANSLATORS)) {
  describe(`a translator that ${description} while an answer streams`, () => {
    it('loses no text of the answer', () => {
      const { place, update } = show('', true);
      for (let end = CHUNK_LENGTH; end < ANSWER.length; end += CHUNK_LENGTH) {
        update(ANSWER.slice(0, end), true);
        translate(place, change);
      }
      update(ANSWER);
      const shownText = place.textContent.replace(/\s+/g, ' ').toLowerCase();
      const parts = [
        'open your order in orders.ts and press return.',
        'first the box',
        'then the label',
        'oslo',
        'that is all.',
      ];
      for (const part of parts) expect(shownText.split(part).length, part).to.equal(2);
    });

    it('keeps streaming text in a template complete', () => {
      // Code should not be translated, but some translators do it.
      const movesNodes = description.startsWith('wraps') || description.startsWith('replaces');
      for (const renderText of movesNodes ? [streamingText, appendLines] : [streamingText]) {
        const place = document.createElement('div');
        const write = (text: string): void => {
          render(html`<p>${renderText(text)}</p>`, place);
        };
        write('Open');
        translate(place, change);
        write('Open your');
        translate(place, change);
        write('Open your order');
        expect(place.textContent.trim()).to.equal('Open your order');
      }
    });
  });
}

describe('code', () => {
  it('is marked as not to be translated', async () => {
    const { place } = show('See `orders.ts`:\n\n```ts\nopen();\n```');
    await place.querySelector<AgentChatCode>('agent-chat-code')?.updateComplete;
    const marked = [...place.querySelectorAll('code')].map((code) => code.closest('[translate="no"]'));
    expect(marked.length).to.equal(2);
    expect(marked.includes(null)).to.equal(false);
  });
});
