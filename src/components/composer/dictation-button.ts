import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { supportsDictation, startDictation } from '../../primitives/speech-input.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';

export interface DictationProps {
  readonly localize: Localize;
  readonly disabled: boolean;
  /** Returns the current text of the composer. */
  text(): string;
  /** Sets the text including the dictated one. */
  write(text: string): void;
  /** Shows why dictation failed. */
  problem(message: string): void;
}

/** The dictation button: appends recognized speech to the text. */
export class AgentChatDictation extends LightElement {
  static override properties = {
    props: { attribute: false },
    hearing: { state: true },
  };
  declare props: DictationProps;
  /** The dictation in progress. */
  declare protected hearing: { stop(): void } | undefined;
  /** Whether further results are ignored, because another user is signed in. */
  #isCancelled = false;

  constructor() {
    super();
    onUserSwitch(this, () => {
      this.#isCancelled = true;
      this.hearing?.stop();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.hearing?.stop();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!supportsDictation()) return nothing;
    const { localize, disabled } = this.props;
    const label = localize(this.hearing ? 'composer.dictate-stop' : 'composer.dictate');
    return html`<button
      type="button"
      class="icon-button ${this.hearing ? 'hearing' : ''}"
      aria-label=${label}
      title=${label}
      aria-pressed=${this.hearing ? 'true' : 'false'}
      ?disabled=${disabled}
      @click=${this.#toggle}
    >
      ${lazyIcon('mic')}
    </button>`;
  }

  readonly #toggle = (): void => {
    if (this.hearing) {
      this.hearing.stop();
      return;
    }
    const { localize, text, write, problem } = this.props;
    this.#isCancelled = false;
    const before = text().trimEnd();
    let written = text();
    this.hearing = startDictation(localize.locale, {
      onText: (transcript) => {
        // The text was sent or edited: a late result would restore the old text.
        if (this.#isCancelled || text() !== written) {
          this.hearing?.stop();
          return;
        }
        written = before === '' ? transcript.trimStart() : `${before} ${transcript.trimStart()}`;
        write(written);
      },
      onEnd: (reason) => {
        this.hearing = undefined;
        if (text() === '') this.#reportChange();
        if (reason) problem(localize(`composer.dictate-${reason}`));
      },
    });
    this.#reportChange();
  };

  /**
   * As for typed text, what is asked only after the user began to speak is not what they answer: the composer notes when they begin, and
   * that they have said nothing.
   */
  #reportChange(): void {
    void this.updateComplete.then(() => this.dispatchEvent(new Event('agent-chat-typed', { bubbles: true })));
  }
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
