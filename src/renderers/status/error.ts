import { html, nothing } from 'lit';
import { icon } from '../../primitives/icon.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { errorMessageText } from './error-message.ts';
import { extraText } from '../core/block-extra.ts';
import { isOvercome } from '../core/is-overcome.ts';
import { defineRenderer, type RenderContext } from '../core/renderer.ts';

/**
 * Renders an error: the widget's own sentence for known reasons, otherwise the agent's message; whether the partial
 * answer remains; and a retry button. An error that the agent has overcome needs neither.
 */
export const error = defineRenderer({
  type: 'error',
  getProps: (block, context) => {
    const { localize } = context.settings;
    const [reason, code, status] = [extraText(block, 'reason'), extraText(block, 'code'), extraText(block, 'status')];
    const ownMessage = errorMessageText(block, localize);
    // The widget's own `message` is for developers; users see the localized sentence.
    const agentMessage = reason === '' || code || status ? block.content : '';
    const { blocks } = context.message;
    const overcome = isOvercome(block, context.message);
    const canRetry = block.extra?.['recoverable'] === true || RETRY_REASONS.has(reason);
    return {
      title: ownMessage ?? localize('error.title'),
      text:
        ownMessage === undefined
          ? block.content.replace(NO_MESSAGE, '')
          : // The beginning of a message of the widget (`runtime/request`), not of the agent.
            agentMessage.startsWith('The server answered')
            ? ''
            : agentMessage,
      hasPartialAnswer:
        !overcome &&
        blocks.slice(0, blocks.indexOf(block)).some((other) => other.type === 'content' && other.content !== ''),
      retry: context.settings.isLocked !== true && canRetry && !overcome,
      details: [
        ...(code ? [[localize('error.code'), code] as const] : []),
        ...(status ? [[localize('error.status'), status] as const] : []),
      ],
      context,
    };
  },
  component: ({ title, text, hasPartialAnswer, retry, details, context }) => {
    const { localize } = context.settings;
    return html`<section class="notice error" part="block block-error" role="group" aria-label=${title}>
      ${icon('alert')}
      <div class="grow">
        <b>${title}</b>
        ${text ? html`<p dir="auto">${maskDisplayedText(text, SHOWN_LENGTH)}</p>` : nothing}
        ${hasPartialAnswer ? html`<p class="muted">${localize('error.kept')}</p>` : nothing}
        ${
          retry || details.length > 0
            ? html`<div class="actions">${retry ? retryButton(context) : nothing}${detailList(details, context)}</div>`
            : nothing
        }
      </div>
    </section>`;
  },
});

/** The message of an error without one, for logs: the title says the same in the user's language. */
const NO_MESSAGE = /^The (?:agent|model|provider) report(?:s|ed) an error\.$/;

/** Maximum length of the agent's error message that is shown (characters). */
const SHOWN_LENGTH = 2000;

/** Reasons after which the same request may succeed, even if the error does not say so. */
const RETRY_REASONS = new Set(['cut', 'dropped', 'stalled', 'no-answer', 'empty', 'offline', 'load']);

const retryButton = ({ settings, act }: RenderContext): unknown =>
  html`<button
    type="button"
    class="button plain"
    @click=${() => {
      act('retry');
    }}
  >
    ${icon('again', 'small')}${settings.localize('error.retry')}
  </button>`;

const detailList = (details: readonly (readonly [string, string])[], { settings }: RenderContext): unknown =>
  details.length === 0
    ? nothing
    : html`<details class="more">
        <summary class="button ghost">${icon('chevron-down', 'small')}${settings.localize('error.details')}</summary>
        <dl class="pairs">
          ${details.map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd>${maskDisplayedText(value)}</dd>`,
          )}
        </dl>
      </details>`;
