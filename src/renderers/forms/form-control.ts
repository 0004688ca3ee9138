/** One field of a form, rendered with native controls. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { FormField } from './schema-to-fields.ts';
import { initialOf, type FieldValue, type Problem } from './form-values.ts';

export interface ControlProps {
  readonly field: FormField;
  readonly value: FieldValue;
  /** Unique in the widget. */
  readonly id: string;
  readonly localize: Localize;
  readonly problem: Problem | undefined;
  change(value: FieldValue): void;
}

/** With more options the field is a `select`. */
const MAX_ROWS = 12;

export function formControl(props: ControlProps): TemplateResult {
  const { field, localize } = props;
  if (field.kind === 'secret') {
    return html`<div class="ask-field">
      <span>${field.label}</span><span class="muted">${localize('ui.secret')}</span>
    </div>`;
  }
  if (field.kind === 'boolean') return checkbox(props);
  const rows = field.options.length > 0 && (field.kind === 'many' || field.options.length <= MAX_ROWS);
  if (!rows) return labelled(props);
  return html`<fieldset class="ask-choices" aria-describedby=${describedBy(props)}>
    <legend>${caption(props)}</legend>
    ${help(props)} ${choices(props)} ${problemLine(props)}
  </fieldset>`;
}

const labelled = (props: ControlProps): TemplateResult =>
  html`<div class="ask-field">
    <label for=${props.id}>${caption(props)}</label>
    ${help(props)} ${props.field.options.length > 0 ? list(props) : textControl(props)} ${problemLine(props)}
  </div>`;

function textControl(props: ControlProps): TemplateResult {
  const { field, value, id, problem } = props;
  const input = (event: Event): void => {
    props.change({ text: (event.target as HTMLInputElement).value });
  };
  const initial = field.kind === 'number' ? '' : (initialOf(field).text ?? '');
  if (field.kind === 'long' || field.kind === 'many' || initial.length > SHORT_LINE) {
    return html`<textarea
      class="field"
      id=${id}
      rows=${rowsFor(initial)}
      inputmode=${field.input ?? nothing}
      dir="auto"
      aria-required=${String(field.required)}
      aria-invalid=${problem ? 'true' : nothing}
      aria-describedby=${describedBy(props)}
      .value=${value.text ?? ''}
      @input=${input}
    ></textarea>`;
  }
  return html`<input
    class="field"
    id=${id}
    type=${field.input ?? 'text'}
    inputmode=${field.kind === 'number' ? (field.whole ? 'numeric' : 'decimal') : nothing}
    dir="auto"
    aria-required=${String(field.required)}
    aria-invalid=${problem ? 'true' : nothing}
    aria-describedby=${describedBy(props)}
    .value=${value.text ?? ''}
    @input=${input}
  />`;
}

/** The widest letters of which a line of a narrow widget shows all. */
const SHORT_LINE = 20;

/** The fewest letters in a row of a text area, if all are wide. */
const SHORT_ROW = 12;

/** Rows that show all of a default, which is sent if the user agrees. For browsers without `field-sizing`. */
const rowsFor = (initial: string): number =>
  Math.max(
    3,
    initial.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / SHORT_ROW)), 0),
  );

function list(props: ControlProps): TemplateResult {
  const { field, value, id, problem, change } = props;
  const [chosen] = value.chosen ?? [];
  return html`<select
      class="field"
      id=${id}
      aria-required=${String(field.required)}
      aria-invalid=${problem ? 'true' : nothing}
      aria-describedby=${describedBy(props)}
      @change=${(event: Event) => {
        const optionIndex = (event.target as HTMLSelectElement).value;
        change({
          chosen: optionIndex === '' || optionIndex === OTHER ? [] : [Number(optionIndex)],
          other: optionIndex === OTHER,
        });
      }}
    >
      <option value="" ?selected=${chosen === undefined && !value.other}></option>
      ${field.options.map(
        ({ label }, index) => html`<option value=${index} ?selected=${chosen === index}>${label}</option>`,
      )}
      ${
        field.other
          ? html`<option value=${OTHER} ?selected=${value.other ?? false}>${props.localize('ask.other')}</option>`
          : nothing
      }
    </select>
    ${value.other ? otherField(props) : nothing}`;
}
const OTHER = 'other';

function choices(props: ControlProps): unknown {
  const { field, value, id, problem, change, localize } = props;
  const one = field.kind === 'one';
  const chosen = value.chosen ?? [];
  const row = (label: unknown, on: boolean, press: (on: boolean) => void, first: boolean): TemplateResult =>
    html`<label class="choice">
      <input
        type=${one ? 'radio' : 'checkbox'}
        name=${id}
        .checked=${on}
        aria-invalid=${problem && first ? 'true' : nothing}
        @change=${(event: Event) => {
          press((event.target as HTMLInputElement).checked);
        }}
      />
      <span class="grow">${label}</span>
    </label>`;
  const rows = field.options.map(({ label, description }, index) =>
    row(
      html`<b><bdi>${label}</bdi></b> ${description ? html`<bdi class="muted">${description}</bdi>` : nothing}`,
      chosen.includes(index),
      (on) => {
        if (one) change({ chosen: [index], other: false });
        else change({ chosen: on ? [...chosen, index] : chosen.filter((optionIndex) => optionIndex !== index) });
      },
      index === 0,
    ),
  );
  if (!field.other) return rows;
  const other = row(
    html`<b>${localize('ask.other')}</b>`,
    value.other ?? false,
    (on) => {
      change(one ? { chosen: [], other: true } : { other: on });
    },
    false,
  );
  return [rows, other, value.other ? otherField(props) : nothing];
}

const otherField = ({ value, localize, change }: ControlProps): TemplateResult =>
  html`<input
    class="field"
    aria-label=${localize('ask.other-answer')}
    placeholder=${localize('ask.other-answer')}
    dir="auto"
    .value=${value.text ?? ''}
    @input=${(event: Event) => {
      change({ text: (event.target as HTMLInputElement).value });
    }}
  />`;

const checkbox = (props: ControlProps): TemplateResult =>
  html`<div class="ask-field">
    <label class="ask-check">
      <input
        type="checkbox"
        id=${props.id}
        aria-describedby=${describedBy(props)}
        .checked=${props.value.on ?? false}
        @change=${(event: Event) => {
          props.change({ on: (event.target as HTMLInputElement).checked });
        }}
      />
      <span dir="auto">${props.field.label}</span>
    </label>
    ${help(props)}
  </div>`;

/** Most fields are required, so the optional ones are marked. */
const caption = ({ field, localize }: ControlProps): TemplateResult =>
  html`<span dir="auto">${field.label}</span>${
      field.required || field.path.length === 0
        ? nothing
        : html` <span class="muted">${localize('ask.optional')}</span>`
    }`;

const help = ({ field, id }: ControlProps): unknown =>
  field.help ? html`<span class="muted" id="${id}-help"><bdi>${field.help}</bdi></span>` : nothing;

const problemLine = ({ problem, id, localize }: ControlProps): unknown =>
  problem
    ? html`<span class="problem" id="${id}-problem"
        >${localize(`ask.wrong.${problem.key}`, { count: problem.limit ?? 0 })}</span
      >`
    : nothing;

/** `aria-describedby` must not reference an element that does not exist. */
function describedBy({ field, problem, id }: ControlProps): string | typeof nothing {
  const ids = [...(field.help ? [`${id}-help`] : []), ...(problem ? [`${id}-problem`] : [])];
  return ids.length > 0 ? ids.join(' ') : nothing;
}
