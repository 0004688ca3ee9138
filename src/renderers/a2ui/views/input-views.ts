/** The inputs of a surface. Their values stay in the widget until the user presses a button of the surface. */
import { html, nothing, type TemplateResult } from 'lit';
import { choicePicker } from './choice-views.ts';
import { isoDate } from '../read/format-date.ts';
import {
  ariaDescription,
  ariaLabel,
  described,
  field,
  invalid,
  mark,
  nameOf,
  problem,
  required,
  valueOf,
} from './input-parts.ts';
import type { InputNode } from '../read/walk-tree.ts';
import type { NodeOf } from '../read/node-types.ts';
import type { SurfaceHost } from './surface-host.ts';

const TYPES: Readonly<Partial<Record<NodeOf<'TextField'>['kind'], string>>> = { date: 'date', obscured: 'password' };

function textField(node: NodeOf<'TextField'>, host: SurfaceHost): TemplateResult {
  const { kind } = node;
  const setValue = (event: Event): void => {
    host.setValue(node, valueOf(event));
  };
  const blur = (): void => {
    host.blur(node);
  };
  if (kind === 'longText') {
    return field(
      node,
      host,
      html`<textarea
        class="field"
        rows="3"
        id=${host.idOf(node)}
        .value=${node.value}
        placeholder=${node.placeholder || nothing}
        aria-label=${ariaLabel(node)}
        aria-description=${ariaDescription(node)}
        aria-invalid=${invalid(node, host)}
        aria-required=${required(node)}
        aria-describedby=${described(node, host)}
        dir="auto"
        @input=${setValue}
        @blur=${blur}
      ></textarea>`,
    );
  }
  // A password manager must not offer the passwords of the page to an agent. It ignores `off`, but not `one-time-code`.
  const autocomplete = kind === 'obscured' ? 'one-time-code' : 'off';
  return field(
    node,
    host,
    html`<input
        class="field"
        type=${TYPES[kind] ?? 'text'}
        inputmode=${kind === 'number' ? 'decimal' : nothing}
        autocomplete=${autocomplete}
        id=${host.idOf(node)}
        .value=${node.value}
        placeholder=${node.placeholder || nothing}
        aria-label=${ariaLabel(node)}
        aria-description=${ariaDescription(node)}
        aria-invalid=${invalid(node, host)}
        aria-required=${required(node)}
        aria-describedby=${described(node, host)}
        dir="auto"
        @input=${setValue}
        @blur=${blur}
      />${
        kind === 'obscured'
          ? html`<span class="muted ui-secret">${host.context.settings.localize('ui.secret.sent')}</span>`
          : nothing
      }`,
  );
}

const dateInput = (node: NodeOf<'DateTimeInput'>, host: SurfaceHost): TemplateResult =>
  field(
    node,
    host,
    html`<input
      class="field"
      type=${node.kind}
      id=${host.idOf(node)}
      .value=${node.value}
      min=${node.min || nothing}
      max=${node.max || nothing}
      aria-label=${ariaLabel(node)}
      aria-description=${ariaDescription(node)}
      aria-invalid=${invalid(node, host)}
      aria-required=${required(node)}
      aria-describedby=${described(node, host)}
      @input=${(event: Event) => {
        host.setValue(node, isoDate(valueOf(event), node.kind, node.dataValue));
      }}
      @blur=${() => {
        host.blur(node);
      }}
    />`,
  );

const checkBox = (node: NodeOf<'CheckBox'>, host: SurfaceHost): TemplateResult =>
  html`<label class="ui-check">
      <input
        type="checkbox"
        .checked=${node.value}
        aria-label=${ariaLabel(node)}
        aria-description=${ariaDescription(node)}
        aria-invalid=${invalid(node, host)}
        aria-required=${required(node)}
        aria-describedby=${described(node, host)}
        @change=${(event: Event) => {
          host.setValue(node, (event.currentTarget as HTMLInputElement).checked);
        }}
      />
      <span dir="auto">${nameOf(node)}${mark(node)}</span>
    </label>
    ${problem(node, host).note}`;

const slider = (node: NodeOf<'Slider'>, host: SurfaceHost): TemplateResult =>
  field(
    node,
    host,
    html`<span class="ui-slider">
      <input
        type="range"
        id=${host.idOf(node)}
        min=${node.min}
        max=${node.max}
        step=${node.step ?? (node.max - node.min > 10 ? 1 : 'any')}
        .value=${String(node.value)}
        aria-label=${ariaLabel(node)}
        aria-description=${ariaDescription(node)}
        @input=${(event: Event) => {
          host.setValue(node, Number(valueOf(event)));
        }}
      />
      <output for=${host.idOf(node)}>${host.context.settings.localize.number(node.value)}</output>
    </span>`,
  );

export const inputViews = {
  TextField: textField,
  CheckBox: checkBox,
  DateTimeInput: dateInput,
  ChoicePicker: choicePicker,
  Slider: slider,
} satisfies { readonly [T in InputNode['type']]: (node: NodeOf<T>, host: SurfaceHost) => unknown };
