import { html, nothing, type TemplateResult } from 'lit';
import { renderLink } from '../../markdown/render/link-template.ts';
import type { BlockOf } from '../../model/blocks.ts';
import type { TextKey } from '../../locales/en.ts';
import { icon } from '../../primitives/icon.ts';
import { tooltipOfLink } from '../../safety/link-text.ts';
import { safeLink } from '../../safety/urls.ts';
import { extraNumber, recordsOf } from '../core/block-extra.ts';
import type { RenderContext } from '../core/renderer.ts';
import { shortText } from '../core/short-text.ts';
import { sourceListStyles } from '../core/source-list-styles.ts';
import { adopt } from '../../theme/adopt.ts';

/** The titles of a search that is still running. */
const LIVE_TEXTS: Readonly<Partial<Record<BlockOf<'search'>['status'], TextKey>>> = {
  loading: 'search.searching',
  reading: 'search.reading',
  optimizing: 'search.optimizing',
};

/** The texts for a search that failed or was stopped and has no results. */
const OUTCOMES: Readonly<Partial<Record<BlockOf<'search'>['status'], TextKey>>> = {
  error: 'phase.error',
  cancel: 'tool.cancelled',
};

/** Maximum number of listed results; of further ones only the number is shown. */
const MAX_PAGES = 200;

/** A search of the agent: its query and its results. Source: `docs/protocols/deepchat-events.md`. */
export function searchView({
  block,
  context,
}: {
  readonly block: BlockOf<'search'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { localize } = context.settings;
  const live = LIVE_TEXTS[block.status];
  const pages = recordsOf(block.extra?.['pages']);
  // The query is optional.
  const query = shortText(block.content ?? '');
  const titleKey = live === 'search.searching' && !query ? 'phase.tool_calling' : live;
  const title = titleKey || query ? localize(titleKey ?? 'search.title', { query }) : undefined;
  const outcome = pages.length === 0 ? OUTCOMES[block.status] : undefined;
  const count = extraNumber(block, 'total') || pages.length;
  const results = outcome ? localize(outcome) : localize('search.results', { count });
  return html`<details part="block block-search" class="fold-block">
    <summary class="fold">
      ${icon(live ? 'running' : outcome ? 'failed' : 'search', 'small')}
      <span class="clip" dir="auto">${title ?? results}</span>
      ${live || !title ? nothing : html`<span>· ${results}</span>`} ${icon('chevron-down', 'small')}
    </summary>
    ${adopt(sourceListStyles)}
    <ul class="source-list">
      ${pages.slice(0, MAX_PAGES).map(({ title, url, content }) => {
        const address = typeof url === 'string' ? url : '';
        const name = typeof title === 'string' && title ? title : address;
        const hint = typeof content === 'string' ? tooltipOfLink(safeLink(address), content) : undefined;
        return html`<li title=${hint === undefined ? nothing : shortText(hint)}>
          <span class="clip" dir="auto">${renderLink(address, shortText(name), name)}</span>
        </li>`;
      })}
    </ul>
  </details>`;
}
