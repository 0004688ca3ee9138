/** A question: choices that answer with one press, words of the reader's own, or a form. */
import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../model/blocks.ts';
import { parseJson } from '../model/json.ts';
import { defineOnce } from '../primitives/define-once.ts';
import { answered, card, decision, optionsOf, type ActionProps, type ActionView, type Option } from './ask-parts.ts';
import { extraText } from './extra.ts';
import { AgentChatForm, type QuestionForm } from './form-element.ts';
import { fieldsOf, type FormField } from './form-fields.ts';

defineOnce('agent-chat-form', AgentChatForm);

export const question: ActionView = (props) => {
  const { block, context } = props;
  if (block.status !== 'pending') return answered(block, context);
  const options = optionsOf(block);
  const form = formOf(block, options);
  return 'fields' in form
    ? html`<agent-chat-form .form=${form} .block=${block} .context=${context}></agent-chat-form>`
    : choiceView(props, options, form.closed);
};

/** A longer schema is not read. */
const MAX_SCHEMA_LENGTH = 200_000;

/** The form that a block asks for; where one press answers there is none. */
function formOf(block: BlockOf<'action'>, options: readonly Option[]): QuestionForm | { readonly closed: boolean } {
  const schema = extraText(block, 'schema');
  const fields = schema.length > MAX_SCHEMA_LENGTH ? [] : fieldsOf(parseJson(schema));
  const [only] = fields;
  if (!only) return block.extra?.['multiple'] === true ? { fields: [manyOf(options)] } : { closed: false };
  const end = fields.find((field) => isEnd(field, options));
  if (fields.length > 1) return { fields, end: end && { field: end, options } };
  return end ? { closed: true } : { fields };
}

/** Some agents say the same twice: as options, and as a field of the schema. Those are the form's own ends. */
const isEnd = ({ kind, options: values, other, path }: FormField, options: readonly Option[]): boolean =>
  kind === 'one' &&
  !other &&
  path.length < 2 &&
  options.length > 0 &&
  values.length === options.length &&
  values.every(({ value }) => options.some((option) => option.value === value));

/** Several of the options, and words beside them. */
const manyOf = (options: readonly Option[]): FormField => ({
  path: [],
  label: '',
  required: true,
  kind: 'many',
  options,
  other: true,
  whole: false,
});

/** @param closed - nothing but the choices is an answer */
function choiceView({ block, context }: ActionProps, options: readonly Option[], closed: boolean): TemplateResult {
  const { localize } = context.settings;
  const draft = context.draft?.read();
  const answer = (event: SubmitEvent): void => {
    event.preventDefault();
    const words = new FormData(event.currentTarget as HTMLFormElement).get('answer');
    if (typeof words !== 'string' || words.trim() === '') return;
    context.draft?.write(undefined);
    context.act('answered', words.trim());
  };
  const skip = decision('ghost', localize('ask.skip'), context, 'dismissed');
  return card({ symbol: 'question', title: block.content ?? localize('ask.question') }, [
    html`<div class="choices">
      ${options.map(
        ({ label, value, description }) =>
          html`<button
            type="button"
            class="choice"
            @click=${() => {
              context.act('answered', value);
            }}
          >
            <b>${label}</b> ${description ? html`<span class="muted">${description}</span>` : nothing}
          </button>`,
      )}
    </div>`,
    closed
      ? html`<div class="actions">${skip}</div>`
      : html`<form class="answer" @submit=${answer}>
          <input
            class="field"
            name="answer"
            autocomplete="off"
            aria-label=${localize('ask.answer')}
            placeholder=${localize('ask.answer')}
            dir="auto"
            .defaultValue=${typeof draft === 'string' ? draft : ''}
            @input=${(event: Event) => {
              context.draft?.write((event.target as HTMLInputElement).value);
            }}
          />
          <div class="actions">
            <button class="button primary" type="submit">${localize('ask.submit')}</button>
            ${skip}
          </div>
        </form>`,
  ]);
}
