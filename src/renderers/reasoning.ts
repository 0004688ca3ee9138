import { html, nothing } from 'lit';
import { markdown } from '../markdown/markdown.ts';
import type { MarkdownView } from '../markdown/view.ts';
import { imageOf } from './image-of.ts';
import { defineRenderer, type ViewSettings } from './renderer.ts';

/** What the model thought on its way, as small quiet prose. */
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
      ${markdown(source, view, { growing })} ${hidden ? html`<p class="muted">${hidden}</p>` : nothing}
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
