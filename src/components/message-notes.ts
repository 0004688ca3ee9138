import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../model/message.ts';
import { icon } from '../primitives/icon.ts';
import type { Actions, View } from './contexts.ts';

/** What is to be said about how an answer went: that it was stopped, cut off, or not all of it could be read. */
export function messageNotes(message: ChatMessage, { settings }: View, actions: Actions): readonly TemplateResult[] {
  const { localize } = settings;
  const { status, finish, metadata, blocks } = message;
  const notes: TemplateResult[] = [];
  if (metadata?.['unreadable'] === true) notes.push(note(localize('state.unreadable')));
  if (status === 'cancelled')
    notes.push(note(localize(metadata?.['mayGoOn'] === true ? 'state.stopped-agent' : 'state.stopped'), 'stop'));
  if (finish === 'max_tokens') {
    const goOn = html`<button
      type="button"
      class="link"
      @click=${() => {
        actions.act('continue', message, undefined, localize('state.continue'));
      }}
    >
      ${localize('state.continue')}
    </button>`;
    notes.push(note(localize('state.max-tokens'), 'alert', goOn));
  }
  const explained = blocks.some((block) => block.type === 'error');
  if (finish === 'error' && status === 'error' && !explained)
    notes.push(note(localize(metadata?.['failed'] === true ? 'error.title' : 'state.refused')));
  if (status === 'interrupted' && !explained) notes.push(note(localize('error.cut')));
  return notes;
}

const note = (words: string, symbol: 'alert' | 'stop' = 'alert', action: unknown = nothing): TemplateResult =>
  html`<div class="line">${icon(symbol, 'small')}<span>${words}</span>${action}</div>`;

/** Nothing has come yet: dots at once, words after a while. */
export const waiting = ({ settings }: View): TemplateResult =>
  html`<div class="waiting" role="presentation">
    <span class="dots" aria-hidden="true"
      ><i class="breathing"></i><i class="breathing"></i><i class="breathing"></i
    ></span>
    <span class="soon">${settings.localize('state.connecting')}</span>
    <span class="late">${settings.localize('state.waiting')}</span>
  </div>`;
