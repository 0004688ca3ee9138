import { html, type TemplateResult } from 'lit';
import type { BlockOf, PlanEntry } from '../model/blocks.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import { withoutBidi } from '../safety/urls.ts';
import { asText } from './extra.ts';
import type { RenderContext } from './renderer.ts';

/** How far a piece of work has come. */
export function progressView({
  block,
}: {
  readonly block: BlockOf<'progress'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { current, total } = block.progress;
  const message = withoutBidi(asText(block.progress.message));
  return html`<div class="sub-line tabular" part="block block-progress">
    <progress max=${total > 0 ? total : 1} value=${current} aria-label=${message}></progress>
    <span dir="auto">${message}</span>
  </div>`;
}

const SYMBOLS: Readonly<Record<PlanEntry['state'], IconName>> = {
  done: 'done',
  active: 'running',
  pending: 'open',
  failed: 'failed',
};

/** What the agent means to do, and where it is. */
export function planView({
  block,
}: {
  readonly block: BlockOf<'plan'>;
  readonly context: RenderContext;
}): TemplateResult {
  return html`<ol class="plan" part="block block-plan">
    ${block.plan.map(
      ({ title, state }) =>
        html`<li data-state=${state} aria-current=${state === 'active' ? 'step' : 'false'}>
          ${icon(SYMBOLS[state], 'small')}<span dir="auto">${withoutBidi(asText(title))}</span>
        </li>`,
    )}
  </ol>`;
}
