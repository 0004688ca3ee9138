import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { toAttachment } from '../../model/attachment.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { icon, type EarlyIconName } from '../../primitives/icon.ts';

export interface QueuedMessagesProps {
  readonly localize: Localize;
  readonly messages: readonly ChatMessage[];
  remove(id: string): void;
  edit(id: string): void;
  sendNow(id: string): void;
}

/** The messages queued while a reply is running: each can be edited, sent immediately or removed. */
export function queuedMessages({
  localize,
  messages,
  remove,
  edit,
  sendNow,
}: QueuedMessagesProps): TemplateResult | typeof nothing {
  if (messages.length === 0) return nothing;
  return html`<ul class="queue" aria-label=${localize('queue.label')}>
    ${messages.map(
      (message) =>
        html`<li>
          ${icon('queued', 'small')}<span class="grow clip text" dir="auto"
            >${textOf(message) || fileNames(message)}</span
          >
          <span class="state">${localize('queue.queued')}</span>
          ${button('edit', localize('queue.edit'), () => {
            edit(message.id);
          })}
          ${button('up', localize('queue.now'), () => {
            sendNow(message.id);
          })}
          ${button('close', localize('queue.remove'), () => {
            remove(message.id);
          })}
        </li>`,
    )}
  </ul>`;
}

/** The names of its files, shown for a message without text. */
const fileNames = ({ blocks }: ChatMessage): string =>
  blocks
    .flatMap((block) => toAttachment(block))
    .map(({ name, mimeType, kind }) => name || mimeType || kind)
    .join(', ');

const button = (iconName: EarlyIconName, label: string, onClick: () => void): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${onClick}>
    ${icon(iconName, 'small')}
  </button>`;
