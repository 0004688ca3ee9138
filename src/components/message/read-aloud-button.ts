import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { supportsReadAloud, readAloud } from '../../primitives/speech-output.ts';
import { stripMarkdown } from '../shared/strip-markdown.ts';

/** The button that reads a message aloud and stops reading. */
export class AgentChatSpeak extends LightElement {
  static override properties = {
    text: { attribute: false },
    localize: { attribute: false },
    speech: { state: true },
  };
  declare text: string;
  declare localize: Localize;
  /** The reading in progress. */
  declare protected speech: { stop(): void } | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.speech?.stop();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!supportsReadAloud()) return nothing;
    const label = this.localize(this.speech ? 'message.speak-stop' : 'message.speak');
    return html`<button
      type="button"
      class="icon-button"
      part="toolbar-button"
      aria-label=${label}
      title=${label}
      aria-pressed=${this.speech ? 'true' : 'false'}
      @click=${this.#toggle}
    >
      ${lazyIcon(this.speech ? 'stop' : 'speaker', 'small')}
    </button>`;
  }

  readonly #toggle = (): void => {
    if (this.speech) {
      // This calls the function below, which resets the property.
      this.speech.stop();
      return;
    }
    const language = this.closest('[lang]')?.getAttribute('lang') ?? this.localize.locale;
    this.speech = readAloud(stripMarkdown(this.text), language, () => {
      this.speech = undefined;
    });
  };
}

export const readAloudButton = ({ text, localize }: Pick<AgentChatSpeak, 'text' | 'localize'>): TemplateResult => {
  defineOnce('agent-chat-speak', AgentChatSpeak);
  return html`<agent-chat-speak .text=${text} .localize=${localize}></agent-chat-speak>`;
};

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-speak': AgentChatSpeak;
  }
}
