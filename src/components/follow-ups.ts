import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../model/message.ts';
import { withoutBidi } from '../safety/urls.ts';
import type { Actions, View } from './contexts.ts';

/** More than these are no help. */
const MAX_SHOWN = 20;

/** What the agent offers to ask next; one of them used, they are gone. */
export function followUps(message: ChatMessage, { settings }: View, actions: Actions): TemplateResult | typeof nothing {
  const { suggestions = [], status, metadata } = message;
  if (suggestions.length === 0 || status === 'streaming' || metadata?.['answered'] === true) return nothing;
  return html`<div
    class="suggestions"
    part="suggestions"
    role="group"
    aria-label=${settings.localize('composer.suggestions')}
  >
    ${suggestions.slice(0, MAX_SHOWN).map(
      ({ label, prompt }) =>
        html`<button
          type="button"
          class="chip"
          part="suggestion"
          dir="auto"
          @click=${() => {
            actions.act('suggestion', message, undefined, prompt);
          }}
        >
          ${withoutBidi(label)}
        </button>`,
    )}
  </div>`;
}
