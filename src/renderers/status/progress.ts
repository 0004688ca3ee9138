import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { icon } from '../../primitives/icon.ts';
import { asText } from '../core/block-extra.ts';
import type { RenderContext } from '../core/renderer.ts';
import { shortText } from '../core/short-text.ts';

/** The progress of a task. */
export function progressView({
  block,
  context,
}: {
  readonly block: BlockOf<'progress'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { current, total } = block.progress;
  const isFailed = block.status === 'error';
  const message = [shortText(asText(block.progress.message)), isFailed && context.settings.localize('phase.error')]
    .filter(Boolean)
    .join(' · ');
  return html`<div class="sub-line tabular" part="block block-progress">
    ${isFailed ? icon('failed', 'small') : nothing}
    <progress max=${total > 0 ? total : 1} value=${current} aria-label=${message}></progress>
    <span dir="auto">${message}</span>
  </div>`;
}
