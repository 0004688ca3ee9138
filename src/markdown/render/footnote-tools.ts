/** Footnote behaviour: references link to the notes and back, and show a preview on hover and focus. */
import css from './footnotes.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';

const style = createStylesheet(css);
const followed = new WeakSet<Node>();
/** Distance between the preview and the edges of the viewport, in pixels. */
const MARGIN = 8;

/** Activates the footnotes of a text; once per text is enough. */
export function activateFootnotes(container: Node): void {
  if (!(container instanceof HTMLElement) || followed.has(container)) return;
  followed.add(container);
  adoptStylesheet(container, style);
  const notes = new Notes(container);
  container.addEventListener('click', notes.click);
  container.addEventListener('pointerover', notes.enter);
  container.addEventListener('focusin', notes.enter);
  container.addEventListener('pointerout', notes.leave);
  container.addEventListener('focusout', notes.hide);
}

const closest = (target: EventTarget | null, selector: string): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>(selector)) || undefined;

class Notes {
  readonly #container: HTMLElement;
  /** The reference that the user came from, by label. */
  readonly #origins = new Map<string, HTMLElement>();
  #preview: { readonly mark: HTMLElement; readonly card: HTMLElement } | undefined;

  constructor(container: HTMLElement) {
    this.#container = container;
  }

  readonly click = ({ target }: Event): void => {
    const mark = closest(target, '.note-mark');
    const back = closest(target, '.note-back');
    const tag = (mark ?? back)?.dataset['note'] ?? '';
    if (mark) {
      this.hide();
      this.#origins.set(tag, mark);
      this.#goTo(this.#noteOf(tag)?.querySelector<HTMLElement>('.note-back'));
    } else if (back) {
      const from = this.#origins.get(tag);
      this.#goTo(from?.isConnected ? from : this.#find('.note-mark', tag));
      this.hide();
    }
  };

  readonly enter = ({ target }: Event): void => {
    const mark = closest(target, '.note-mark');
    if (mark && mark !== this.#preview?.mark) this.#show(mark);
  };

  readonly leave = ({ relatedTarget }: PointerEvent): void => {
    if (!this.#preview) return;
    const { mark, card } = this.#preview;
    if (relatedTarget instanceof Node && (mark.contains(relatedTarget) || card.contains(relatedTarget))) return;
    this.hide();
  };

  readonly hide = (): void => {
    this.#preview?.card.remove();
    this.#preview = undefined;
    document.removeEventListener('keydown', this.#escape, true);
  };

  /** In the capture phase, because Escape would otherwise stop the reply. */
  readonly #escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    if (this.#container.isConnected) event.stopPropagation();
    this.hide();
  };

  #goTo(element: HTMLElement | null | undefined): void {
    element?.scrollIntoView({ block: 'nearest' });
    element?.focus({ preventScroll: true });
  }

  #find(selector: string, tag: string): HTMLElement | undefined {
    return [...this.#container.querySelectorAll<HTMLElement>(selector)].find(({ dataset }) => dataset['note'] === tag);
  }

  #noteOf = (tag: string): HTMLElement | undefined => this.#find('.notes li', tag);

  #show(mark: HTMLElement): void {
    this.hide();
    const text = this.#noteOf(mark.dataset['note'] ?? '')
      ?.querySelector(':scope > div')
      ?.textContent.trim();
    if (!text) return;
    mark.setAttribute('aria-description', text);
    const card = document.createElement('div');
    card.className = 'note-preview';
    card.setAttribute('aria-hidden', 'true');
    card.dir = 'auto';
    card.popover = 'manual';
    card.textContent = text;
    this.#container.append(card);
    card.showPopover();
    const { top, bottom, left } = mark.getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const y = top - height - MARGIN >= 0 ? top - height - 4 : bottom + 4;
    const x = Math.max(MARGIN, Math.min(left - MARGIN, document.documentElement.clientWidth - width - MARGIN));
    card.style.setProperty('top', `${String(y)}px`);
    card.style.setProperty('left', `${String(x)}px`);
    this.#preview = { mark, card };
    document.addEventListener('keydown', this.#escape, true);
  }
}
