/** A question: choices that answer with one press, free text of the user, or a form. */
import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { parseJson } from '../../model/json.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import {
  answeredLine,
  actionCard,
  decision,
  optionsOf,
  type ActionProps,
  type ActionView,
  type Option,
} from '../core/action-card.ts';
import { messageAuthor } from '../core/author-name.ts';
import { extraText } from '../core/block-extra.ts';
import { AgentChatForm, type QuestionForm } from '../forms/form-element.ts';
import { fieldsOf, type FormField } from '../forms/schema-to-fields.ts';

defineOnce('agent-chat-form', AgentChatForm);

export const question: ActionView = (props) => {
  const { block, context } = props;
  const options = optionsOf(block, context.settings.localize);
  const form = formOf(block, options);
  if (block.status !== 'pending') {
    // A form of other fields has not shown the options: a text like the value of one does not mean its label.
    const isUnseen = 'fields' in form && !form.end && form.fields[0]?.options !== options;
    return answeredLine(isUnseen ? { ...block, extra: { ...block.extra, options: [] } } : block, context);
  }
  return 'fields' in form
    ? html`<agent-chat-form .form=${form} .block=${block} .context=${context}></agent-chat-form>`
    : choiceView(props, options, form.closed);
};

/** Maximum length of a schema that is parsed (characters). */
const MAX_SCHEMA_LENGTH = 200_000;

/** The form of a question. If one press or a text answers it: whether only the given choices are valid (`closed`). */
function formOf(block: BlockOf<'action'>, options: readonly Option[]): QuestionForm | { readonly closed: boolean } {
  const schema = extraText(block, 'schema');
  const fields = schema.length > MAX_SCHEMA_LENGTH ? [] : fieldsOf(parseJson(schema));
  const [only] = fields;
  if (!only) return block.extra?.['multiple'] === true ? { fields: [manyOf(options)] } : { closed: false };
  const end = fields.find((field) => isEnd(field, options));
  if (fields.length > 1) return { fields, end: end && { field: end, options } };
  return end ? { closed: true } : { fields };
}

/**
 * Some agents send the same choices twice, as options and as a field of the schema. The options then become the submit
 * buttons of the form.
 */
const isEnd = ({ kind, options: values, other, path }: FormField, options: readonly Option[]): boolean =>
  kind === 'one' &&
  !other &&
  path.length < 2 &&
  options.length > 0 &&
  values.length === options.length &&
  values.every(({ value }) => options.some((option) => option.value === value));

/** A field for several of the options, and for free text besides them. */
const manyOf = (options: readonly Option[]): FormField => ({
  path: [],
  label: '',
  required: true,
  kind: 'many',
  options,
  other: true,
  whole: false,
});

/** @param closed - only the given choices are valid answers */
function choiceView({ block, context }: ActionProps, options: readonly Option[], closed: boolean): TemplateResult {
  const { localize } = context.settings;
  const draft = context.draft?.read();
  const answer = (event: SubmitEvent): void => {
    event.preventDefault();
    const answerText = new FormData(event.currentTarget as HTMLFormElement).get('answer');
    if (typeof answerText !== 'string' || answerText.trim() === '') return;
    context.draft?.write(undefined);
    context.act('answered', answerText.trim());
  };
  const skip = decision('ghost', localize('ask.skip'), context, 'dismissed');
  return actionCard(
    {
      symbol: 'question',
      title: block.content ?? localize('ask.question'),
      localize,
      question: block.id,
      author: messageAuthor(context),
    },
    [
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
    ],
  );
}
