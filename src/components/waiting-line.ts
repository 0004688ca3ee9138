import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import type { RetryWait } from '../runtime/reply.ts';

export interface WaitingLineProps {
  readonly localize: Localize;
  readonly wait: RetryWait | undefined;
  stop(): void;
}

/** The wait before the next try of a request, or for the network, with a way to end it. */
export function waitingLine({ localize, wait, stop }: WaitingLineProps): TemplateResult | typeof nothing {
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
  // The seconds count by themselves: they stand in the sentence as an element.
  const [before = '', after = ''] = localize('rate.next-try', { time: '\0' }).split('\0');
  const key = `error.${error.reason}`;
  const left = html`<agent-chat-elapsed .until=${until} .since=${0} .localize=${localize}></agent-chat-elapsed>`;
  return html`${localize.has(key) ? localize(key, error.values) : nothing} ${before}<b class="tabular">${left}</b
    >${after}`;
}
