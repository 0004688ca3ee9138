import { html, type TemplateResult } from 'lit';
import { textOf } from '../../model/message-text.ts';
import type { ChatMessage } from '../../model/message.ts';
import { icon } from '../../primitives/icon.ts';
import { isAgentSystemMessage } from '../../model/spoken-by.ts';
import { longText, PLAIN_TEXT } from '../../renderers/core/long-text.ts';
import type { ChatView } from '../shared/contexts.ts';
import { authorOf } from './author-of-message.ts';

/** A system message of the host page, collapsed by default. A note of the agent is shown as the agent's. */
export const systemMessage = (message: ChatMessage, view: ChatView): TemplateResult => {
  const { localize } = view.settings;
  const title = isAgentSystemMessage(message)
    ? localize('message.note', { name: authorOf(message, view).name })
    : localize('message.system');
  return html`<details class="system-note">
    <summary class="fold"><span dir="auto">${title}</span> ${icon('chevron-down', 'small')}</summary>
    <p dir="auto">${longText(textOf(message), localize, String, PLAIN_TEXT)}</p>
  </details>`;
};
