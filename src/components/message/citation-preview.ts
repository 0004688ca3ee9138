import { html, nothing, render } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { Citation } from '../../model/blocks.ts';
import { hostOf, collectSources, sourceName, sourceTime } from '../../renderers/text/citations.ts';
import { shortText } from '../../renderers/core/short-text.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import { AgentChatMessage } from './message.ts';
import { zoomOf } from '../shared/css-zoom.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import sheetText from './styles/citation-preview.css?inline';

const style = createStylesheet(sheetText);

/** Minimum distance of the card from the edges of the window, in pixels. */
const MARGIN = 8;

/**
 * Shows a preview card next to a citation mark while the pointer is on either of them or the mark has the focus, and until
 * Escape. (WCAG 2.2, 1.4.13 Content on Hover or Focus.)
 *
 * @param first - a mark that the pointer or the focus has reached already
 */
export function previewCitations(list: HTMLElement, host: { localize(): Localize }, first?: HTMLElement): void {
  let current: { readonly mark: HTMLElement; readonly card: HTMLElement } | undefined;

  const hide = (): void => {
    current?.card.remove();
    current = undefined;
    document.removeEventListener('keydown', onKeydown, true);
  };
  // In the capture phase: the focus may be anywhere while the pointer is here, and Escape would also stop the reply.
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // If the widget was removed while the card was open, the key belongs to the host page.
    if (list.isConnected) event.stopPropagation();
    hide();
  };

  const show = (mark: HTMLElement): void => {
    if (current?.mark === mark) return;
    hide();
    const citation = citationOf(mark);
    if (!citation) return;
    const card = document.createElement('div');
    card.className = 'preview';
    // The accessible name and description of the mark have the same content.
    card.setAttribute('aria-hidden', 'true');
    card.popover = 'manual';
    render(contentOf(citation, host.localize()), card);
    // Each time: a widget that was moved into another document has lost its stylesheets.
    adoptStylesheet(list, style);
    list.after(card);
    card.showPopover();
    positionCard(card, mark);
    onUserSwitch(card, hide);
    card.addEventListener('pointerleave', (event) => {
      if (event.relatedTarget !== mark) hide();
    });
    current = { mark, card };
    document.addEventListener('keydown', onKeydown, true);
  };

  const onEnter = ({ target }: Pick<Event, 'target'>): void => {
    const mark = markAt(target);
    if (mark) show(mark);
  };
  const onPointerout = ({ target, relatedTarget }: PointerEvent): void => {
    const mark = markAt(target);
    const staysInside =
      relatedTarget instanceof Node && (mark?.contains(relatedTarget) || current?.card.contains(relatedTarget));
    if (mark && mark === current?.mark && !staysInside) hide();
  };
  list.addEventListener('pointerover', onEnter);
  list.addEventListener('focusin', onEnter);
  list.addEventListener('pointerout', onPointerout);
  list.addEventListener('focusout', hide);
  // Focusing a mark may scroll it into view. The card moves with it.
  list.addEventListener(
    'scroll',
    () => {
      if (current) positionCard(current.card, current.mark);
    },
    { passive: true },
  );
  if (first) show(first);
  // A click opens the source itself.
  list.addEventListener('click', hide);
}

const markAt = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('button.citation')) || undefined;

function citationOf(mark: HTMLElement): Citation | undefined {
  const message = mark.closest('agent-chat-message');
  return message instanceof AgentChatMessage
    ? collectSources(message.message)[Number(mark.textContent) - 1]?.citation
    : undefined;
}

function contentOf(citation: Citation, localize: Localize): unknown {
  const { title, url, quote } = citation;
  const host = hostOf(url);
  const time = sourceTime(citation);
  // The text is below the name, so it is not repeated as the name.
  const name = title ? sourceName(citation) : host || (quote ? '' : sourceName(citation));
  return html`${name ? html`<b dir="auto">${name}</b>` : nothing}
  ${title && host ? html`<span class="muted">${host}</span>` : nothing}
  ${time === undefined ? nothing : html`<time class="muted">${localize.date(time)}</time>`}
  ${quote ? html`<q dir="auto">${shortText(quote)}</q>` : nothing}`;
}

/** Places the card above the mark if there is space, otherwise below. */
function positionCard(card: HTMLElement, mark: HTMLElement): void {
  const { top, bottom, left } = mark.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const y = top - height - MARGIN >= 0 ? top - height - 4 : bottom + 4;
  const x = Math.max(MARGIN, Math.min(left - MARGIN, document.documentElement.clientWidth - width - MARGIN));
  const zoom = zoomOf(card);
  card.style.setProperty('top', `${String(y / zoom)}px`);
  card.style.setProperty('left', `${String(x / zoom)}px`);
}
