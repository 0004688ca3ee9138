import '../../locales/english/all-english.ts';
import { html, type TemplateResult } from 'lit';
import type { TextKey } from '../../locales/en.ts';
import type { Localize } from '../../locales/localize.ts';
import type { Feedback } from '../../model/feedback.ts';
import { leaveChangedForm } from '../../primitives/leave-field.ts';
import { adopt } from '../../theme/adopt.ts';
import { createStylesheet } from '../../theme/stylesheet.ts';
import sheetText from './styles/feedback-form.css?inline';

const style = createStylesheet(sheetText);

export interface FeedbackFormProps {
  readonly localize: Localize;
  readonly value: Feedback['value'];
  /** Submits the reasons and the comment as one text, on one line each. */
  send(comment: string): void;
  cancel(): void;
}

const REASONS: Readonly<Record<Feedback['value'], readonly TextKey[]>> = {
  up: ['feedback.correct', 'feedback.clear', 'feedback.complete'],
  down: ['feedback.incorrect', 'feedback.beside', 'feedback.incomplete', 'feedback.long', 'feedback.harmful'],
};

/**
 * The form for the reasons of a rating: checkboxes and a comment. The rating itself is already submitted, so the form is
 * optional.
 */
export function feedbackForm({ localize, value, send, cancel }: FeedbackFormProps): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const reasons = [...form.querySelectorAll<HTMLInputElement>(':checked')].map(({ value }) => value).join(', ');
    const comment = form.querySelector('textarea')?.value.trim() ?? '';
    send([reasons, comment].filter(Boolean).join('\n'));
  };
  const onKeydown = (event: KeyboardEvent): void => {
    leaveChangedForm(event);
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    // Otherwise Escape would also stop the reply.
    event.stopPropagation();
    cancel();
  };
  return html`${adopt(style)}
    <form class="feedback-form" aria-label=${localize('feedback.label')} @submit=${submit} @keydown=${onKeydown}>
      <fieldset>
        <legend>${localize(`feedback.why-${value}`)}</legend>
        ${REASONS[value].map(
          (key) =>
            html`<label class="chip"
              ><input type="checkbox" name="reason" value=${localize(key)} />${localize(key)}</label
            >`,
        )}
      </fieldset>
      <textarea
        class="field"
        name="words"
        rows="2"
        maxlength="2000"
        dir="auto"
        aria-label=${localize('feedback.comment')}
        placeholder=${localize('feedback.comment')}
      ></textarea>
      <div class="actions">
        <button type="button" class="button small ghost" @click=${cancel}>${localize('ask.skip')}</button>
        <button type="submit" class="button small primary">${localize('composer.send')}</button>
      </div>
    </form>`;
}
