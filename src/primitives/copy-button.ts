import { html, nothing, type TemplateResult } from 'lit';
import { copyText } from './copy-to-clipboard.ts';
import { LightElement } from './light-dom-element.ts';
import { contentIcon } from './content-icon.ts';

/** Time for which the confirmation is shown. */
const SHOWN_MS = 2000;

/**
 * A button that copies a text and briefly confirms it.
 *
 * `value` is the text, or a function that returns it on demand; `markup` is the same as HTML for rich text editors.
 */
export class AgentChatCopy extends LightElement {
  static override properties = {
    value: { attribute: false },
    markup: { attribute: false },
    label: { attribute: false },
    done: { attribute: false },
    caption: {},
    copied: { state: true },
  };
  declare value: string | (() => string);
  declare markup: ((button: Element) => string) | undefined;
  declare label: string;
  /** The confirmation after copying. */
  declare done: string;
  /** The visible text next to the icon: the label, or a shorter form of it. */
  declare caption: string;
  declare protected copied: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.value = '';
    this.label = '';
    this.done = '';
    this.caption = '';
    this.copied = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    const [name, text] = this.copied ? [this.done, this.done] : [this.label, this.caption];
    return html`<button
      type="button"
      class=${this.caption ? 'button ghost code-copy' : 'icon-button'}
      part=${this.caption ? 'code-copy' : 'toolbar-button'}
      aria-label=${this.caption && name === text ? nothing : name}
      title=${this.caption ? nothing : name}
      @click=${this.#copy}
    >
      ${contentIcon(this.copied ? 'check' : 'copy', 'small')}${this.caption ? text : nothing}
    </button>`;
  }

  readonly #copy = async (): Promise<void> => {
    const text = typeof this.value === 'function' ? this.value() : this.value;
    if (!(await copyText(text, this.markup?.(this)))) return;
    this.copied = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.copied = false;
    }, SHOWN_MS);
  };
}
