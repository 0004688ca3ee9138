/** Beside words that the reader has selected in a message: a button that quotes them in the composer. */
import { html, render } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import { quoteOf } from './quote.ts';
import { selectedWords } from './selected-words.ts';

interface QuoteHost {
  localize(): Localize;
  /** Undefined where nothing can be written. */
  quote(): ((text: string) => void) | undefined;
}

/** A selection is being made as long as it changes faster than this. */
const STILL_MS = 250;
const MARGIN = 8;

export function offerQuotes(list: HTMLElement, host: QuoteHost): void {
  let shown: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held = false;

  const hide = (): void => {
    shown?.remove();
    shown = undefined;
  };

  const show = (): void => {
    hide();
    const write = host.quote();
    const selected = write && selectedWords(list.getRootNode());
    if (!selected) {
      // Until the reader begins to select here again, what is selected elsewhere is nobody's business.
      document.removeEventListener('selectionchange', changed);
      return;
    }
    const box = document.createElement('div');
    box.className = 'quote-offer';
    box.popover = 'manual';
    const press = (): void => {
      hide();
      document.getSelection()?.empty();
      write(quoteOf(selected.words));
    };
    render(
      html`<button type="button" class="button plain small" @pointerdown=${keepSelection} @click=${press}>
        ${icon('quote', 'small')}${host.localize()('message.quote')}
      </button>`,
      box,
    );
    list.after(box);
    box.showPopover();
    place(box, selected.range);
    shown = box;
  };

  const changed = (): void => {
    hide();
    clearTimeout(timer);
    if (!held) timer = setTimeout(show, STILL_MS);
  };
  list.addEventListener('selectstart', () => {
    document.addEventListener('selectionchange', changed);
  });
  list.addEventListener('pointerdown', () => {
    held = true;
    const holding = new AbortController();
    const letGo = (): void => {
      holding.abort();
      held = false;
      changed();
    };
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, letGo, { signal: holding.signal });
  });
  list.addEventListener('scroll', hide, { passive: true });
}

/** A press would make another selection. */
const keepSelection = (event: Event): void => {
  event.preventDefault();
};

/** Above the words, or below them where a finger has the browser's own menu above. */
function place(box: HTMLElement, range: Range): void {
  const { top, bottom, left, width } = range.getBoundingClientRect();
  const { width: own, height } = box.getBoundingClientRect();
  const above = top - height - MARGIN;
  const y = above >= MARGIN && !matchMedia('(pointer: coarse)').matches ? above : bottom + MARGIN;
  const x = left + (width - own) / 2;
  const { clientWidth, clientHeight } = document.documentElement;
  box.style.setProperty('top', `${String(Math.min(y, clientHeight - height - MARGIN))}px`);
  box.style.setProperty('left', `${String(Math.max(MARGIN, Math.min(x, clientWidth - own - MARGIN)))}px`);
}
