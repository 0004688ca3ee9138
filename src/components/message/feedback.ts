import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { feedbackOf, type Feedback } from '../../model/feedback.ts';
import type { ChatMessage } from '../../model/message.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { lazy } from '../../renderers/core/lazy.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import type { ChatActions, ChatView } from '../shared/contexts.ts';
import css from './styles/feedback.css?inline';
import type { feedbackForm } from './feedback-form.ts';

const style = createStylesheet(css);

const loadForm = async (): Promise<typeof feedbackForm> => (await import('./feedback-form.ts')).feedbackForm;

/** Thumb buttons of an answer. A second click removes the rating; with `comment` a form asks for the reason. */
export class AgentChatFeedback extends LightElement {
  static override properties = {
    message: { attribute: false },
    view: { attribute: false },
    actions: { attribute: false },
    asking: { state: true },
    thanked: { state: true },
  };
  declare message: ChatMessage;
  declare view: ChatView;
  declare actions: ChatActions;
  /** Whether the form is open. */
  declare protected asking: boolean;
  declare protected thanked: boolean;

  constructor() {
    super();
    this.asking = false;
    this.thanked = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, style);
  }

  protected override render(): unknown {
    const { localize } = this.view.settings;
    const rating = feedbackOf(this.message);
    return [
      this.#thumb('up', rating),
      this.#thumb('down', rating),
      // The live region exists before it has text, so that screen readers announce it.
      html`<span class="feedback-thanks" role="status">${this.thanked ? localize('feedback.thanks') : nothing}</span>`,
      this.asking && rating
        ? lazy(loadForm, { localize, value: rating.value, send: this.#send, cancel: this.#closeForm })
        : nothing,
    ];
  }

  #thumb(value: Feedback['value'], rating: Feedback | undefined): TemplateResult {
    const label = this.view.settings.localize(`feedback.${value}`);
    return html`<button
      type="button"
      class="icon-button thumb-${value}"
      part="toolbar-button"
      aria-label=${label}
      title=${label}
      aria-pressed=${rating?.value === value}
      @click=${() => {
        this.#toggle(value, rating);
      }}
    >
      ${lazyIcon('thumb', 'small')}
    </button>`;
  }

  #toggle(value: Feedback['value'], rating: Feedback | undefined): void {
    const isRemoved = rating?.value === value;
    this.asking = !isRemoved && this.view.feedback === 'comment';
    this.thanked = !isRemoved && !this.asking;
    this.actions.rate(this.message, isRemoved ? undefined : { value });
  }

  readonly #send = (comment: string): void => {
    const rating = feedbackOf(this.message);
    if (rating && comment !== '') this.actions.rate(this.message, { value: rating.value, comment });
    this.thanked = true;
    this.#closeForm();
  };

  readonly #closeForm = (): void => {
    this.asking = false;
    const rating = feedbackOf(this.message);
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>(`.thumb-${rating?.value ?? 'up'}`)?.focus();
    });
  };
}

export interface FeedbackProps {
  readonly message: ChatMessage;
  readonly view: ChatView;
  readonly actions: ChatActions;
}

export function feedbackButtons({ message, view, actions }: FeedbackProps): TemplateResult {
  defineOnce('agent-chat-feedback', AgentChatFeedback);
  return html`<agent-chat-feedback .message=${message} .view=${view} .actions=${actions}></agent-chat-feedback>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-feedback': AgentChatFeedback;
  }
}
