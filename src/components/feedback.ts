import { html, nothing, type TemplateResult } from 'lit';
import { feedbackOf, type Feedback } from '../model/feedback.ts';
import type { ChatMessage } from '../model/message.ts';
import { icon } from '../primitives/icon.ts';
import { LightElement } from '../primitives/light-element.ts';
import { lazy } from '../renderers/lazy.ts';
import type { Actions, View } from './contexts.ts';
import type { feedbackForm } from './feedback-form.ts';

const loadForm = async (): Promise<typeof feedbackForm> => (await import('./feedback-form.ts')).feedbackForm;

/** Thumbs under an answer. A second press takes the first one back; with `comment` a form asks for the reason. */
export class AgentChatFeedback extends LightElement {
  static override properties = {
    message: { attribute: false },
    view: { attribute: false },
    actions: { attribute: false },
    asking: { state: true },
    thanked: { state: true },
  };
  declare message: ChatMessage;
  declare view: View;
  declare actions: Actions;
  /** The form is open. */
  declare protected asking: boolean;
  declare protected thanked: boolean;

  constructor() {
    super();
    this.asking = false;
    this.thanked = false;
  }

  protected override render(): unknown {
    const { localize } = this.view.settings;
    const given = feedbackOf(this.message);
    return [
      this.#thumb('up', given),
      this.#thumb('down', given),
      // A polite region that is there before it has words.
      html`<span class="feedback-thanks" role="status">${this.thanked ? localize('feedback.thanks') : nothing}</span>`,
      this.asking && given
        ? lazy(loadForm, { localize, value: given.value, send: this.#send, leave: this.#leave })
        : nothing,
    ];
  }

  #thumb(value: Feedback['value'], given: Feedback | undefined): TemplateResult {
    const label = this.view.settings.localize(`feedback.${value}`);
    return html`<button
      type="button"
      class="icon-button thumb-${value}"
      part="toolbar-button"
      aria-label=${label}
      title=${label}
      aria-pressed=${given?.value === value}
      @click=${() => {
        this.#press(value, given);
      }}
    >
      ${icon('thumb', 'small')}
    </button>`;
  }

  #press(value: Feedback['value'], given: Feedback | undefined): void {
    const taken = given?.value === value;
    this.asking = !taken && this.view.feedback === 'comment';
    this.thanked = !taken && !this.asking;
    this.actions.rate(this.message, taken ? undefined : { value });
  }

  readonly #send = (comment: string): void => {
    const given = feedbackOf(this.message);
    if (given && comment !== '') this.actions.rate(this.message, { value: given.value, comment });
    this.thanked = true;
    this.#leave();
  };

  readonly #leave = (): void => {
    this.asking = false;
    const given = feedbackOf(this.message);
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>(`.thumb-${given?.value ?? 'up'}`)?.focus();
    });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-feedback': AgentChatFeedback;
  }
}
