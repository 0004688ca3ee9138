import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ModelOption } from '../settings/setting-types.ts';

export interface ModelPickerProps {
  readonly localize: Localize;
  readonly models: readonly ModelOption[];
  /** Id of the chosen model. Default: the first one. */
  readonly model: string | undefined;
  choose(id: string): void;
}

/** The select for the model. Nothing if there is no choice. */
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
