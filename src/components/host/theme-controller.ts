import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { loadTheme, THEMES, type ThemeName } from '../../theme/themes.ts';
import { validEnumValue } from '../shared/attribute-converters.ts';

interface ThemeHost extends ReactiveControllerHost {
  readonly theme: unknown;
  readonly shadowRoot: ShadowRoot | null;
}

/**
 * Adopts the stylesheet of the selected theme on the shadow root. Nothing is re-rendered, so scroll position, selection and text stay.
 * The previous stylesheet is removed when the next one has loaded. Before the first one the widget is invisible: the custom state
 * `undressed`, which `shell.css` selects.
 */
export class ThemeController implements ReactiveController {
  readonly #host: ThemeHost;
  readonly #states: CustomStateSet;
  #name: ThemeName = '';
  #adopted: CSSStyleSheet | undefined;

  constructor(host: ThemeHost, states: CustomStateSet) {
    this.#host = host;
    this.#states = states;
    host.addController(this);
  }

  hostConnected(): void {
    const root = this.#host.shadowRoot;
    if (this.#adopted && root && !root.adoptedStyleSheets.includes(this.#adopted)) this.#adopt(this.#adopted);
  }

  hostUpdate(): void {
    const name = validEnumValue('theme', this.#host.theme, THEMES);
    if (name === this.#name) return;
    this.#name = name;
    if (name === '') this.#adopt(undefined);
    else void this.#load(name);
  }

  async #load(name: ThemeName): Promise<void> {
    if (!this.#adopted) this.#states.add('undressed');
    const sheet = await loadTheme(name);
    if (name === this.#name) this.#adopt(sheet);
  }

  #adopt(sheet: CSSStyleSheet | undefined): void {
    const root = this.#host.shadowRoot;
    if (root?.ownerDocument === document) {
      const others = root.adoptedStyleSheets.filter((adopted) => adopted !== this.#adopted);
      root.adoptedStyleSheets = sheet ? [...others, sheet] : others;
    }
    this.#adopted = sheet;
    this.#states.delete('undressed');
  }
}
