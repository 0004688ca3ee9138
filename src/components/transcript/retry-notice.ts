import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';
import type { RetryWait } from '../../runtime/reply-context.ts';

export interface RetryNoticeProps {
  readonly localize: Localize;
  readonly wait: RetryWait | undefined;
  stop(): void;
}

/** Status line for the wait before the next attempt or for the network, with buttons to retry now or to cancel. */
export function retryNotice({ localize, wait, stop }: RetryNoticeProps): TemplateResult | typeof nothing {
  if (!wait) return nothing;
  return html`<div class="line">
    ${icon('running', 'small')}
    <span>${wait.until === undefined ? localize('state.offline') : countdown(wait, wait.until, localize)}</span>
    <button
      type="button"
      class="button ghost"
      @click=${() => {
        wait.now();
      }}
    >
      ${localize('rate.now')}
    </button>
    <button type="button" class="button ghost" @click=${stop}>${localize('rate.cancel')}</button>
  </div>`;
}

function countdown({ error }: RetryWait, until: number, localize: Localize): TemplateResult {
  // The countdown is an element inside the sentence and updates itself.
  const [before = '', after = ''] = localize('rate.next-try', { time: '\0' }).split('\0');
  const key = `error.${error.reason}`;
  const remaining = html`<agent-chat-elapsed .until=${until} .since=${0} .localize=${localize}></agent-chat-elapsed>`;
  return html`${localize.has(key) ? localize(key, error.values) : nothing} ${before}<b class="tabular">${remaining}</b
    >${after}`;
}
