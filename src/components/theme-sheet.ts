import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { loadTheme, THEMES, type ThemeName } from '../theme/themes.ts';
import { known } from './attributes.ts';

interface ThemeHost extends ReactiveControllerHost {
  readonly theme: unknown;
  readonly shadowRoot: ShadowRoot | null;
}

/**
 * Keeps the sheet of the chosen theme on the shadow root. Only sheets change: what is drawn, scrolled, selected and written stays.
 * The one before goes when the next is there, and nothing is seen of a widget that has none yet (the state `undressed`), as of a
 * page whose own sheets are still to come.
 */
export class ThemeSheet implements ReactiveController {
  readonly #host: ThemeHost;
  readonly #states: CustomStateSet;
  #wanted: ThemeName = '';
  #worn: CSSStyleSheet | undefined;

  constructor(host: ThemeHost, states: CustomStateSet) {
    this.#host = host;
    this.#states = states;
    host.addController(this);
  }

  hostUpdate(): void {
    const name = known('theme', this.#host.theme, THEMES);
    if (name === this.#wanted) return;
    this.#wanted = name;
    if (name === '') this.#wear(undefined);
    else void this.#fetch(name);
  }

  async #fetch(name: ThemeName): Promise<void> {
    if (!this.#worn) this.#states.add('undressed');
    const sheet = await loadTheme(name);
    if (name === this.#wanted) this.#wear(sheet);
  }

  #wear(sheet: CSSStyleSheet | undefined): void {
    const root = this.#host.shadowRoot;
    if (root) {
      const others = root.adoptedStyleSheets.filter((worn) => worn !== this.#worn);
      root.adoptedStyleSheets = sheet ? [...others, sheet] : others;
    }
    this.#worn = sheet;
    this.#states.delete('undressed');
  }
}
