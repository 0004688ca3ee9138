import { html, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { stripCitationPlaceholders } from '../parse/citation-placeholders.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';

/**
 * Hides the part of a text that is too long to lay out at once behind a button, which shows it as plain text. Copies
 * and exports of the message are complete.
 */
export class AgentChatRest extends LightElement {
  static override properties = {
    source: { attribute: false },
    localize: { attribute: false },
    open: { state: true },
  };
  declare source: string;
  declare localize: Localize;
  declare protected open: boolean;

  constructor() {
    super();
    this.source = '';
    this.open = false;
  }

  protected override render(): TemplateResult {
    const { source, localize } = this;
    if (this.open)
      return html`<agent-chat-code .code=${stripCitationPlaceholders(source)} .localize=${localize}></agent-chat-code>`;
    return html`<button type="button" class="button plain" @click=${this.show}>${localize('text.show-rest')}</button>`;
  }

  /** Shows the rest. Resolves when it is rendered. */
  readonly show = async (): Promise<void> => {
    this.open = true;
    await this.updateComplete;
    const code = this.querySelector('agent-chat-code');
    if (code instanceof LightElement) await code.updateComplete;
  };
}

/** Registers the element; loaded on demand because few texts need it. */
export const define = (): void => {
  defineOnce('agent-chat-rest', AgentChatRest);
};

declare global {
  interface HTMLElementTagNameMap {
    /** Its methods are missing until its chunk is loaded. */
    'agent-chat-rest': Partial<AgentChatRest> & HTMLElement;
  }
}
