/** The virtualizer of the Lit team as the scroll container. */
import { LitVirtualizer } from '@lit-labs/virtualizer/LitVirtualizer.js';
import { html } from 'lit';
import type { Message } from '../corpora/conversation.ts';
import { nextFrame } from '../page/frames.ts';
import type { Opener } from './opener.ts';
import { showMessage } from './show-message.ts';

/** Frames. Sometimes it stays at its first guess of the end. */
const MAX_FRAMES = 300;

customElements.define('lit-virtualizer', LitVirtualizer);

export const opener: Opener = {
  async open(host, messages) {
    const list = new LitVirtualizer<Message>();
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
      if (frame === MAX_FRAMES) throw new Error('The virtualizer does not come to the end of the list.');
      await nextFrame();
    }
    return list;
  },
};

/** The element with the start of the last message is at the end of the view. */
function shows(list: HTMLElement, last: Message | undefined): boolean {
  const row = [...list.querySelectorAll('article')].find(
    (article) => article.firstElementChild?.textContent === last?.text.split('\n', 1)[0],
  );
  return row !== undefined && row.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom + 2;
}
