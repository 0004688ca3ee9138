import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { Citation } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { citationsOf, collectSources, sourceKey } from '../../renderers/text/citations.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { sourceLine } from '../../renderers/text/source-line.ts';

/**
 * All sources with their quotes.
 *
 * @param selected - the citation whose mark the user has clicked
 */
export function fullSourceList(message: ChatMessage, localize: Localize, selected: unknown): TemplateResult {
  const selectedKey = isCitation(selected) ? sourceKey(selected) : undefined;
  const quotes = quotesByKey(message);
  return html` <ol class="all-sources" aria-label=${localize('sources.title')}>
    ${collectSources(message).map((source) => {
      const key = sourceKey(source.citation);
      return html`<li tabindex="-1" aria-current=${key === selectedKey ? 'true' : nothing}>
        <div class="source-line">${sourceLine(source, localize)}</div>
        ${[...(quotes.get(key) ?? [])].map((quote) => html`<blockquote dir="auto">${withoutInvisible(quote)}</blockquote>`)}
      </li>`;
    })}
  </ol>`;
}

/** The different quotes of each source. An answer may have thousands of sources. */
function quotesByKey({ blocks }: ChatMessage): ReadonlyMap<string, ReadonlySet<string>> {
  const quotes = new Map<string, Set<string>>();
  for (const block of blocks) {
    for (const citation of block.type === 'content' ? citationsOf(block) : []) {
      if (!citation.quote) continue;
      const key = sourceKey(citation);
      const known = quotes.get(key);
      if (known) known.add(citation.quote);
      else quotes.set(key, new Set([citation.quote]));
    }
  }
  return quotes;
}

const isCitation = (value: unknown): value is Citation => typeof value === 'object' && value !== null && 'id' in value;
