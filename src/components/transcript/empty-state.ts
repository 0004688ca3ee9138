import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { Suggestion } from '../../model/blocks.ts';
import { singlePress } from '../../primitives/press/single-press.ts';

/** A suggested first message: the text to send, or a label with the text to send (`prompt`). */
export type Starter = string | (Pick<Suggestion, 'label' | 'prompt'> & Partial<Suggestion>);

export interface EmptyStateProps {
  readonly localize: Localize;
  readonly greeting: string | undefined;
  readonly starters: readonly Starter[];
  send(prompt: string): void;
}

/** Renders the greeting and the starters of an empty conversation. They are no messages: a starter is sent only when it is pressed. */
export function emptyState({ localize, greeting, starters, send }: EmptyStateProps): TemplateResult {
  return html`<div class="empty">
    <slot name="empty"><h2 class="hello" dir="auto">${greeting ?? localize('empty.greeting')}</h2></slot>
    ${
      starters.length > 0
        ? html`<div
            class="starters"
            part="suggestions"
            role="group"
            aria-label=${localize('composer.suggestions')}
            @click=${singlePress}
          >
            ${starters.map((item) => starter(item, send))}
          </div>`
        : nothing
    }
  </div>`;
}

function starter(item: Starter, send: EmptyStateProps['send']): TemplateResult {
  const { label, prompt, description } = typeof item === 'string' ? { label: item, prompt: item } : item;
  return html`<button
    type="button"
    class="starter"
    part="suggestion"
    dir="auto"
    @click=${() => {
      send(prompt);
    }}
  >
    <span><b>${label}</b>${description ? html`<span>${description}</span>` : nothing}</span>
  </button>`;
}
