import { html, nothing } from 'lit';
import { icon } from '../primitives/icon.ts';
import { maskShown } from '../safety/sent-secrets.ts';
import { ownErrorWords } from './error-words.ts';
import { extraText } from './extra.ts';
import { defineRenderer, type RenderContext } from './renderer.ts';

/**
 * What went wrong, in words: the widget's own sentence where it knows the reason, the agent's where that says it; what was
 * kept, and a way to try again.
 */
export const error = defineRenderer({
  type: 'error',
  getProps: (block, context) => {
    const { localize } = context.settings;
    const [reason, code, status] = [extraText(block, 'reason'), extraText(block, 'code'), extraText(block, 'status')];
    const own = ownErrorWords(block, localize);
    // What the widget has written itself is for developers: the reader has the sentence.
    const said = reason === '' || code || status || reason === FOR_DEVELOPERS ? block.content : '';
    return {
      title: own ?? localize('error.title'),
      words:
        own === undefined || reason === FOR_DEVELOPERS
          ? block.content
          : said.startsWith('The server answered')
            ? ''
            : said,
      kept: context.message.blocks.some((other) => other.type === 'content' && other.content !== ''),
      retry: block.extra?.['recoverable'] === true || RETRY_REASONS.has(reason),
      details: [
        ...(code ? [[localize('error.code'), code] as const] : []),
        ...(status ? [[localize('error.status'), status] as const] : []),
      ],
      context,
    };
  },
  component: ({ title, words, kept, retry, details, context }) => {
    const { localize } = context.settings;
    return html`<section class="notice error" part="block block-error" role="group" aria-label=${title}>
      ${icon('alert')}
      <div class="grow">
        <b>${title}</b>
        ${words ? html`<p dir="auto">${maskShown(words, SHOWN_LENGTH)}</p>` : nothing}
        ${kept ? html`<p class="muted">${localize('error.kept')}</p>` : nothing}
        ${
          retry || details.length > 0
            ? html`<div class="actions">${retry ? retryButton(context) : nothing}${detailList(details, context)}</div>`
            : nothing
        }
      </div>
    </section>`;
  },
});

/** As much of what an agent says of its error as is drawn. */
const SHOWN_LENGTH = 2000;

/** Whoever reads this is setting the widget up. */
const FOR_DEVELOPERS = 'first-contact';

/** After these the same request may well succeed, whether the error said so or not. */
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
                <dd>${maskShown(value)}</dd>`,
          )}
        </dl>
      </details>`;
