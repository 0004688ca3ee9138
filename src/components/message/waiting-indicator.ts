import { html, type TemplateResult } from 'lit';
import type { ChatView } from '../shared/contexts.ts';

/** The indicator before the first content: dots immediately, text after a delay. */
export const waitingIndicator = ({ settings }: ChatView): TemplateResult =>
  html`<div class="waiting" role="presentation">
    <span class="dots" aria-hidden="true"
      ><i class="breathing"></i><i class="breathing"></i><i class="breathing"></i
    ></span>
    <span class="soon">${settings.localize('state.connecting')}</span>
    <span class="late">${settings.localize('state.waiting')}</span>
  </div>`;
