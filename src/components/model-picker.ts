import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';

/** A model that the reader may choose. */
export interface ModelOption {
  /** As it is sent. */
  readonly id: string;
  readonly label: string;
}

export interface ModelPickerProps {
  readonly localize: Localize;
  readonly models: readonly ModelOption[];
  /** The id of the chosen one; without one it is the first. */
  readonly model: string | undefined;
  choose(id: string): void;
}

/** Nothing where there is no choice. */
export function modelPicker({ localize, models, model, choose }: ModelPickerProps): TemplateResult | typeof nothing {
  if (models.length < 2) return nothing;
  const chosen = models.find(({ id }) => id === model) ?? models[0];
  return html`<select
    class="model-picker"
    aria-label=${localize('composer.model')}
    title=${localize('composer.model')}
    .value=${chosen?.id ?? ''}
    @change=${(event: Event) => {
      choose((event.currentTarget as HTMLSelectElement).value);
    }}
  >
    ${models.map(({ id, label }) => html`<option value=${id} ?selected=${id === chosen?.id}>${label}</option>`)}
  </select>`;
}
