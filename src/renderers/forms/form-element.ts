import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { BlockOf } from '../../model/blocks.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { button, actionCard, type Option } from '../core/action-card.ts';
import { messageAuthor } from '../core/author-name.ts';
import { formControl } from './form-control.ts';
import { pagesOf, type FormField } from './schema-to-fields.ts';
import { answerOf, initialOf, keyOf, problemOf, readValues, type FieldValue, type FormValues } from './form-values.ts';
import { isRecord } from '../../model/json.ts';
import type { RenderContext } from '../core/renderer.ts';

export interface QuestionForm {
  readonly fields: readonly FormField[];
  /** A choice that submits the form: its options are the submit buttons. */
  readonly end?: { readonly field: FormField; readonly options: readonly Option[] } | undefined;
}

/** Makes the field ids of each form unique. */
let forms = 0;

/** A form of the agent, filled in page by page. Its values survive a reload until it is submitted. */
export class AgentChatForm extends LightElement {
  static override properties = {
    block: { attribute: false },
    context: { attribute: false },
    form: { attribute: false },
    page: { state: true },
    values: { state: true },
    checked: { state: true },
  };
  declare block: BlockOf<'action'>;
  declare context: RenderContext;
  declare form: QuestionForm;
  declare protected page: number;
  declare protected values: FormValues;
  /** The user tried to continue, so validation errors are shown. */
  declare protected checked: boolean;
  readonly #id = `form-${String(++forms)}`;
  /** The id of the block whose values the form has. */
  #shown: string | undefined;

  constructor() {
    super();
    this.page = 0;
    this.values = {};
    this.checked = false;
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('block') || this.#shown === this.block.id) return;
    this.#shown = this.block.id;
    const stored = this.context.draft?.read();
    const { page, values } = isRecord(stored) ? stored : {};
    const initialValues = Object.fromEntries(this.form.fields.map((field) => [keyOf(field), initialOf(field)]));
    this.values = { ...initialValues, ...readValues(values) };
    this.page = typeof page === 'number' && Number.isInteger(page) && page > 0 && page < this.#pages.length ? page : 0;
  }

  get #pages(): readonly (readonly FormField[])[] {
    return pagesOf(this.form.fields.filter((field) => field !== this.form.end?.field));
  }

  protected override render(): TemplateResult {
    const { block, context } = this;
    const { localize } = context.settings;
    const pages = this.#pages;
    const fields = pages[this.page] ?? [];
    const last = this.page >= pages.length - 1;
    const title = block.content ?? localize('ask.question');
    const aside = pages.length > 1 ? localize('ask.page', { page: this.page + 1, count: pages.length }) : undefined;
    return actionCard(
      {
        symbol: 'question',
        title,
        localize,
        aside,
        entered: this.page > 0,
        question: block.id,
        author: messageAuthor(context),
      },
      html`<form class="answer" novalidate autocomplete="off" @submit=${this.#submitted}>
        ${repeat(fields, keyOf, (field) => this.#control(field))}
        <div class="actions">
          ${last && this.form.end ? this.#endButtons() : html`<button class="button primary" type="submit">${localize(last ? 'ask.submit' : 'ask.next')}</button>`}
          ${
            this.page > 0
              ? button('ghost', localize('ask.back'), () => {
                  this.#showPage(this.page - 1);
                })
              : nothing
          }
          ${button('ghost', localize('ask.skip'), () => {
            this.#send('dismissed');
          })}
        </div>
      </form>`,
    );
  }

  #control(field: FormField): TemplateResult {
    const key = keyOf(field);
    const value = this.values[key] ?? {};
    return formControl({
      field,
      value,
      id: `${this.#id}-${String(this.form.fields.indexOf(field))}`,
      localize: this.context.settings.localize,
      problem: this.checked ? problemOf(field, value) : undefined,
      change: (next: FieldValue) => {
        this.values = { ...this.values, [key]: { ...this.values[key], ...next } };
        this.#storeDraft();
      },
    });
  }

  /** The agent's own submit choices, such as approve or reject. */
  #endButtons(): TemplateResult[] {
    const { end } = this.form;
    return (end?.options ?? []).map(({ label, value }, index) =>
      button(index === 0 ? 'primary' : 'plain', withoutInvisible(label), () => {
        if (end && this.#validate()) this.#send('answered', end.field, value);
      }),
    );
  }

  readonly #submitted = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!this.#validate()) return;
    if (this.page < this.#pages.length - 1) this.#showPage(this.page + 1);
    else if (!this.form.end) this.#send('answered');
  };

  /** Whether the page is valid; if not, moves the focus to the first invalid field. */
  #validate(): boolean {
    const fields = this.#pages[this.page] ?? [];
    const isValid = fields.every((field) => problemOf(field, this.values[keyOf(field)] ?? {}) === undefined);
    this.checked = !isValid;
    if (!isValid) this.#focusSoon('[aria-invalid="true"]');
    return isValid;
  }

  #showPage(page: number): void {
    this.page = page;
    this.checked = false;
    this.#storeDraft();
    this.#focusSoon('input, textarea, select');
  }

  #send(action: 'answered' | 'dismissed', end?: FormField, value?: unknown): void {
    const { fields } = this.form;
    const rest = fields.filter((field) => field !== end);
    const answer = answerOf(rest, this.values);
    const payload = end && isRecord(answer) ? { ...answer, [end.path[0] ?? '']: value } : answer;
    this.context.draft?.write(undefined);
    this.context.act(action, action === 'answered' ? payload : undefined);
  }

  #storeDraft(): void {
    this.context.draft?.write({ page: this.page, values: this.values });
  }

  #focusSoon(selector: string): void {
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>(selector)?.focus();
    });
  }
}
