import { html, nothing, render } from 'lit';
import type { Citation } from '../model/blocks.ts';
import { hostOf, sourcesOf } from '../renderers/sources.ts';
import { withoutBidi } from '../safety/urls.ts';
import { AgentChatMessage } from './message.ts';

/** Pixels between the card and the edges of the window. */
const MARGIN = 8;

/**
 * What a citation points to, beside its mark: while the pointer is on either of them, or the focus on the mark, and until Escape.
 * (WCAG 2.2, 1.4.13: what shows on hover or focus.)
 */
export function previewCitations(list: HTMLElement): void {
  let shown: { readonly mark: HTMLElement; readonly card: HTMLElement } | undefined;

  const hide = (): void => {
    shown?.card.remove();
    shown = undefined;
    document.removeEventListener('keydown', escape, true);
  };
  // On the way down: the focus may be anywhere while the pointer is here, and Escape would stop the reply.
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // The widget may have been taken out with the card on show: then it is the page's.
    if (list.isConnected) event.stopPropagation();
    hide();
  };

  const show = (mark: HTMLElement): void => {
    if (shown?.mark === mark) return;
    hide();
    const citation = citationOf(mark);
    if (!citation) return;
    const card = document.createElement('div');
    card.className = 'preview';
    // What it says is in the mark's own name and description.
    card.setAttribute('aria-hidden', 'true');
    card.popover = 'manual';
    render(contentOf(citation), card);
    list.after(card);
    card.showPopover();
    place(card, mark);
    card.addEventListener('pointerleave', (event) => {
      if (event.relatedTarget !== mark) hide();
    });
    shown = { mark, card };
    document.addEventListener('keydown', escape, true);
  };

  const enter = ({ target }: Pick<Event, 'target'>): void => {
    const mark = markAt(target);
    if (mark) show(mark);
  };
  const leave = ({ target, relatedTarget }: PointerEvent): void => {
    const mark = markAt(target);
    const into =
      relatedTarget instanceof Node && (mark?.contains(relatedTarget) || shown?.card.contains(relatedTarget));
    if (mark && mark === shown?.mark && !into) hide();
  };
  list.addEventListener('pointerover', enter);
  list.addEventListener('focusin', enter);
  list.addEventListener('pointerout', leave);
  list.addEventListener('focusout', hide);
  // The focus brings its mark into view by scrolling: the card goes along.
  list.addEventListener(
    'scroll',
    () => {
      if (shown) place(shown.card, shown.mark);
    },
    { passive: true },
  );
  // The focus may be there already.
  const root = list.getRootNode();
  if (root instanceof ShadowRoot) enter({ target: root.activeElement });
  // A press leads to the source itself.
  list.addEventListener('click', hide);
}

const markAt = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('button.citation')) || undefined;

function citationOf(mark: HTMLElement): Citation | undefined {
  const message = mark.closest('agent-chat-message');
  return message instanceof AgentChatMessage
    ? sourcesOf(message.message)[Number(mark.textContent) - 1]?.citation
    : undefined;
}

function contentOf({ title, url, quote }: Citation): unknown {
  const host = hostOf(url);
  return html`<b dir="auto">${withoutBidi(title ?? host ?? '')}</b> ${
      title && host ? html`<span class="muted">${host}</span>` : nothing
    }
    ${quote ? html`<q dir="auto">${withoutBidi(quote)}</q>` : nothing}`;
}

/** Above the mark where there is room, else below it. */
function place(card: HTMLElement, mark: HTMLElement): void {
  const { top, bottom, left } = mark.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const y = top - height - MARGIN >= 0 ? top - height - 4 : bottom + 4;
  const x = Math.max(MARGIN, Math.min(left - MARGIN, document.documentElement.clientWidth - width - MARGIN));
  card.style.setProperty('top', `${String(y)}px`);
  card.style.setProperty('left', `${String(x)}px`);
}
