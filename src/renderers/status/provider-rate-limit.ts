import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { extraNumber, extraText } from '../core/block-extra.ts';
import { inSentence } from '../core/in-sentence.ts';
import type { RenderContext } from '../core/renderer.ts';

/** Maximum length of a provider's name (characters). A longer one could be a sentence of its own in the widget's notice. */
const NAME_LENGTH = 30;

/** A rate limit of a provider, with the remaining seconds. Source: `docs/protocols/deepchat-events.md`. */
export function rateLimit({
  block,
  context,
}: {
  readonly block: BlockOf<'action'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { localize } = context.settings;
  const name = inSentence(withoutInvisible(maskDisplayedText(extraText(block, 'providerId'))));
  const provider = name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
  const wait = extraNumber(block, 'estimatedWaitTime');
  const details = localize('rate.queue', {
    current: extraNumber(block, 'currentQps'),
    limit: extraNumber(block, 'qpsLimit'),
    queue: extraNumber(block, 'queueLength'),
  });
  if (block.status === 'error') {
    return html`<section class="notice error" part="block block-action" role="group" aria-label=${provider}>
      ${lazyIcon('alert')}
      <div class="grow">
        <b
          >${wait > 0 ? localize('rate.long', { provider, time: localize.duration(wait) }) : localize('rate.over', { provider })}</b
        >
        <p class="muted">${details}</p>
      </div>
    </section>`;
  }
  const waiting = block.status === 'pending';
  // Without a time there is only the notice, without a countdown.
  const counts = waiting && wait > 0;
  const until = block.timestamp + wait;
  const text = counts ? localize('rate.waiting', { provider, time: '\0' }) : localize('rate.over', { provider });
  const [before = '', after = ''] = text.split('\0');
  return html`<div class="line" part="block block-action" title=${details}>
    ${waiting ? lazyIcon('running', 'small') : lazyIcon('done', 'small')}
    <span
      >${before}${
        counts
          ? html`<b class="tabular"
              ><agent-chat-elapsed .until=${until} .since=${block.timestamp} .localize=${localize}></agent-chat-elapsed
            ></b>`
          : nothing
      }${after} <span class="muted">· ${details}</span></span
    >
  </div>`;
}
