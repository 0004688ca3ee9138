import { html, nothing, type TemplateResult } from 'lit';
import { copyText } from './copy-text.ts';
import { icon } from './icon.ts';
import { LightElement } from './light-element.ts';

const SHOWN_MS = 2000;

/**
 * Copies a text and says for a moment that it has.
 *
 * `value` is the text, or a function that gives it when it is asked for; `markup` gives the same for programs that take HTML.
 */
export class AgentChatCopy extends LightElement {
  static override properties = {
    value: { attribute: false },
    markup: { attribute: false },
    label: { attribute: false },
    done: { attribute: false },
    words: {},
    copied: { state: true },
  };
  declare value: string | (() => string);
  declare markup: ((button: Element) => string) | undefined;
  declare label: string;
  declare done: string;
  /** What stands beside the picture: the label, or a part of it where the place says the rest. */
  declare words: string;
  declare protected copied: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.value = '';
    this.label = '';
    this.done = '';
    this.words = '';
    this.copied = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult {
    const [name, words] = this.copied ? [this.done, this.done] : [this.label, this.words];
    return html`<button
      type="button"
      class=${this.words ? 'button ghost code-copy' : 'icon-button'}
      part=${this.words ? 'code-copy' : 'toolbar-button'}
      aria-label=${this.words && name === words ? nothing : name}
      title=${this.words ? nothing : name}
      @click=${this.#copy}
    >
      ${icon(this.copied ? 'check' : 'copy', 'small')}${this.words ? words : nothing}
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
