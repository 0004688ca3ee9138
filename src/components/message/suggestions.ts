import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { settledPress } from '../../primitives/press/settled-press.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { shortText } from '../../renderers/core/short-text.ts';
import type { ChatActions, ChatView } from '../shared/contexts.ts';

/** Maximum number of suggestions. */
const MAX_SHOWN = 20;
/** A longer prompt (characters) goes to the composer instead of being sent. */
const MAX_PROMPT = 300;

/** Control characters other than tabs and line ends, and other characters that look empty. */
const BLANK = /(?![\t\n])[\p{Cc}\u2028\u2029\u2800\ufff9-\ufffc]/gu;

interface Suggestions {
  readonly message: ChatMessage;
  readonly view: ChatView;
  readonly actions: ChatActions;
}

/** The suggested follow-up messages. They disappear once one is used. */
export function followUpSuggestions({ message, view, actions }: Suggestions): TemplateResult | typeof nothing {
  const { settings } = view;
  const { suggestions = [], status, metadata } = message;
  if (settings.isLocked || suggestions.length === 0 || status === 'streaming' || metadata?.['answered'] === true)
    return nothing;
  return html`<div
    class="suggestions settling"
    part="suggestions"
    role="group"
    aria-label=${settings.localize('composer.suggestions')}
    ${settledPress(suggestions.map(({ label, prompt }) => label + prompt).join('\n'))}
  >
    ${suggestions.slice(0, MAX_SHOWN).map(({ label: given, prompt: sent }) => {
      // What nobody sees is not sent in the name of the user.
      const [label, prompt] = [shortText(given), withoutInvisible(sent).replace(BLANK, ' ')];
      return html`<button
        type="button"
        class="chip"
        part="suggestion"
        dir="auto"
        @click=${() => {
          // A long prompt goes to the composer, so that the user sees it before sending.
          if (prompt.length > MAX_PROMPT) actions.write(prompt);
          else actions.act('suggestion', message, undefined, prompt);
        }}
      >
        <span>${label}</span>${promptPreview(label, prompt, settings.localize)}
      </button>`;
    })}
  </div>`;
}

/** The prompt of a suggestion, if it differs from the label: the user sees all text before it is sent. */
const promptPreview = (label: string, prompt: string, localize: Localize): unknown =>
  label.trim() === prompt.trim() || prompt.length > MAX_PROMPT
    ? nothing
    : html`<span class="muted prompt">${localize('suggestion.sends', { prompt })}</span>`;
