import { html, nothing } from 'lit';
import { markdown } from '../../markdown/markdown-directive.ts';
import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import { imageOf } from '../media/policy-image.ts';
import { defineRenderer, type ViewSettings } from '../core/renderer.ts';
import { isLate } from './late-texts.ts';

/** The model's reasoning, in small muted text. */
export const reasoning = defineRenderer({
  type: 'reasoning_content',
  getProps: (block, { growing, settings }) => ({
    source: block.content,
    growing,
    view: viewOf(settings),
    hidden: block.extra?.['hidden'] === true ? settings.localize('activity.hidden') : '',
  }),
  component: ({ source, growing, view, hidden }) =>
    html`<div part="block block-reasoning-content reasoning" class="prose thought" dir="auto">
      ${markdown(source, view, { growing, isLate })} ${hidden ? html`<p class="muted">${hidden}</p>` : nothing}
    </div>`,
});

const views = new WeakMap<ViewSettings, MarkdownView>();

function viewOf(settings: ViewSettings): MarkdownView {
  const known = views.get(settings);
  if (known) return known;
  const { localize, math } = settings;
  const view = { localize, math, image: (src: string, alt: string) => imageOf(src, alt, settings) };
  views.set(settings, view);
  return view;
}
