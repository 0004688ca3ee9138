import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { Suggestion } from '../model/blocks.ts';

/** Something to begin with: the words that are sent, or what stands for them. */
export type Starter = string | (Pick<Suggestion, 'label' | 'prompt'> & Partial<Suggestion>);

export interface EmptyProps {
  readonly localize: Localize;
  readonly greeting: string | undefined;
  readonly starters: readonly Starter[];
  send(prompt: string): void;
}

/** What stands in the transcript before the first message. It is never sent to the agent. */
export function empty({ localize, greeting, starters, send }: EmptyProps): TemplateResult {
  return html`<div class="empty">
    <slot name="empty"><h2 class="hello" dir="auto">${greeting ?? localize('empty.greeting')}</h2></slot>
    ${
      starters.length > 0
        ? html`<div class="starters" part="suggestions" role="group" aria-label=${localize('composer.suggestions')}>
            ${starters.map((given) => starter(given, send))}
          </div>`
        : nothing
    }
  </div>`;
}

function starter(given: Starter, send: EmptyProps['send']): TemplateResult {
  const { label, prompt, description } = typeof given === 'string' ? { label: given, prompt: given } : given;
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
