import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../../model/message.ts';
import { replyOutcome } from '../../model/reply-outcome.ts';
import { icon } from '../../primitives/icon.ts';
import type { ChatActions, ChatView } from '../shared/contexts.ts';

/**
 * Notes on the outcome of an answer: that it was stopped, cut off, empty or partly unreadable.
 *
 * @param isOnlyAnswer - whether no other message of its author belongs to the turn: what came before may be the answer
 */
export function outcomeNotes(
  message: ChatMessage,
  { settings }: ChatView,
  actions: ChatActions,
  isOnlyAnswer: boolean,
): readonly TemplateResult[] {
  const { localize } = settings;
  const { metadata } = message;
  const outcome = replyOutcome(message);
  const notes: TemplateResult[] = [];
  if (metadata?.['unreadable'] === true) notes.push(note(localize('state.unreadable')));
  if (isSaidElsewhere(message, actions)) return notes;
  if (outcome === 'stopped')
    notes.push(note(localize(metadata?.['mayGoOn'] === true ? 'state.stopped-agent' : 'state.stopped'), 'stop'));
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
  if (outcome === 'empty' && isOnlyAnswer && !answersHidden(message, actions))
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
 * Whether another message of the reply says how it ended: all messages of a reply have its end, such as those of several
 * agents. It is said once, below the last one, or by the error in one of them.
 */
function isSaidElsewhere(message: ChatMessage, { conversation }: ChatActions): boolean {
  if (message.status === 'streaming' || (message.status === 'complete' && message.finish !== 'max_tokens'))
    return false;
  const messages = conversation.messages();
  const index = messages.findIndex(({ id }) => id === message.id);
  const start = messages.slice(0, index).findLastIndex(({ role }) => role === 'user') + 1;
  const isSameEnd = ({ role, status, finish }: ChatMessage): boolean =>
    role === message.role && status === message.status && finish === message.finish;
  return (
    (index >= 0 && messages.slice(index + 1, index + 2).some(isSameEnd)) ||
    messages.slice(start, Math.max(index, start)).some((one) => isSameEnd(one) && replyOutcome(one) === 'explained')
  );
}

/** A press in the chat may change only what is shown there already. */
const answersHidden = ({ parentId }: ChatMessage, { conversation }: ChatActions): boolean =>
  conversation.messages().some(({ id, metadata }) => id === parentId && metadata?.['hidden'] === true);

const note = (text: string, iconName: 'alert' | 'stop' = 'alert', action: unknown = nothing): TemplateResult =>
  html`<div class="line">${icon(iconName, 'small')}<span>${text}</span>${action}</div>`;

/** The indicator before the first content: dots immediately, text after a delay. */
export const waitingIndicator = ({ settings }: ChatView): TemplateResult =>
  html`<div class="waiting" role="presentation">
    <span class="dots" aria-hidden="true"
      ><i class="breathing"></i><i class="breathing"></i><i class="breathing"></i
    ></span>
    <span class="soon">${settings.localize('state.connecting')}</span>
    <span class="late">${settings.localize('state.waiting')}</span>
  </div>`;
