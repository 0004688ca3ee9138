/** The inputs of a surface. Their values stay in the widget until the user presses a button of the surface. */
import { html, nothing, type TemplateResult } from 'lit';
import { withoutBidi } from '../../safety/urls.ts';
import { isoDate } from './format-date.ts';
import type { SurfaceHost } from './surface-host.ts';
import type { NodeOf } from './node-types.ts';

type InputNode = NodeOf<'TextField' | 'CheckBox' | 'DateTimeInput' | 'ChoicePicker' | 'Slider'>;

/** Errors are shown only for inputs that the user has changed. */
function problem(node: InputNode, host: SurfaceHost): { readonly wrong: boolean; readonly note: unknown } {
  const wrong = node.problem !== '' && host.touched(node);
  const message = withoutBidi(node.problem).trim() || host.context.settings.localize('ask.wrong.required');
  return {
    wrong,
    note: wrong ? html`<span class="ui-problem" id=${`${host.idOf(node)}-note`}>${message}</span>` : nothing,
  };
}

const valueOf = (event: Event): string => (event.currentTarget as HTMLInputElement).value;
const nameOf = (node: InputNode): string => withoutBidi(node.label) || node.id;
/** Visible only; assistive technology reads `aria-required`. */
const mark = (node: InputNode): unknown =>
  node.required ? html`<span class="ui-required" aria-hidden="true"> *</span>` : nothing;
const required = (node: InputNode): unknown => (node.required ? 'true' : nothing);
const invalid = (node: InputNode, host: SurfaceHost): unknown => (problem(node, host).wrong ? 'true' : nothing);

/** A label above the input, and its error below. */
function field(node: InputNode, host: SurfaceHost, control: TemplateResult): TemplateResult {
  return html`<div class="ui-field">
    <label class="label" for=${host.idOf(node)} dir="auto">${nameOf(node)}${mark(node)}</label>
    ${control} ${problem(node, host).note}
  </div>`;
}

const described = (node: InputNode, host: SurfaceHost): unknown =>
  problem(node, host).wrong ? `${host.idOf(node)}-note` : nothing;

function textField(node: NodeOf<'TextField'>, host: SurfaceHost): TemplateResult {
  // Input goes to the agent unencrypted and is visible in the conversation.
  if (node.kind === 'obscured') {
    return html`<p class="ui-field">
      <span class="label" dir="auto">${nameOf(node)}</span>
      <span class="muted">${host.context.settings.localize('ui.secret')}</span>
    </p>`;
  }
  const enter = (event: Event): void => {
    host.enter(node, valueOf(event));
  };
  if (node.kind === 'longText') {
    return field(
      node,
      host,
      html`<textarea
        class="field"
        rows="3"
        id=${host.idOf(node)}
        .value=${node.value}
        placeholder=${node.placeholder || nothing}
        aria-invalid=${invalid(node, host)}
        aria-required=${required(node)}
        aria-describedby=${described(node, host)}
        dir="auto"
        @input=${enter}
      ></textarea>`,
    );
  }
  return field(
    node,
    host,
    html`<input
      class="field"
      type=${node.kind === 'date' ? 'date' : 'text'}
      inputmode=${node.kind === 'number' ? 'decimal' : nothing}
      autocomplete="off"
      id=${host.idOf(node)}
      .value=${node.value}
      placeholder=${node.placeholder || nothing}
      aria-invalid=${invalid(node, host)}
      aria-required=${required(node)}
      aria-describedby=${described(node, host)}
      dir="auto"
      @input=${enter}
    />`,
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
      aria-invalid=${invalid(node, host)}
      aria-required=${required(node)}
      aria-describedby=${described(node, host)}
      @input=${(event: Event) => {
        host.enter(node, isoDate(valueOf(event), node.kind, node.sent));
      }}
    />`,
  );

const checkBox = (node: NodeOf<'CheckBox'>, host: SurfaceHost): TemplateResult =>
  html`<label class="ui-check">
      <input
        type="checkbox"
        .checked=${node.value}
        aria-invalid=${invalid(node, host)}
        aria-required=${required(node)}
        aria-describedby=${described(node, host)}
        @change=${(event: Event) => {
          host.enter(node, (event.currentTarget as HTMLInputElement).checked);
        }}
      />
      <span dir="auto">${nameOf(node)}${mark(node)}</span>
    </label>
    ${problem(node, host).note}`;

function choicePicker(node: NodeOf<'ChoicePicker'>, host: SurfaceHost): TemplateResult {
  const choose = (value: string, chosen: boolean): void => {
    const others = node.several ? node.value.filter((known) => known !== value) : [];
    host.enter(node, chosen ? [...others, value] : others);
  };
  return html`<fieldset class="ui-choices" aria-describedby=${described(node, host)}>
    <legend class="label" dir="auto">${nameOf(node)}${mark(node)}</legend>
    ${node.options.map(
      ({ label, value }) =>
        html`<label class="ui-check">
          <input
            type=${node.several ? 'checkbox' : 'radio'}
            name=${host.idOf(node)}
            .checked=${node.value.includes(value)}
            aria-invalid=${invalid(node, host)}
            @change=${(event: Event) => {
              choose(value, (event.currentTarget as HTMLInputElement).checked);
            }}
          />
          <span dir="auto">${withoutBidi(label)}</span>
        </label>`,
    )}
    ${problem(node, host).note}
  </fieldset>`;
}

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
        @input=${(event: Event) => {
          host.enter(node, Number(valueOf(event)));
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
