/** A button next to selected text of a message that quotes the text in the composer. */
import { html, render } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';
import { toBlockquote } from './to-blockquote.ts';
import { selectedMessageText } from './selected-message-text.ts';
import { zoomOf } from '../shared/css-zoom.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import sheetText from './quote-button.css?inline';

const style = createStylesheet(sheetText);

interface QuoteHost {
  localize(): Localize;
  /** Returns a function that inserts a quote into the composer; undefined where quoting is disabled. */
  quote(): ((text: string) => void) | undefined;
}

/** Time without a change after which a selection counts as finished, in milliseconds. */
const SETTLE_MS = 250;
const MARGIN = 8;

/** Shows the button for each selection in the list, also for one that exists already. */
export function attachQuoteButton(list: HTMLElement, host: QuoteHost): void {
  let currentBox: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPointerDown = false;

  const hide = (): void => {
    currentBox?.remove();
    currentBox = undefined;
  };

  const show = (): void => {
    hide();
    const write = host.quote();
    const selected = write && selectedMessageText(list.getRootNode());
    if (!selected) {
      // Stop observing until the user starts another selection in the transcript.
      document.removeEventListener('selectionchange', changed);
      return;
    }
    const box = document.createElement('div');
    box.className = 'quote-offer';
    box.popover = 'manual';
    const onClick = (): void => {
      hide();
      document.getSelection()?.empty();
      write(toBlockquote(selected.text));
    };
    render(
      html`<button type="button" class="button plain small" @pointerdown=${keepSelection} @click=${onClick}>
        ${icon('quote', 'small')}${host.localize()('message.quote')}
      </button>`,
      box,
    );
    // Each time: a widget that was moved into another document has lost its stylesheets.
    adoptStylesheet(list, style);
    list.after(box);
    box.showPopover();
    positionBox(box, selected.range);
    currentBox = box;
  };

  const changed = (): void => {
    hide();
    clearTimeout(timer);
    if (!isPointerDown) timer = setTimeout(show, SETTLE_MS);
  };
  const watch = (): void => {
    document.addEventListener('selectionchange', changed);
  };
  list.addEventListener('selectstart', watch);
  watch();
  changed();
  list.addEventListener('pointerdown', () => {
    isPointerDown = true;
    const holding = new AbortController();
    const onPointerup = (): void => {
      holding.abort();
      isPointerDown = false;
      changed();
    };
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, onPointerup, { signal: holding.signal });
  });
  list.addEventListener('scroll', hide, { passive: true });
}

/** Keeps the selection when the button is pressed. */
const keepSelection = (event: Event): void => {
  event.preventDefault();
};

/** Places the button above the selection, or below it on touch devices, where the menu of the browser is above. */
function positionBox(box: HTMLElement, range: Range): void {
  const { top, bottom, left, width } = range.getBoundingClientRect();
  const { width: boxWidth, height } = box.getBoundingClientRect();
  const above = top - height - MARGIN;
  const y = above >= MARGIN && !matchMedia('(pointer: coarse)').matches ? above : bottom + MARGIN;
  const x = left + (width - boxWidth) / 2;
  const { clientWidth, clientHeight } = document.documentElement;
  const zoom = zoomOf(box);
  box.style.setProperty('top', `${String(Math.min(y, clientHeight - height - MARGIN) / zoom)}px`);
  box.style.setProperty('left', `${String(Math.max(MARGIN, Math.min(x, clientWidth - boxWidth - MARGIN)) / zoom)}px`);
}
