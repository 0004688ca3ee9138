import { html, type TemplateResult } from 'lit';
import type { TextKey } from '../locales/en.ts';
import type { Localize } from '../locales/localize.ts';
import type { Feedback } from '../model/feedback.ts';

export interface FeedbackFormProps {
  readonly localize: Localize;
  readonly value: Feedback['value'];
  /** The reasons and the words as one text, a line for each of both. */
  send(comment: string): void;
  leave(): void;
}

const REASONS: Readonly<Record<Feedback['value'], readonly TextKey[]>> = {
  up: ['feedback.correct', 'feedback.clear', 'feedback.complete'],
  down: ['feedback.incorrect', 'feedback.beside', 'feedback.incomplete', 'feedback.long', 'feedback.harmful'],
};

/** Why: a few words to press, and room for others. What was pressed above has counted already; this may be left out. */
export function feedbackForm({ localize, value, send, leave }: FeedbackFormProps): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const reasons = [...form.querySelectorAll<HTMLInputElement>(':checked')].map(({ value }) => value).join(', ');
    const words = form.querySelector('textarea')?.value.trim() ?? '';
    send([reasons, words].filter(Boolean).join('\n'));
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    // Escape would stop a reply.
    event.stopPropagation();
    leave();
  };
  return html`<form
    class="feedback-form"
    aria-label=${localize('feedback.label')}
    @submit=${submit}
    @keydown=${pressed}
  >
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
      <button type="button" class="button small ghost" @click=${leave}>${localize('ask.skip')}</button>
      <button type="submit" class="button small primary">${localize('composer.send')}</button>
    </div>
  </form>`;
}
