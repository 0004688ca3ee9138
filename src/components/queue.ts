import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { icon } from '../primitives/icon.ts';

export interface QueueProps {
  readonly localize: Localize;
  readonly messages: readonly ChatMessage[];
  remove(id: string): void;
}

/** What the reader has sent while a reply is running, each with a way to take it back. */
export function queue({ localize, messages, remove }: QueueProps): TemplateResult | typeof nothing {
  if (messages.length === 0) return nothing;
  return html`<ul class="queue" aria-label=${localize('queue.label')}>
    ${messages.map(
      (message) =>
        html`<li>
          ${icon('queued', 'small')}<span class="grow clip words" dir="auto">${textOf(message)}</span>
          <span>${localize('queue.queued')}</span>
          <button
            type="button"
            class="icon-button"
            aria-label=${localize('queue.remove')}
            @click=${() => {
              remove(message.id);
            }}
          >
            ${icon('close', 'small')}
          </button>
        </li>`,
    )}
  </ul>`;
}
