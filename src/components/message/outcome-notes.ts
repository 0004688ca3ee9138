import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../../model/message.ts';
import { replyOutcome } from '../../model/reply-outcome.ts';
import { icon } from '../../primitives/icon.ts';
import { singlePress } from '../../primitives/press/single-press.ts';
import type { ChatActions, ChatView } from '../shared/contexts.ts';

/**
 * Notes below an answer about its outcome: that it was stopped, cut off, empty or partly unreadable. Every message of a reply
 * (such as those of several agents) stores the outcome of the reply; it is shown once, below the last message.
 *
 * @param position - the position among the consecutive messages of one author. Only an `only` message can be reported as
 *   empty, because before a `last` one the author has already written another message
 */
export function outcomeNotes(
  message: ChatMessage,
  { settings }: ChatView,
  actions: ChatActions,
  position: 'only' | 'last' | 'earlier',
): readonly TemplateResult[] {
  const { localize } = settings;
  const { metadata } = message;
  const outcome = replyOutcome(message);
  const notes: TemplateResult[] = [];
  if (metadata?.['unreadable'] === true) notes.push(note(localize('state.unreadable')));
  if (position === 'earlier') return notes;
  if (outcome === 'stopped')
    notes.push(
      note(localize(metadata?.['agentMayContinue'] === true ? 'state.stopped-agent' : 'state.stopped'), 'stop'),
    );
  if (outcome === 'stopped-by-server') notes.push(note(localize('state.stopped-server'), 'stop'));
  if (outcome === 'limited') {
    const continueButton = html`<button
      type="button"
      class="link"
      @click=${() => {
        actions.act('continue', message, undefined, localize('state.continue'));
      }}
    >
      ${localize('state.continue')}
    </button>`;
    notes.push(note(localize('state.max-tokens'), 'alert', settings.isLocked ? nothing : continueButton));
  }
  if (outcome === 'empty' && position === 'only' && !answersHidden(message, actions))
    notes.push(note(localize('error.empty')));
  if (outcome === 'filtered') notes.push(note(localize('state.refused')));
  if (outcome === 'failed' || outcome === 'cut') {
    const retryButton = html`<button
      type="button"
      class="link"
      @click=${() => {
        actions.act('retry', message);
      }}
    >
      ${localize('error.retry')}
    </button>`;
    notes.push(
      note(
        localize(outcome === 'cut' ? 'error.cut' : 'error.title'),
        'alert',
        settings.isLocked ? nothing : retryButton,
      ),
    );
  }
  return notes;
}

/**
 * Whether the message answers a hidden message, such as the press of a button in a form. Such an answer may be empty, because
 * it may change only content that is already visible.
 */
const answersHidden = ({ parentId }: ChatMessage, { chat }: ChatActions): boolean =>
  chat.messages.some(({ id, metadata }) => id === parentId && metadata?.['hidden'] === true);

const note = (text: string, iconName: 'alert' | 'stop' = 'alert', action: unknown = nothing): TemplateResult =>
  html`<div class="line" @click=${singlePress}>${icon(iconName, 'small')}<span>${text}</span>${action}</div>`;
