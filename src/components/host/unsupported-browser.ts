/** Shows a note instead of the widget in browsers older than those of `docs/guides/browsers.md`. */
import { englishTexts } from '../../locales/english/loaded-english.ts';
import { english } from '../../locales/localize.ts';
import { resolveLocalize } from './resolve-localize.ts';

/** Whether the browser lacks a feature that all supported browsers have. False on a server. */
export const isUnsupportedBrowser = (): boolean =>
  typeof HTMLElement !== 'undefined' &&
  !(
    'popover' in HTMLElement.prototype &&
    CSS.supports('color', 'light-dark(red, rgb(from red r g b))') &&
    CSS.supports('selector(:state(open))')
  );

/** Registers a placeholder element for the widget. It needs nothing newer than custom elements. */
export function defineUnsupportedBrowser(tag: string): void {
  if (customElements.get(tag)) return;
  customElements.define(
    tag,
    class extends HTMLElement {
      readonly #note = document.createElement('p');

      connectedCallback(): void {
        this.#note.setAttribute('role', 'note');
        this.#note.textContent = english('browser.too-old');
        this.append(this.#note);
        void resolveLocalize(
          this,
          { locale: this.getAttribute('locale') ?? undefined, strings: {} },
          { texts: englishTexts, localize: english },
        ).then((localize) => {
          this.#note.textContent = localize('browser.too-old');
        });
      }
    },
  );
}
