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
    speaking: { state: true },
  };
  declare text: string;
  declare localize: Localize;
  declare protected speaking: { stop(): void } | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.speaking?.stop();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!supportsReadAloud()) return nothing;
    const label = this.localize(this.speaking ? 'message.speak-stop' : 'message.speak');
    return html`<button
      type="button"
      class="icon-button"
      part="toolbar-button"
      aria-label=${label}
      title=${label}
      aria-pressed=${this.speaking ? 'true' : 'false'}
      @click=${this.#toggle}
    >
      ${lazyIcon(this.speaking ? 'stop' : 'speaker', 'small')}
    </button>`;
  }

  readonly #toggle = (): void => {
    if (this.speaking) {
      this.speaking.stop();
      return;
    }
    const language = this.closest('[lang]')?.getAttribute('lang') ?? this.localize.locale;
    this.speaking = readAloud(stripMarkdown(this.text), language, () => {
      this.speaking = undefined;
    });
  };
}

export const speakButton = ({ text, localize }: Pick<AgentChatSpeak, 'text' | 'localize'>): TemplateResult => {
  defineOnce('agent-chat-speak', AgentChatSpeak);
  return html`<agent-chat-speak .text=${text} .localize=${localize}></agent-chat-speak>`;
};

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-speak': AgentChatSpeak;
  }
}
