import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { defineOnce } from '../primitives/define-once.ts';
import { canDictate, dictate } from '../primitives/dictation.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';

export interface DictationProps {
  readonly localize: Localize;
  readonly disabled: boolean;
  /** What stands in the composer before it begins. */
  text(): string;
  /** What stands there with what was heard. */
  write(text: string): void;
  /** Why it can't hear. */
  problem(words: string): void;
}

/** Writes what the reader says, behind what stands there already. */
export class AgentChatDictation extends LightElement {
  static override properties = {
    props: { attribute: false },
    hearing: { state: true },
  };
  declare props: DictationProps;
  declare protected hearing: { stop(): void } | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.hearing?.stop();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!canDictate()) return nothing;
    const { localize, disabled } = this.props;
    const label = localize(this.hearing ? 'composer.dictate-stop' : 'composer.dictate');
    return html`<button
      type="button"
      class="icon-button ${this.hearing ? 'hearing' : ''}"
      aria-label=${label}
      title=${label}
      aria-pressed=${this.hearing ? 'true' : 'false'}
      ?disabled=${disabled}
      @click=${this.#press}
    >
      ${icon('mic')}
    </button>`;
  }

  readonly #press = (): void => {
    if (this.hearing) {
      this.hearing.stop();
      return;
    }
    const { localize, text, write, problem } = this.props;
    const before = text().trimEnd();
    let written = text();
    this.hearing = dictate(localize.locale, {
      heard: (words) => {
        // Sent, or changed by hand: what comes late would bring the old words back.
        if (text() !== written) {
          this.hearing?.stop();
          return;
        }
        written = before === '' ? words.trimStart() : `${before} ${words.trimStart()}`;
        write(written);
      },
      ended: (reason) => {
        this.hearing = undefined;
        if (reason) problem(localize(`composer.dictate-${reason}`));
      },
    });
  };
}

export const dictationButton = (props: DictationProps): TemplateResult => {
  defineOnce('agent-chat-dictation', AgentChatDictation);
  return html`<agent-chat-dictation .props=${props}></agent-chat-dictation>`;
};

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-dictation': AgentChatDictation;
  }
}
