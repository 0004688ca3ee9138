/** TanStack Virtual, anchored to the end: rows with absolute positions, measured when they are rendered. */
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { Message } from '../corpora/conversation.ts';
import { nextFrame } from '../page/frames.ts';
import type { Opener } from './opener.ts';
import { showMessage } from './show-message.ts';

const GUESS = 200;
const BEYOND = 4;

export const opener: Opener = {
  async open(host, messages) {
    const scroller = document.createElement('div');
    const box = document.createElement('div');
    scroller.style.cssText = 'block-size: 100%; overflow: auto; overflow-anchor: none';
    box.style.position = 'relative';
    scroller.append(box);
    host.replaceChildren(scroller);
    const virtualizer: Virtualizer<HTMLElement, HTMLElement> = new Virtualizer<HTMLElement, HTMLElement>({
      count: messages.length,
      getScrollElement: () => scroller,
      estimateSize: () => GUESS,
      overscan: BEYOND,
      anchorTo: 'end',
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      measureElement,
      onChange: () => {
        renderItems(box, virtualizer, messages);
      },
    });
    virtualizer._didMount();
    virtualizer._willUpdate();
    renderItems(box, virtualizer, messages);
    virtualizer.scrollToIndex(messages.length - 1, { align: 'end' });
    while (!shows(scroller, box, messages.length - 1)) await nextFrame();
    return scroller;
  },
};

function renderItems(
  box: HTMLElement,
  virtualizer: Virtualizer<HTMLElement, HTMLElement>,
  messages: readonly Message[],
): void {
  box.style.blockSize = `${String(virtualizer.getTotalSize())}px`;
  const items = virtualizer.getVirtualItems();
  const had = new Map(
    [...box.children].map((row) => [Number((row as HTMLElement).dataset['index']), row as HTMLElement]),
  );
  const stays = new Set(items.map(({ index }) => index));
  for (const [index, row] of had) if (!stays.has(index)) row.remove();
  for (const { index, start } of items) {
    const message = messages[index];
    if (!message) continue;
    const row = had.get(index) ?? showMessage(message);
    row.dataset['index'] = String(index);
    row.style.cssText = `position: absolute; inset: 0 0 auto; transform: translateY(${String(start)}px)`;
    if (had.has(index)) continue;
    box.append(row);
    virtualizer.measureElement(row);
  }
}

/** The last row ends at the end of the view, or before it. */
function shows(scroller: HTMLElement, box: HTMLElement, index: number): boolean {
  const last = box.querySelector(`[data-index="${String(index)}"]`);
  return last !== null && last.getBoundingClientRect().bottom < scroller.getBoundingClientRect().bottom + 2;
}
