/** A choice between options: a list, chips, or a drop-down list. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { withoutInvisible } from '../../../safety/urls.ts';
import { described, field, invalid, mark, nameOf, problem, required, valueOf } from './input-parts.ts';
import type { NodeOf } from '../read/node-types.ts';
import type { SurfaceHost } from './surface-host.ts';

type Choice = NodeOf<'ChoicePicker'>;

export function choicePicker(node: Choice, host: SurfaceHost): TemplateResult {
  if (node.style === 'drop-down') return dropDown(node, host);
  const { label } = node;
  return html`<fieldset
    class="ui-choices"
    aria-label=${label ? nothing : nameOf(node) || nothing}
    aria-describedby=${described(node, host)}
  >
    ${label ? html`<legend class="label" dir="auto">${withoutInvisible(label)}${mark(node)}</legend>` : nothing}
    ${node.filterable ? filterField(node, host) : nothing}
    <div class=${node.style === 'chips' ? 'ui-chips' : 'ui-options'}>${options(node, host)}</div>
    ${problem(node, host).note}
  </fieldset>`;
}

function options(node: Choice, host: SurfaceHost): unknown {
  const choose = (value: string, chosen: boolean): void => {
    const others = node.several ? node.value.filter((known) => known !== value) : [];
    host.setValue(node, chosen ? [...others, value] : others);
  };
  const filterText = host.filter(node).trim().toLocaleLowerCase();
  // A chosen option stays visible: otherwise the user would send an invisible value.
  const visibleOptions = node.options.filter(
    ({ label, value }) => label.toLocaleLowerCase().includes(filterText) || node.value.includes(value),
  );
  // With a key, since the focus would otherwise be on another option when the agent inserts one.
  return repeat(
    visibleOptions,
    ({ value }) => value,
    ({ label, value }) =>
      html`<label class=${node.style === 'chips' ? 'chip ui-chip' : 'ui-check'}>
        <input
          type=${node.several ? 'checkbox' : 'radio'}
          name=${host.idOf(node)}
          .checked=${node.value.includes(value)}
          aria-invalid=${invalid(node, host)}
          @change=${(event: Event) => {
            choose(value, (event.currentTarget as HTMLInputElement).checked);
          }}
        />
        <span dir="auto">${withoutInvisible(label)}</span>
      </label>`,
  );
}

const filterField = (node: Choice, host: SurfaceHost): TemplateResult => {
  const filterLabel = host.context.settings.localize('ui.filter');
  return html`<input
    class="field"
    type="search"
    autocomplete="off"
    placeholder=${filterLabel}
    aria-label=${filterLabel}
    .value=${host.filter(node)}
    @input=${(event: Event) => {
      host.setFilter(node, valueOf(event));
    }}
  />`;
};

function dropDown(node: Choice, host: SurfaceHost): TemplateResult {
  const [chosen = ''] = node.value;
  const isOption = node.options.some(({ value }) => value === chosen);
  return field(
    node,
    host,
    html`<select
      class="field"
      id=${host.idOf(node)}
      aria-label=${node.label ? nothing : nameOf(node) || nothing}
      aria-invalid=${invalid(node, host)}
      aria-required=${required(node)}
      aria-describedby=${described(node, host)}
      @change=${(event: Event) => {
        const value = (event.currentTarget as HTMLSelectElement).value;
        host.setValue(node, value === '' ? [] : [value]);
      }}
    >
      ${isOption ? nothing : html`<option value="" selected></option>`}
      ${node.options.map(
        ({ label, value }) =>
          html`<option value=${value} .selected=${value === chosen}>${withoutInvisible(label)}</option>`,
      )}
    </select>`,
  );
}
