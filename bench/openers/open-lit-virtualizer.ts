/** The virtualizer of the Lit team, as what scrolls. */
import { LitVirtualizer } from '@lit-labs/virtualizer/LitVirtualizer.js';
import { html } from 'lit';
import type { Said } from '../corpora/conversation.ts';
import { nextFrame } from '../page/frames.ts';
import type { Opener } from './opener.ts';
import { showMessage } from './show-message.ts';

/** Frames. At times it stays where it first guessed the end to be. */
const PATIENCE = 300;

customElements.define('lit-virtualizer', LitVirtualizer);

export const opener: Opener = {
  async open(host, messages) {
    const list = new LitVirtualizer<Said>();
    list.scroller = true;
    list.style.blockSize = '100%';
    list.items = [...messages];
    list.renderItem = (message) => html`<div style="inline-size: 100%">${showMessage(message)}</div>`;
    host.replaceChildren(list);
    await list.updateComplete;
    await list.layoutComplete;
    list.element(messages.length - 1)?.scrollIntoView({ block: 'end' });
    const last = messages.at(-1);
    for (let frame = 0; !shows(list, last); frame++) {
      if (frame === PATIENCE) throw new Error('The virtualizer does not come to the end of the list.');
      await nextFrame();
    }
    return list;
  },
};

/** What has the last message's beginning stands at the end of the view. */
function shows(list: HTMLElement, last: Said | undefined): boolean {
  const row = [...list.querySelectorAll('article')].find(
    (article) => article.firstElementChild?.textContent === last?.text.split('\n', 1)[0],
  );
  return row !== undefined && row.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom + 2;
}
