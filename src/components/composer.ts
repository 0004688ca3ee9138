import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { SentHistory } from './sent-history.ts';

/** What the reader has written is to go out. */
class SubmitEvent extends Event {
  readonly text: string;
  constructor(text: string) {
    super('agent-chat-submit');
    this.text = text;
  }
}

/** Where the reader writes. It grows with the words, and knows an Enter that ends a word of an input method from one that sends. */
export class AgentChatComposer extends LightElement {
  static override properties = {
    localize: { attribute: false },
    placeholder: { attribute: false },
    busy: { attribute: false },
    disabled: { attribute: false },
    readonly: { attribute: false },
    submitKey: { attribute: false },
    maxLength: { attribute: false },
    sent: { attribute: false },
    text: { state: true },
  };
  declare localize: Localize;
  declare placeholder: string;
  /** A reply is running: it can be stopped, and what is sent waits. */
  declare busy: boolean;
  declare disabled: boolean;
  declare readonly: boolean;
  declare submitKey: 'auto' | 'enter' | 'mod-enter';
  declare maxLength: number;
  /** What was sent before, the newest last. */
  declare sent: () => readonly string[];
  declare text: string;
  readonly #history = new SentHistory();

  constructor() {
    super();
    this.placeholder = '';
    this.busy = false;
    this.disabled = false;
    this.readonly = false;
    this.submitKey = 'auto';
    this.maxLength = Number.POSITIVE_INFINITY;
    this.sent = () => [];
    this.text = '';
  }

  get #input(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  protected override render(): TemplateResult {
    const { localize, busy } = this;
    const empty = this.text.trim() === '';
    return html`<form class="composer-bar" @submit=${this.#submit}>
      <slot name="composer-start"></slot>
      <textarea
        class="input"
        part="input"
        rows="1"
        dir="auto"
        autocomplete="off"
        enterkeyhint=${this.#entersLine() ? 'enter' : 'send'}
        aria-label=${localize('composer.label')}
        placeholder=${this.placeholder}
        .value=${this.text}
        ?disabled=${this.disabled}
        ?readonly=${this.readonly}
        @input=${this.#typed}
        @keydown=${this.#pressed}
      ></textarea>
      <slot name="composer-end"></slot>
      ${
        busy
          ? html`<button
              type="button"
              class="icon-button send stop ${empty ? '' : 'quiet'}"
              part="stop-button"
              aria-label=${localize('composer.stop')}
              title=${localize('composer.stop')}
              @click=${this.#stop}
            >
              ${icon('stop')}
            </button>`
          : nothing
      }
      ${
        busy && empty
          ? nothing
          : html`<button
              type="submit"
              class="icon-button send"
              part="send-button"
              aria-label=${localize(busy ? 'composer.queue' : 'composer.send')}
              title=${localize(busy ? 'composer.queue' : 'composer.send')}
              ?disabled=${empty || this.disabled || this.readonly}
            >
              ${icon('up')}
            </button>`
      }
    </form>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('text')) this.#grow();
  }

  /** As high as its words, up to what the sheet allows, where the browser does not do that itself. */
  #grow(): void {
    const input = this.#input;
    if (!input || CSS.supports('field-sizing', 'content')) return;
    input.style.setProperty('block-size', 'auto');
    input.style.setProperty('block-size', `${String(input.scrollHeight)}px`);
  }

  readonly #typed = (event: InputEvent): void => {
    this.text = (event.currentTarget as HTMLTextAreaElement).value;
    this.dispatchEvent(new Event('agent-chat-typed'));
  };

  /** On a touch keyboard Enter breaks the line, unless the page wants otherwise. */
  #entersLine(): boolean {
    return this.submitKey === 'mod-enter' || (this.submitKey === 'auto' && matchMedia('(pointer: coarse)').matches);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.shiftKey || composes(event)) return;
    const mod = event.ctrlKey || event.metaKey;
    if (!mod && !event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) this.#recall(event);
    if (event.key !== 'Enter') return;
    if (this.#entersLine() && !mod) return;
    event.preventDefault();
    this.#submit();
  };

  #recall(event: KeyboardEvent): void {
    const text = this.#history.recall(this.sent(), this.text, event.key === 'ArrowUp' ? 'older' : 'newer');
    if (text === undefined || this.readonly) return;
    event.preventDefault();
    this.text = text;
    this.dispatchEvent(new Event('agent-chat-typed'));
  }

  readonly #submit = (event?: Event): void => {
    event?.preventDefault();
    const text = this.text.trim();
    if (text === '' || this.disabled || this.readonly) return;
    this.dispatchEvent(new SubmitEvent(text));
  };

  readonly #stop = (): void => {
    this.dispatchEvent(new Event('agent-chat-stop'));
  };
}

/**
 * While an input method composes, Enter chooses a word. Safari ends the composition before it tells of the key, and says only
 * by the old key code that the key was the input method's.
 */
const composes = (event: KeyboardEvent): boolean =>
  event.isComposing || (event as { readonly keyCode: number }).keyCode === 229;

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-composer': AgentChatComposer;
  }
}
