/** Below the browsers of `docs/guides/browsers.md`: a sentence in the place of a widget that would be half there. */
import { en } from '../locales/en.ts';
import { english } from '../locales/localize.ts';
import { findLocalize } from './find-localize.ts';

/** Whether something is missing that the oldest browsers that we build for have. A server has none of it, and is none. */
export const isTooOld = (): boolean =>
  typeof HTMLElement !== 'undefined' &&
  !(
    'popover' in HTMLElement.prototype &&
    CSS.supports('color', 'light-dark(red, rgb(from red r g b))') &&
    CSS.supports('selector(:state(open))')
  );

/** Registers what stands for the widget. It needs nothing that is newer than elements of one's own. */
export function defineTooOld(tag: string): void {
  if (customElements.get(tag)) return;
  customElements.define(
    tag,
    class extends HTMLElement {
      readonly #note = document.createElement('p');

      connectedCallback(): void {
        this.#note.setAttribute('role', 'note');
        this.#note.textContent = english('browser.too-old');
        this.append(this.#note);
        void findLocalize(
          this,
          { locale: this.getAttribute('locale') ?? undefined, strings: {} },
          { words: en, localize: english },
        ).then((localize) => {
          this.#note.textContent = localize('browser.too-old');
        });
      }
    },
  );
}
