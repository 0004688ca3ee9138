import { html, nothing, type TemplateResult } from 'lit';
import type { TextKey } from '../../locales/en.ts';
import type { ChatMessage } from '../../model/message.ts';
import { icon } from '../../primitives/icon.ts';
import type { ChatActions, ChatView } from '../shared/contexts.ts';

/** Notes on the outcome of an answer: that it was stopped, cut off or partly unreadable. */
export function outcomeNotes(
  message: ChatMessage,
  { settings }: ChatView,
  actions: ChatActions,
): readonly TemplateResult[] {
  const { localize } = settings;
  const { status, finish, metadata, blocks } = message;
  const notes: TemplateResult[] = [];
  if (metadata?.['unreadable'] === true) notes.push(note(localize('state.unreadable')));
  if (status === 'cancelled') notes.push(note(localize(stopKey(metadata)), 'stop'));
  if (finish === 'max_tokens') {
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
  const hasErrorBlock = blocks.some((block) => block.type === 'error');
  if (finish === 'error' && status === 'error' && !hasErrorBlock)
    notes.push(note(localize(metadata?.['failed'] === true ? 'error.title' : 'state.refused')));
  if (status === 'interrupted' && !hasErrorBlock) {
    const retryButton = html`<button
      type="button"
      class="link"
      @click=${() => {
        actions.act('retry', message);
      }}
    >
      ${localize('error.retry')}
    </button>`;
    notes.push(note(localize('error.cut'), 'alert', settings.isLocked ? nothing : retryButton));
  }
  return notes;
}

/** The text for who has stopped the reply: the server may end it too. */
function stopKey(metadata: ChatMessage['metadata']): TextKey {
  if (metadata?.['stoppedBy'] === 'server') return 'state.stopped-server';
  return metadata?.['mayGoOn'] === true ? 'state.stopped-agent' : 'state.stopped';
}

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
