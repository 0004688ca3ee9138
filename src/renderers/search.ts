import { html, nothing, type TemplateResult } from 'lit';
import { link } from '../markdown/link.ts';
import type { BlockOf } from '../model/blocks.ts';
import type { TextKey } from '../locales/en.ts';
import { icon } from '../primitives/icon.ts';
import { withoutBidi } from '../safety/urls.ts';
import { extraNumber, recordsOf } from './extra.ts';
import type { RenderContext } from './renderer.ts';

const WORDS: Readonly<Partial<Record<BlockOf<'search'>['status'], TextKey>>> = {
  loading: 'search.searching',
  reading: 'search.reading',
  optimizing: 'search.optimizing',
};

/** More results than these are told by their number. */
const MAX_PAGES = 200;

/** A search of the agent's: what was looked for, and what was found. Source: DeepChat strong-typed events, section 5. */
export function searchView({
  block,
  context,
}: {
  readonly block: BlockOf<'search'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { localize } = context.settings;
  const live = WORDS[block.status];
  const pages = recordsOf(block.extra?.['pages']);
  const total = extraNumber(block, 'total') || pages.length;
  return html`<details part="block block-search" class="fold-block">
    <summary class="fold">
      ${icon(live ? 'running' : 'search', 'small')}
      <span class="clip" dir="auto">${localize(live ?? 'search.title', { query: withoutBidi(block.content) })}</span>
      ${live ? nothing : html`<span>· ${localize('search.results', { count: total })}</span>`}
      ${icon('chevron-down', 'small')}
    </summary>
    <ul class="source-list">
      ${pages.slice(0, MAX_PAGES).map(({ title, url, content }) => {
        const address = typeof url === 'string' ? url : '';
        const name = typeof title === 'string' && title ? title : address;
        return html`<li title=${typeof content === 'string' ? withoutBidi(content) : nothing}>
          <span class="clip" dir="auto">${link(address, withoutBidi(name), '', name)}</span>
        </li>`;
      })}
    </ul>
  </details>`;
}
